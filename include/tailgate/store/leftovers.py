"""What earlier runs have done and no release holds: parsed documents and vectors that need not be made again."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from tailgate.config import Corpus, Fingerprint
from tailgate.errors import StoreUnreachable
from tailgate.models import SourceFile
from tailgate.store.run_folder import RunFolder, run_folders
from tailgate.store.schema import tables_of

if TYPE_CHECKING:
    import pyarrow as pa

RUNS = 3
"""Unpublished runs that are looked into, newest first: the last one has nearly always what can be used."""


@dataclass(frozen=True, slots=True)
class Leftover:
    """One document in the shard files of a run that did not publish it."""

    folder: RunFolder
    shard: int
    document_id: str
    content_hash: str


class Leftovers:
    """The shards and vectors of the newest runs that ended without a release."""

    def __init__(self, corpus: Corpus, run_id: str) -> None:
        self._corpus = corpus
        self._run_id = run_id

    def find(self, file: SourceFile) -> Leftover | None:
        """The units of the very file, made in the way that the corpus file asks for."""
        return self._documents.get((file.path, file.fingerprint))

    def vectors(self) -> Iterator["pa.RecordBatch"]:
        """Vectors (`text_hash`, `vector`) by the corpus's model, a batch at a time."""
        for folder, made in self._folders:
            if made.embed == self._corpus.stages.embed:
                yield from folder.vectors()

    @cached_property
    def _documents(self) -> Mapping[tuple[str, str], Leftover]:
        found: dict[tuple[str, str], Leftover] = {}
        for folder, made in self._folders:
            if (made.shape, made.window) == (self._corpus.stages.shape, self._corpus.stages.window):
                for path, fingerprint, leftover in _documents_of(folder, self._corpus):
                    found.setdefault((path, fingerprint), leftover)
        return found

    @cached_property
    def _folders(self) -> list[tuple[RunFolder, Fingerprint]]:
        """The folders that still have shards, newest first, and how their shards were made."""
        others = [folder for folder in run_folders(self._corpus) if folder.run_id != self._run_id]
        dated = [(plan["as_of"], plan["config_fingerprint"], folder) for folder in others if (plan := _plan(folder))]
        newest = sorted(dated, key=lambda one: one[0], reverse=True)[:RUNS]
        return [(folder, Fingerprint.of(written)) for _, written, folder in newest]


def _plan(folder: RunFolder) -> dict[str, str] | None:
    """The plan of a run that has shards, unless it is gone meanwhile."""
    try:
        return folder.read_json("plan.json") if folder.has_shards() else None
    except StoreUnreachable:
        return None


def _documents_of(folder: RunFolder, corpus: Corpus) -> Iterator[tuple[str, str, Leftover]]:
    """Path and fingerprint of every document in the folder's whole shards."""
    for shard in folder.whole_shards(tables_of(corpus)):
        columns = ["document_id", "path", "fingerprint", "content_hash"]
        for batch in folder.batches("documents", columns, shard=shard):
            for name, path, fingerprint, content_hash in zip(*(c.to_pylist() for c in batch.columns), strict=True):
                yield path, fingerprint, Leftover(folder, shard, name, content_hash)


def names_by_shard(leftovers: Collection[Leftover]) -> dict[tuple[RunFolder, int], set[str]]:
    """The ids of the documents to take from each shard of each folder."""
    grouped: dict[tuple[RunFolder, int], set[str]] = {}
    for leftover in leftovers:
        grouped.setdefault((leftover.folder, leftover.shard), set()).add(leftover.document_id)
    return grouped
