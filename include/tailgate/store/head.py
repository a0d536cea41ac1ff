"""The newest version of a table, moved on one commit at a time by one writer."""

from collections.abc import Iterator, Sequence
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from tailgate.errors import StoreConflict, StoreUnreachable
from tailgate.store.lance import Database

if TYPE_CHECKING:
    import pyarrow as pa

IDS = 500
"""Ids in one condition."""
FRAGMENTS = 4
"""Small pieces of a table above which it is written anew in one: each night adds one, and each slows every reader."""
NOTHING_IS_OLD = timedelta(days=36_500)


class Head:
    """Each method is one commit or none; raises StoreConflict where another writer has made one in between.

    Inside `Database.errors`, which turns what LanceDB raises into Tailgate's own errors.
    """

    def __init__(self, database: Database, table: str) -> None:
        opened = database.find(table)
        if opened is None:
            raise StoreUnreachable(f"{database.uri}/{table}", "the last release has this table, and it is gone")
        self._table = table
        self._opened: Any = opened
        self.version = int(opened.version)

    def restore(self, version: int) -> None:
        """The table is what it was at that version."""
        if self.version != version:
            self._opened.restore(version)
            self._moved()

    def delete(self, key: str, values: Sequence[str]) -> None:
        """No row has one of the values, which are ids."""
        for start in range(0, len(values), IDS):
            names = ", ".join(f"'{value}'" for value in values[start : start + IDS])
            self._opened.delete(f"{key} IN ({names})")
            self._moved()

    def set(self, column: str, value: str) -> None:
        """Every row has the value."""
        self._opened.update(values={column: value})
        self._moved()

    def merge(self, key: str, rows: "pa.Table") -> None:
        """Rows with these keys have these values in these columns; their other columns are as they were."""
        self._opened.merge_insert(key).when_matched_update_all().execute(rows)
        self._moved()

    def add(self, schema: "pa.Schema", rows: Iterator["pa.RecordBatch"]) -> None:
        """The rows are in the table, too."""
        import pyarrow as pa

        first = next(rows, None)
        if first is not None:
            batches = (batch.cast(schema) for batch in _chain(first, rows))
            self._opened.add(pa.RecordBatchReader.from_batches(schema, batches))
            self._moved()

    def compact(self) -> None:
        """The table is in few pieces; what older versions hold stays."""
        if self._opened.stats()["fragment_stats"]["num_small_fragments"] > FRAGMENTS:
            self._opened.optimize(cleanup_older_than=NOTHING_IS_OLD)
            self.version = int(self._opened.version)

    def _moved(self) -> None:
        version = int(self._opened.version)
        if version != self.version + 1:
            raise StoreConflict(self._table, f"it is at version {version}, not {self.version + 1}")
        self.version = version


def replaced(database: Database, table: str, rows: "pa.RecordBatchReader") -> int:
    """The version of the table that holds these rows, and nothing of the rows or columns before."""
    head = database.find(table)
    before = int(head.version) if head is not None else 0
    made = database.create(table, rows.schema, rows, mode="overwrite")
    if int(made.version) != before + 1:
        raise StoreConflict(table, f"it is at version {made.version}, not {before + 1}")
    return before + 1


def _chain(first: "pa.RecordBatch", rest: Iterator["pa.RecordBatch"]) -> Iterator["pa.RecordBatch"]:
    yield first
    yield from rest
