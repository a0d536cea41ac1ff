"""The tail of a column, and who is in it: percentiles that are real rows, and the worst documents."""

from typing import TYPE_CHECKING, Any

from tailgate.models import Offender

if TYPE_CHECKING:
    import pandas as pd

WORST = 5
"""Documents that a report names for each broken gate."""


def percentile(values: "pd.Series[Any]", per_cent: int) -> float | None:
    """The nearest rank: the smallest value that at least `per_cent` of 100 values are not above; None of no values."""
    import numpy as np

    if not len(values):
        return None
    rank = -(-per_cent * len(values) // 100)
    return float(np.partition(values.to_numpy(), rank - 1)[rank - 1])


def above(rows: "pd.DataFrame", column: str, most: float) -> tuple[Offender, ...]:
    """The documents with the most rows above a bound, each with its worst row and how many there are."""
    over = rows[rows[column] > most].sort_values(column, ascending=False, kind="stable")
    counts = over.groupby("document", sort=False)[column].agg(["size", "max"]).reset_index()
    order = counts.sort_values(["size", "max", "document"], ascending=[False, False, True]).head(WORST)
    first = over.drop_duplicates("document").set_index("document")
    return tuple(
        Offender(document, _among(place_of(first.loc[document]), int(size)), float(largest))
        for document, size, largest in order.itertuples(index=False, name=None)
    )


def worst(rows: "pd.DataFrame", column: str) -> tuple[Offender, ...]:
    """The documents with the largest values, each with its largest row; ties by path."""
    first = rows.sort_values(column, ascending=False, kind="stable").drop_duplicates("document")
    order = first.sort_values([column, "document"], ascending=[False, True]).head(WORST)
    return tuple(Offender(row["document"], place_of(row), float(row[column])) for _, row in order.iterrows())


def heaviest(rows: "pd.DataFrame", weight: str, what: str) -> tuple[Offender, ...]:
    """The documents with the largest sums of a column; `what` says what was summed."""
    sums = rows.groupby("document", sort=False)[weight].sum().reset_index()
    order = sums.sort_values([weight, "document"], ascending=[False, True]).head(WORST)
    return tuple(Offender(document, what, float(total)) for document, total in order.itertuples(index=False, name=None))


def place_of(row: "pd.Series[Any]") -> str:
    """Where in its document a parent (by its headings) or a sentence (by its ordinal) is.

    A frame may know better, for rows of which it does: in the column `place`.
    """
    if isinstance(row.get("place"), str):
        return str(row["place"])
    if "heading_path" not in row.index:
        return f"sentence {row['ordinal']}"
    path = row["heading_path"]
    return " > ".join(str(part) for part in path) if path is not None and len(path) else "(no heading)"


def _among(place: str, count: int) -> str:
    return place if count == 1 else f"{place}, the largest of {count:,} above the bound"
