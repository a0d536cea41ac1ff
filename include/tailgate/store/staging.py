"""Unpublished versions: the base's rows, less what goes, plus what the run's shards hold."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from tailgate.config import Corpus
from tailgate.errors import StoreConflict
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
    old = Snapshot(database, base.table_versions) if base else None
    vectors, dimension = _vectors(corpus, folder, old, reuse=base is not None and same_vectors(corpus, base))
    carried = base if base and carries_over(corpus, base) else None
    gone = sorted({*drop, *folder.frame("documents", ["document_id"])["document_id"]})
    versions: dict[str, int] = {}
    for table in tables_of(corpus):
        schema = table_schema(table, corpus, dimension)
        rows = _rows(folder, table, schema, vectors)
        if carried is None:
            versions[table] = _replace(database, table, schema, rows)
        else:
            versions[table] = _update(database, table, carried.table_versions[table], schema, rows, gone)
    return versions


def carries_over(corpus: Corpus, base: Release) -> bool:
    """Whether rows of the base can stay: units and vectors are made in the same way."""
    return base.config_fingerprint.split(".")[:2] == corpus.fingerprint.split(".")[:2]


def same_vectors(corpus: Corpus, base: Release) -> bool:
    """Whether vectors of the base can stay."""
    return base.config_fingerprint.split(".")[1] == corpus.embed_fingerprint


def _vectors(corpus: Corpus, folder: RunFolder, old: Snapshot | None, *, reuse: bool) -> tuple[Vectors, int]:
    """The vector of every text in the shards, this run's or else the base's, and their dimension."""
    wanted = {key for table in EMBEDDED for batch in folder.batches(table, ["text_hash"]) for key in _keys(batch)}
    vectors, dimension = Vectors(wanted), 0
    for batch in folder.vectors():
        dimension = batch.schema.field("vector").type.list_size
        vectors.take([batch])
    for table in EMBEDDED:
        if old and reuse and old.dimension(table):
            dimension = dimension or old.dimension(table)
            vectors.take(old.batches(table, ["text_hash", "vector"]))
    vectors.require(corpus.name)
    return vectors, dimension or 1


def _keys(batch: "pa.RecordBatch") -> Iterator[str]:
    return (key for key in batch.column("text_hash").to_pylist() if key is not None)


def _rows(folder: RunFolder, table: Table, schema: "pa.Schema", vectors: Vectors) -> Iterator["pa.RecordBatch"]:
    for batch in folder.batches(table):
        yield vectors.attach(batch, schema) if "vector" in schema.names else batch.select(schema.names).cast(schema)


def _replace(database: Database, table: Table, schema: "pa.Schema", rows: Iterator["pa.RecordBatch"]) -> int:
    import pyarrow as pa

    before = database.open(table).version if database.exists(table) else 0
    reader = pa.RecordBatchReader.from_batches(schema, rows)
    made = database.create(table, schema, reader, mode="overwrite")
    return _moved(table, made, before, 1)


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

    opened = database.open(table)
    with database.errors():
        if opened.version != version:
            before = opened.version
            opened.restore(version)
            _moved(table, opened, before, 1)
        for start in range(0, len(gone), IDS):
            before = opened.version
            names = ", ".join(f"'{name}'" for name in gone[start : start + IDS])
            opened.delete(f"document_id IN ({names})")
            _moved(table, opened, before, 1)
        first = next(rows, None)
        if first is not None:
            before = opened.version
            opened.add(pa.RecordBatchReader.from_batches(schema, _chain(first, rows)))
            _moved(table, opened, before, 1)
    return int(opened.version)


def _chain(first: "pa.RecordBatch", rest: Iterator["pa.RecordBatch"]) -> Iterator["pa.RecordBatch"]:
    yield first
    yield from rest


def _moved(table: str, opened: Any, before: int, steps: int) -> int:
    """The table's version, which must be `steps` after `before`: one more, and another run has written to it."""
    version = int(opened.version)
    if version != before + steps:
        raise StoreConflict(table, f"it is at version {version}, not {before + steps}")
    return version
