"""Unpublished versions: the base's rows, less what goes, plus what the run's shards hold."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tailgate.config import Corpus
from tailgate.models import Release, SourceFile
from tailgate.store.head import Head, replaced
from tailgate.store.lance import Database
from tailgate.store.rows import without
from tailgate.store.run_folder import RunFolder
from tailgate.store.schema import EMBEDDED, Table, moment, table_schema, tables_of, window_schema
from tailgate.store.snapshot import Snapshot
from tailgate.store.vectors import Vectors

if TYPE_CHECKING:
    import pyarrow as pa


@dataclass(frozen=True, slots=True)
class Changes:
    """What a load does besides adding the documents in the run's folder."""

    drop: Sequence[str] = ()
    """Ids of documents that go."""
    keep: frozenset[str] = frozenset()
    """Ids of documents that a run with a newer listing has written: here they neither go nor are replaced."""
    touched: Mapping[str, SourceFile] = field(default_factory=dict)
    """The files, by id, of documents whose files were written again with the same bytes."""


@dataclass(frozen=True, slots=True)
class _Load:
    """One load of one corpus, as its steps need it."""

    corpus: Corpus
    database: Database
    folder: RunFolder
    changes: Changes
    vectors: Vectors
    gone: Sequence[str]
    rewindow: bool

    def schema(self, table: Table) -> "pa.Schema":
        return table_schema(table, self.corpus, self.vectors.dimension or 1)

    def rows(self, table: Table) -> Iterator["pa.RecordBatch"]:
        """The shards' rows with their vectors, less those of documents that are kept."""
        schema = self.schema(table)
        for batch in self.folder.batches(table):
            kept = without(batch, "document_id", self.changes.keep)
            if kept.num_rows:
                yield self.vectors.attach(kept, schema) if "vector" in schema.names else kept.select(schema.names)


def stage(
    corpus: Corpus, database: Database, base: Release | None, folder: RunFolder, changes: Changes
) -> dict[str, int]:
    """The versions of the corpus's tables that hold what the next release would; no reader sees them.

    Whatever a killed run left at the head of a table is passed over: every table starts from the base's version.
    Raises StoreConflict where another run wrote to a table meanwhile, MissingVectors where a text was not embedded.
    """
    old = Snapshot(database, base.table_versions) if base and same_vectors(corpus, base) else None
    carried = base.table_versions if base and carries_over(corpus, base) else {}
    added = set(folder.frame("documents", ["document_id"])["document_id"])
    load = _Load(
        corpus=corpus,
        database=database,
        folder=folder,
        changes=changes,
        vectors=_vectors(corpus, folder, old),
        gone=sorted({*changes.drop, *added} - changes.keep),
        rewindow=bool(carried) and base is not None and base.stages != corpus.stages,
    )
    versions: dict[str, int] = {}
    for table in tables_of(corpus):
        # A table without rows may have been made when nobody knew how long vectors are: nothing in it is worth keeping.
        if old is None or table not in carried or not old.count(table):
            versions[table] = _replace(load, table)
        else:
            versions[table] = _update(load, table, old)
    return versions


def carries_over(corpus: Corpus, base: Release) -> bool:
    """Whether rows of the base can stay: units and vectors are made in the same way."""
    return base.stages.same_units(corpus.stages)


def same_vectors(corpus: Corpus, base: Release) -> bool:
    """Whether vectors of the base can stay."""
    return base.stages.embed == corpus.stages.embed


def _vectors(corpus: Corpus, folder: RunFolder, old: Snapshot | None) -> Vectors:
    """The vector of every text in the shards, this run's or else the base's."""
    wanted = {key for table in EMBEDDED for batch in folder.batches(table, ["text_hash"]) for key in _keys(batch)}
    vectors = Vectors(corpus, wanted)
    vectors.take(folder.vectors())
    for table in EMBEDDED:
        if old and old.dimension(table) and old.count(table):
            vectors.measure(old.dimension(table))
            vectors.take(old.batches(table, ["text_hash", "vector"]))
    vectors.require()
    return vectors


def _keys(batch: "pa.RecordBatch") -> Iterator[str]:
    return (key for key in batch.column("text_hash").to_pylist() if key is not None)


def _replace(load: _Load, table: Table) -> int:
    import pyarrow as pa

    schema = load.schema(table)
    rows = (batch.cast(schema) for batch in load.rows(table))
    return replaced(load.database, table, pa.RecordBatchReader.from_batches(schema, rows))


def _update(load: _Load, table: Table, base: Snapshot) -> int:
    """The version after going back to the base's, taking out and renewing what the run says, and adding its rows."""
    head = Head(load.database, table)
    with load.database.errors():
        head.restore(base.versions[table])
        head.delete("document_id", load.gone)
        if load.rewindow and table == "documents":
            head.set("config_fingerprint", load.corpus.fingerprint)
        if load.rewindow and table == "sentences":
            head.merge("sentence_id", _windows(load.folder))
        if load.changes.touched and table == "documents":
            head.merge("document_id", _listed_as(load.changes.touched))
        head.add(load.schema(table), load.rows(table))
        head.compact()
        return head.version


def _windows(folder: RunFolder) -> "pa.Table":
    import pyarrow as pa

    schema = window_schema()
    columns = [name for name in schema.names if name not in {"document_id", "ordinal"}]
    batches = [batch.select(columns) for batch in folder.windows()]
    return pa.Table.from_batches(batches, schema=pa.schema([schema.field(name) for name in columns]))


def _listed_as(touched: Mapping[str, SourceFile]) -> "pa.Table":
    import pyarrow as pa

    return pa.table({
        "document_id": pa.array(list(touched), pa.string()),
        "fingerprint": pa.array([file.fingerprint for file in touched.values()], pa.string()),
        "modified": pa.array([file.modified for file in touched.values()], moment()),
    })
