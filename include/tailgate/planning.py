"""What a run has to do: which files are parsed again, which documents go, and what is left as it is."""

import math
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime

from tailgate import ids
from tailgate.config import Corpus
from tailgate.errors import EmptyCorpus
from tailgate.models import Listing, QuarantineEntry, SourceFile
from tailgate.scope import Scope

SHARD_BYTES = 1_000_000
"""A shard below this size costs more to start than to work off."""


@dataclass(frozen=True, slots=True)
class KnownDocument:
    """What the last release holds of one document."""

    document_id: str
    path: str
    fingerprint: str
    config_fingerprint: str
    modified: datetime | None = None


@dataclass(frozen=True, slots=True)
class Plan:
    """What one run does; its later steps read nothing else about the source."""

    run_id: str
    as_of: datetime
    scope: Scope
    base: str | None
    """The release that the run starts from and that its own release follows."""
    files: tuple[tuple[SourceFile, ...], ...]
    """The files to parse, by shard; empty where there is nothing to do."""
    drop: tuple[str, ...]
    """Ids of documents that the source no longer holds."""
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
        changed = sum(len(shard) for shard in self.files)
        return (
            f"{changed} documents new or changed, {self.unchanged} unchanged, {len(self.drop)} gone"
            f"{self._quarantine_note}, {len(self.files)} shards"
        )

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
    drop = _gone(listing, held) if scope.full and listing.complete else ()
    return Plan(
        run_id=run_id,
        as_of=as_of,
        scope=scope,
        base=base,
        files=_cut(fresh, corpus.run.shards) if fresh or drop else (),
        drop=drop,
        unchanged=len(held) - len(drop) - sum(file.path in held for file in todo),
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
    return known is None or (known.fingerprint, known.config_fingerprint) != (file.fingerprint, corpus.fingerprint)


def _gone(listing: Listing, held: Mapping[str, KnownDocument]) -> tuple[str, ...]:
    listed = {file.path for file in listing.files}
    return tuple(sorted(document.document_id for path, document in held.items() if path not in listed))


def _cut(files: Collection[SourceFile], most: int) -> tuple[tuple[SourceFile, ...], ...]:
    """Shards of about equal size, each in the listing's order; one empty shard where documents only go."""
    total = sum(file.size for file in files)
    shards: list[list[SourceFile]] = [[] for _ in range(max(1, min(most, len(files), math.ceil(total / SHARD_BYTES))))]
    sizes = [0] * len(shards)
    for file in sorted(files, key=lambda file: (-file.size, file.path)):
        lightest = sizes.index(min(sizes))
        shards[lightest].append(file)
        sizes[lightest] += file.size
    return tuple(tuple(sorted(shard, key=lambda file: file.path)) for shard in shards)
