"""Tables as text: one row a line, cells joined by ` | `, so that a row is a sentence and keeps its columns."""

from collections.abc import Sequence
from typing import Any

from tailgate.models import Kind
from tailgate.parse.builder import Block

_MOST_COLUMNS = 100


def table_block(rows: Sequence[Sequence[str]], header_rows: int, *, page: int | None = None) -> Block:
    """A TABLE block; line breaks in cells become spaces, and rows without text are left out."""
    lines = [_line(row) for row in rows]
    return Block(
        Kind.TABLE,
        "\n".join(line for line in lines if line),
        page=page,
        header_rows=sum(1 for line in lines[:header_rows] if line),
    )


def rows_of(html: str) -> tuple[list[list[str]], int]:
    """The rows of an HTML table, and how many of the first are its header: those in `thead` or of `th`, never all."""
    from lxml import html as lxml_html

    table = lxml_html.fragment_fromstring(html)
    spread_spans(table)
    rows: list[list[str]] = []
    header_rows = 0
    for row in table.iter("tr"):
        cells = _cells(row)
        if header_rows == len(rows) and (row.getparent().tag == "thead" or _are_headers(cells)):
            header_rows += 1
        rows.append([cell.text_content() for cell in cells])
    return rows, header_rows if header_rows < len(rows) else min(1, header_rows)


def _are_headers(cells: Sequence[Any]) -> bool:
    """Whether a row is of `th`; the corner above a column of names may be an empty `td`."""
    headers = sum(1 for cell in cells if cell.tag == "th")
    blanks = sum(1 for cell in cells if cell.tag == "td" and not cell.text_content().strip())
    return headers == len(cells) > 0 or (headers > 1 and headers + blanks == len(cells))


def spread_spans(table: Any) -> None:
    """Every row stands for itself: a cell over several rows is in each, one over several columns in the first."""
    reaching: dict[int, tuple[int, Any]] = {}
    for row in table.iter("tr"):
        column = 0
        for cell in _cells(row):
            column = _fill(row, cell, column, reaching)
            height, width = _span(cell, "rowspan"), _span(cell, "colspan")
            if height > 1:
                reaching[column] = (height - 1, cell)
            for _ in range(width - 1):
                cell.addnext(cell.makeelement(cell.tag, {}))
            column += width
        _fill(row, None, column, reaching)


def _fill(row: Any, before: Any, column: int, reaching: dict[int, tuple[int, Any]]) -> int:
    """Puts copies of the cells that reach down into this row where it has none; the next free column."""
    while column in reaching:
        left, source = reaching.pop(column)
        copy = source.makeelement(source.tag, {})
        copy.text = source.text_content()
        if before is None:
            row.append(copy)
        else:
            before.addprevious(copy)
        if left > 1:
            reaching[column] = (left - 1, source)
        column += 1
    return column


def _cells(row: Any) -> list[Any]:
    return [cell for cell in row if cell.tag in ("th", "td")]


def _span(cell: Any, name: str) -> int:
    value = str(cell.attrib.pop(name, "1"))
    return max(1, min(int(value), _MOST_COLUMNS)) if value.isascii() and value.isdigit() else 1


def _line(row: Sequence[str]) -> str:
    cells = [" ".join(cell.split()) for cell in row]
    return " | ".join(cells).strip() if any(cells) else ""
