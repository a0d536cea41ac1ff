"""The tables of one release, opened at its versions: what is written meanwhile is not seen."""

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, cast

import numpy as np
import numpy.typing as npt

from tailgate.errors import StoreUnreachable
from tailgate.models import Hit
from tailgate.store.lance import Database
from tailgate.store.schema import KEYS, Table

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa

UNIT_TABLES: dict[str, Table] = {"sentence": "sentences", "child": "children"}


class Snapshot:
    """A consistent set of table versions, read only."""

    def __init__(self, database: Database, versions: Mapping[str, int]) -> None:
        self._database = database
        self._opened: dict[Table, Any] = {}
        self.versions = dict(versions)

    def has(self, table: Table) -> bool:
        """Whether the release has this table."""
        return table in self.versions

    def dimension(self, table: Table) -> int:
        """How long the table's vectors are; 0 where it has none."""
        if not self.has(table):
            return 0
        schema = self._open(table).schema
        return int(schema.field("vector").type.list_size) if "vector" in schema.names else 0

    def probe(self) -> None:
        """A row of each table can be read, with every column. Raises StoreUnreachable, with what mends it."""
        for table in self.versions:
            try:
                with self._database.errors():
                    self._open(cast(Table, table)).search().limit(1).to_arrow()
            except StoreUnreachable as error:
                raise StoreUnreachable(
                    f"{self._database.uri}/{table}",
                    error.reason,
                    f"Where files of it are lost, remove {self._database.uri} and build again: "
                    "the documents are in the source, and only vectors take long to make anew.",
                ) from error

    def count(self, table: Table) -> int:
        """How many rows the table has."""
        with self._database.errors():
            return int(self._open(table).count_rows())

    def arrow(self, table: Table, columns: Sequence[str] | None = None, where: str | None = None) -> "pa.Table":
        """These columns (all, where none are named) of the rows for which `where`, an SQL condition, holds."""
        with self._database.errors():
            return self._query(table, columns, where).to_arrow()

    def frame(self, table: Table, columns: Sequence[str] | None = None, where: str | None = None) -> "pd.DataFrame":
        """The same as a data frame."""
        frame: pd.DataFrame = self.arrow(table, columns, where).to_pandas()
        return frame

    def batches(self, table: Table, columns: Sequence[str]) -> Iterator["pa.RecordBatch"]:
        """These columns of all rows, a batch at a time."""
        with self._database.errors():
            yield from self._query(table, columns, None).to_batches(4096)

    def nearest(self, unit: Literal["sentence", "child"], vector: npt.NDArray[np.float32], k: int) -> list[Hit]:
        """The k units nearest to the vector by cosine; the score is the cosine, equal scores go by id.

        Units with equal text have equal scores, however many there are: rows are taken until none beyond them ties.
        """
        table, limit = UNIT_TABLES[unit], k + 16
        total = self.count(table)
        while True:
            rows = self._nearest_rows(table, vector, min(limit, total)) if total else []
            settled = len(rows) <= k or rows[-1]["_distance"] > rows[k - 1]["_distance"]
            if settled or limit >= total:
                return [_hit(unit, KEYS[table], row) for row in rows[:k]]
            limit *= 4

    def _open(self, table: Table) -> Any:
        """The table at the release's version, opened when it is first asked for."""
        if table not in self._opened:
            self._opened[table] = self._database.at(table, self.versions[table])
        return self._opened[table]

    def _nearest_rows(self, table: Table, vector: npt.NDArray[np.float32], limit: int) -> list[dict[str, Any]]:
        key = KEYS[table]
        with self._database.errors():
            query = self._open(table).search(vector, vector_column_name="vector").distance_type("cosine")
            rows = query.select([key, "document_id", "ordinal", "text", "_distance"]).limit(limit).to_list()
        return sorted(rows, key=lambda row: (row["_distance"], row[key]))

    def _query(self, table: Table, columns: Sequence[str] | None, where: str | None) -> Any:
        query = self._open(table).search()
        query = query.where(where) if where else query
        return query.select(list(columns)) if columns else query


def _hit(unit: Literal["sentence", "child"], key: str, row: Mapping[str, Any]) -> Hit:
    return Hit(
        unit=unit,
        unit_id=row[key],
        document_id=row["document_id"],
        ordinal=row["ordinal"],
        text=row["text"],
        score=1.0 - row["_distance"],
    )
