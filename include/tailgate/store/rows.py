"""Rows chosen by the value of one column."""

from collections.abc import Collection
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pyarrow as pa


def only(rows: "pa.RecordBatch", column: str, values: Collection[str]) -> "pa.RecordBatch":
    """The rows whose column has one of the values."""
    return rows.filter(_is_in(rows, column, values))


def without(rows: "pa.RecordBatch", column: str, values: Collection[str]) -> "pa.RecordBatch":
    """The other rows."""
    import pyarrow.compute as pc

    return rows.filter(pc.invert(_is_in(rows, column, values))) if values else rows


def _is_in(rows: "pa.RecordBatch", column: str, values: Collection[str]) -> "pa.BooleanArray":
    import pyarrow as pa
    import pyarrow.compute as pc

    return pc.is_in(rows.column(column), value_set=pa.array(sorted(values), pa.string()))
