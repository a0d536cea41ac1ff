"""What a run has to do: which files are parsed again, which documents go, and what is left as it is."""

import math
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime

from tailgate import ids
from tailgate.config import Corpus, Fingerprint
from tailgate.errors import EmptyCorpus
from tailgate.models import Listing, QuarantineEntry, SourceFile
from tailgate.scope import Scope

SHARD_BYTES = 1_000_000
"""A shard below this size costs more to start than to work off."""

MANY_WINDOWS = 50
"""Documents whose windows are cut anew by all shards together rather than by one."""


@dataclass(frozen=True, slots=True)
class KnownDocument:
    """What the last release holds of one document."""

    document_id: str
    path: str
    fingerprint: str
    config_fingerprint: str
    modified: datetime | None = None

    def is_of(self, corpus: Corpus) -> bool:
        """Whether its units and vectors are what the corpus file asks for; of its windows that says nothing."""
        return Fingerprint.of(self.config_fingerprint).same_units(corpus.stages)

    def needs_windows(self, corpus: Corpus) -> bool:
        """Whether its windows, and nothing else about it, are what another corpus file asked for."""
        return "window" in corpus.designs and self.is_of(corpus) and self.config_fingerprint != corpus.fingerprint


@dataclass(frozen=True, slots=True)
class Plan:
    """What one run does; its later steps read nothing else about the source."""

    run_id: str
    as_of: datetime
    scope: Scope
    base: str | None
    """The release that the run starts from and that its own release follows."""
    config_fingerprint: str
    files: tuple[tuple[SourceFile, ...], ...]
    """The files to parse, by shard; empty where there is nothing to do."""
    drop: tuple[str, ...]
    """Ids of documents that the source no longer holds."""
    gone: tuple[str, ...]
    """Their paths."""
    new: int
    """How many of the files the base does not hold."""
    windows: int
    """How many documents of the base have windows of another radius; of one that is read again, reading may fail."""
    unchanged: int
    still_quarantined: int
    problems: tuple[str, ...]

    @property
    def shards(self) -> tuple[int, ...]:
        """The numbers of the shards, for tasks to be mapped over."""
        return tuple(range(len(self.files)))

    @property
    def summary(self) -> str:
        """One line for a person."""
        if not self.files:
            return f"nothing to do: {self.unchanged} documents unchanged{self._quarantine_note}"
        windows = f"{self.windows - self.changed} with new windows, " if self.windows else ""
        return (
            f"{self.new} documents new, {self.changed} changed, {windows}{self.unchanged} unchanged, "
            f"{len(self.drop)} gone{self._quarantine_note}, {len(self.files)} shards"
        )

    @property
    def changed(self) -> int:
        """How many of the files the base holds as they were before."""
        return sum(len(shard) for shard in self.files) - self.new

    @property
    def _quarantine_note(self) -> str:
        return f", {self.still_quarantined} still quarantined" if self.still_quarantined else ""


def draw_up(
    corpus: Corpus,
    listing: Listing,
    known: Iterable[KnownDocument],
    quarantined: Iterable[QuarantineEntry],
    *,
    run_id: str,
    as_of: datetime,
    scope: Scope,
    base: str | None,
) -> Plan:
    """The plan of a run over a listing, given what the last release holds.

    Only a full scope over a complete listing lets documents go. Raises EmptyCorpus where there is nothing to index and
    nothing was ever indexed.
    """
    held = {document.path: document for document in known}
    # Days of a dated source may well hold nothing; a source as a whole may not.
    if not listing.files and not held and (scope.full or corpus.source.dated != "path"):
        raise EmptyCorpus(corpus.source_uri, listing.seen)
    covered = [file for file in listing.files if _covers(corpus, scope, file)]
    older = [file.path for file in covered if not scope.full and _is_older(file, held)]
    refused = {(entry.uri, entry.fingerprint) for entry in quarantined}
    todo = [file for file in covered if file.path not in older and _changed(corpus, file, held)]
    fresh = [file for file in todo if (file.uri, quarantine_fingerprint(corpus, file)) not in refused]
    gone = _gone(listing, held) if scope.full and listing.complete else ()
    left = held.keys() - {document.path for document in gone}
    rewindowed = {path for path in left if held[path].needs_windows(corpus)}
    return Plan(
        run_id=run_id,
        as_of=as_of,
        scope=scope,
        base=base,
        config_fingerprint=corpus.fingerprint,
        files=_cut(fresh, corpus.run.shards, len(rewindowed)) if fresh or gone or rewindowed else (),
        drop=tuple(sorted(document.document_id for document in gone)),
        gone=tuple(sorted(document.path for document in gone)),
        new=sum(file.path not in held for file in fresh),
        windows=len(rewindowed),
        unchanged=len(left - rewindowed - {file.path for file in todo}),
        still_quarantined=len(todo) - len(fresh),
        problems=(*listing.problems, *(f"{path} is older now than what is indexed: left as it is" for path in older)),
    )


def quarantine_fingerprint(corpus: Corpus, file: SourceFile) -> str:
    """Changes when a file that could not be indexed deserves another try."""
    return ids.fingerprint(f"{file.fingerprint} {corpus.fingerprint} {corpus.parse.model_dump_json()}")


def _covers(corpus: Corpus, scope: Scope, file: SourceFile) -> bool:
    """Days in paths, and documents that are named, were seen to by the listing."""
    by_time = not scope.full and corpus.source.dated == "modified"
    return not by_time or file.modified is None or scope.covers_moment(file.modified)


def _is_older(file: SourceFile, held: Mapping[str, KnownDocument]) -> bool:
    """Whether the source has gone back in time: a run over some of it must not follow, for it may not see why."""
    known = held.get(file.path)
    before = known.modified if known else None
    return before is not None and file.modified is not None and file.modified < before


def _changed(corpus: Corpus, file: SourceFile, held: Mapping[str, KnownDocument]) -> bool:
    known = held.get(file.path)
    return known is None or known.fingerprint != file.fingerprint or not known.is_of(corpus)


def _gone(listing: Listing, held: Mapping[str, KnownDocument]) -> tuple[KnownDocument, ...]:
    listed = {file.path for file in listing.files}
    return tuple(document for path, document in held.items() if path not in listed)


def _cut(files: Collection[SourceFile], most: int, windows: int) -> tuple[tuple[SourceFile, ...], ...]:
    """Shards of about equal size, each in the listing's order; some are empty where less is read than is to be done."""
    total = sum(file.size for file in files)
    enough = max(1, min(most, len(files), math.ceil(total / SHARD_BYTES)))
    if windows >= MANY_WINDOWS:
        enough = most
    shards: list[list[SourceFile]] = [[] for _ in range(enough)]
    sizes = [0] * len(shards)
    for file in sorted(files, key=lambda file: (-file.size, file.path)):
        lightest = sizes.index(min(sizes))
        shards[lightest].append(file)
        sizes[lightest] += file.size
    return tuple(tuple(sorted(shard, key=lambda file: file.path)) for shard in shards)
