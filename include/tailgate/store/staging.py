"""Unpublished versions: the base's rows, less what goes, plus what the run's shards hold."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from tailgate.config import Corpus
from tailgate.errors import StoreConflict, StoreUnreachable
from tailgate.models import Release
from tailgate.store.lance import Database
from tailgate.store.run_folder import RunFolder
from tailgate.store.schema import EMBEDDED, Table, table_schema, tables_of
from tailgate.store.snapshot import Snapshot
from tailgate.store.vectors import Vectors

if TYPE_CHECKING:
    import pyarrow as pa

IDS = 500
"""Document ids in one delete condition."""


def stage(
    corpus: Corpus, database: Database, base: Release | None, folder: RunFolder, drop: Sequence[str]
) -> dict[str, int]:
    """The versions of the corpus's tables that hold what the next release would; no reader sees them.

    Whatever a killed run left at the head of a table is passed over: every table starts from the base's version.
    Raises StoreConflict where another run wrote to a table meanwhile, MissingVectors where a text was not embedded.
    """
    old = Snapshot(database, base.table_versions) if base and same_vectors(corpus, base) else None
    carried = base.table_versions if base and carries_over(corpus, base) else {}
    vectors = _vectors(corpus, folder, old)
    gone = sorted({*drop, *folder.frame("documents", ["document_id"])["document_id"]})
    versions: dict[str, int] = {}
    for table in tables_of(corpus):
        schema = table_schema(table, corpus, vectors.dimension or 1)
        rows = _rows(folder, table, schema, vectors)
        # A table without rows may have been made when nobody knew how long vectors are: nothing in it is worth keeping.
        if old is None or table not in carried or not old.count(table):
            versions[table] = _replace(database, table, schema, rows)
        else:
            versions[table] = _update(database, table, carried[table], schema, rows, gone)
    return versions


def carries_over(corpus: Corpus, base: Release) -> bool:
    """Whether rows of the base can stay: units and vectors are made in the same way."""
    return base.config_fingerprint.split(".")[:2] == corpus.fingerprint.split(".")[:2]


def same_vectors(corpus: Corpus, base: Release) -> bool:
    """Whether vectors of the base can stay."""
    return base.config_fingerprint.split(".")[1] == corpus.embed_fingerprint


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


def _rows(folder: RunFolder, table: Table, schema: "pa.Schema", vectors: Vectors) -> Iterator["pa.RecordBatch"]:
    for batch in folder.batches(table):
        yield vectors.attach(batch, schema) if "vector" in schema.names else batch.select(schema.names).cast(schema)


def _replace(database: Database, table: Table, schema: "pa.Schema", rows: Iterator["pa.RecordBatch"]) -> int:
    import pyarrow as pa

    head = database.find(table)
    before = int(head.version) if head is not None else 0
    reader = pa.RecordBatchReader.from_batches(schema, rows)
    made = database.create(table, schema, reader, mode="overwrite")
    return _moved(table, made, before)


def _update(
    database: Database,
    table: Table,
    version: int,
    schema: "pa.Schema",
    rows: Iterator["pa.RecordBatch"],
    gone: Sequence[str],
) -> int:
    """The version after restoring `version`, deleting the documents that go or are replaced, and adding new rows."""
    import pyarrow as pa

    opened = database.find(table)
    if opened is None:
        raise StoreUnreachable(f"{database.uri}/{table}", "the last release has this table, and it is gone")
    with database.errors():
        at = int(opened.version)
        if at != version:
            opened.restore(version)
            at = _moved(table, opened, at)
        for start in range(0, len(gone), IDS):
            names = ", ".join(f"'{name}'" for name in gone[start : start + IDS])
            opened.delete(f"document_id IN ({names})")
            at = _moved(table, opened, at)
        first = next(rows, None)
        if first is not None:
            opened.add(pa.RecordBatchReader.from_batches(schema, _chain(first, rows)))
            at = _moved(table, opened, at)
    return at


def _chain(first: "pa.RecordBatch", rest: Iterator["pa.RecordBatch"]) -> Iterator["pa.RecordBatch"]:
    yield first
    yield from rest


def _moved(table: str, opened: Any, before: int) -> int:
    """The table's version, which must be the next after `before`: one more, and another run has written to it."""
    version = int(opened.version)
    if version != before + 1:
        raise StoreConflict(table, f"it is at version {version}, not {before + 1}")
    return version
