"""The rows that an expansion needs, each table read once for all hits together."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from tailgate import ids
from tailgate.models import Hit, Kind
from tailgate.store import Snapshot, Table

Row = dict[str, Any]
Range = tuple[int, int]
Rows = Mapping[tuple[str, int], Row]
"""Sentences by document and ordinal."""

SENTENCE = ("document_id", "ordinal", "char_start", "char_end", "parent_id", "header", "header_end")
PARENT = ("parent_id", "origin", "heading_path", "char_start", "char_end", "first_sentence", "last_sentence", "text")


def documents(snapshot: Snapshot, hits: Sequence[Hit], *, with_text: bool) -> dict[str, Row]:
    """The hits' documents by id; whole texts only where windows are cut from them."""
    columns = ("document_id", "path", "n_sentences") + (("text",) if with_text else ())
    return _by(snapshot, "documents", columns, "document_id", {hit.document_id for hit in hits})


def sentences(snapshot: Snapshot, wanted: Mapping[Hit, Range]) -> Rows:
    """The sentences of all the ranges (first, last), and every table header of their documents.

    Only a row tells where its header is: reading all headers with the rows saves a second read.
    """
    if not wanted:
        return {}
    names = {ids.sentence_id(hit.document_id, i) for hit, (lo, hi) in wanted.items() for i in range(lo, hi + 1)}
    owners = _quoted({hit.document_id for hit in wanted})
    where = f"sentence_id IN ({_quoted(names)}) OR (document_id IN ({owners}) AND kind = '{Kind.TABLE_HEADER.value}')"
    rows = snapshot.arrow("sentences", list(SENTENCE), where).to_pylist()
    return {(row["document_id"], row["ordinal"]): row for row in rows}


def header_above(rows: Rows, document_id: str, first: int) -> Range | None:
    """Where the table header lies that the sentence `first`, a row of its table, has above it."""
    row = rows.get((document_id, first), {})
    opening, closing = (rows.get((document_id, row.get(name, -1))) for name in ("header", "header_end"))
    return (opening["char_start"], closing["char_end"]) if opening and closing else None


def heading_paths(snapshot: Snapshot, parents: set[str]) -> dict[str, tuple[str, ...]]:
    """The headings above each of these parents, outermost first; nothing where no parents are built."""
    if not snapshot.has("parents"):
        return {}
    rows = _by(snapshot, "parents", ("parent_id", "heading_path"), "parent_id", parents)
    return {name: tuple(row["heading_path"]) for name, row in rows.items()}


def parents_of(snapshot: Snapshot, hits: Sequence[Hit]) -> dict[str, Row]:
    """The parent that encloses each hit, by the hit's unit; a hit whose parent is not stored is not there."""
    columns = ("child_id", "parent_id")
    children = _by(snapshot, "children", columns, "child_id", {hit.unit_id for hit in hits})
    parents = _by(snapshot, "parents", PARENT, "parent_id", {row["parent_id"] for row in children.values()})
    return {name: parents[row["parent_id"]] for name, row in children.items() if row["parent_id"] in parents}


def _by(snapshot: Snapshot, table: Table, columns: Sequence[str], key: str, names: set[str]) -> dict[str, Row]:
    if not names:
        return {}
    rows = snapshot.arrow(table, list(columns), f"{key} IN ({_quoted(names)})").to_pylist()
    return {row[key]: row for row in rows}


def _quoted(names: Iterable[str]) -> str:
    return ", ".join("'" + name.replace("'", "''") + "'" for name in sorted(names))
