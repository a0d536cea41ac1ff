"""Faults of keys and positions, found over whole columns: a series names each row's fault, or holds None."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas as pd


def orphans(rows: "pd.DataFrame", column: str, known: "pd.Series[Any]") -> "pd.Series[Any]":
    """Rows whose `column` names something that is not there."""
    names = rows[column].astype(object)
    return _said(~rows[column].isin(known), [f"{column} {name} does not exist" for name in names], rows)


def outside_parent(rows: "pd.DataFrame", parents: "pd.DataFrame") -> "pd.Series[Any]":
    """Rows that reach out of the parent that they name; one that does not exist is not counted here."""
    held = parents.drop_duplicates("parent_id").set_index("parent_id")
    names = rows["parent_id"]
    begin, end = (names.map(held[column]).astype(float) for column in ("char_start", "char_end"))
    document = names.map(held["document_id"])
    out = (rows["char_start"] < begin) | (rows["char_end"] > end) | (rows["document_id"] != document)
    return _said(out & names.isin(held.index), [f"it lies outside of its parent {name}" for name in names], rows)


def outside_radius(rows: "pd.DataFrame", before: int, after: int) -> "pd.Series[Any]":
    """Sentences whose window does not hold them, or reaches further than the radius."""
    ordinal, first, last = rows["ordinal"], rows["window_first"], rows["window_last"]
    back, ahead = ordinal - first, last - ordinal
    right = back.between(0, before) & ahead.between(0, after)
    said = [f"its window is {begin} to {end}" for begin, end in zip(first, last, strict=True)]
    return _said(~right, said, rows)


def _said(broken: "pd.Series[Any]", messages: list[str], rows: "pd.DataFrame") -> "pd.Series[Any]":
    import pandas as pd

    broken = broken.fillna(True).astype(bool)
    faults = [message if wrong else None for message, wrong in zip(messages, broken, strict=True)]
    return pd.Series(faults, index=rows.index, dtype=object)
