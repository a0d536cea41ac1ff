"""The rows of a sheet as blocks: its name as a heading, captions and notes as prose, tables with their header."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from tailgate.models import Kind
from tailgate.parse.builder import Block
from tailgate.parse.tables import table_block

_NOTE_CHARS = 80
"""Above which a lone cell is a note rather than the value of a column."""
_LEAST_LONE = 3
"""Rows of a table that has one column only; fewer are captions."""
_MOST_HEADER_ROWS = 3

Row = Sequence[str]


@dataclass(slots=True)
class _Table:
    """Rows that belong together."""

    rows: list[Row]
    header_rows: int = 1


def blocks_of_sheet(name: str, rows: Iterable[Row], page: int) -> list[Block]:
    """The sheet's name and what is on it; nothing for a sheet without values.

    Blank rows part tables, unless what follows has no header of its own and goes on with the columns before.
    """
    tables: list[_Table] = []
    for is_blank, run in groupby(rows, key=lambda row: not any(row)):
        if not is_blank:
            _add(tables, list(run))
    blocks = [block for table in tables for block in _blocks(table, page)]
    return [Block(Kind.HEADING, name, level=1, page=page), *blocks] if blocks else []


def _add(tables: list[_Table], rows: list[Row]) -> None:
    """The rows are a table of their own now, or lines of the table before them."""
    before = tables[-1] if tables else _Table([])
    goes_on = _filled(rows[0]) > 1 and _columns(rows) <= _columns(before.rows)
    if goes_on and _has_number(rows[0]) and not _has_numbers(before.rows) and len(before.rows) <= _MOST_HEADER_ROWS:
        before.header_rows = len(before.rows)
        before.rows += rows
    elif goes_on and len(before.rows) > 1 and (_has_number(rows[0]) or not _has_numbers(before.rows[1:])):
        before.rows += rows
    else:
        tables.append(_Table(rows))


def _blocks(table: _Table, page: int) -> Iterator[Block]:
    """Rows of one cell above the first with more are captions; a lone column of short values is a table too."""
    rows = table.rows
    first = next((i for i, row in enumerate(rows) if _filled(row) > 1), len(rows))
    if first == len(rows) >= _LEAST_LONE and all(len(max(row, key=len)) <= _NOTE_CHARS for row in rows):
        first = 0
    for row in rows[:first]:
        yield Block(Kind.PROSE, "\n".join(cell for cell in row if cell), page=page)
    if first < len(rows):
        columns = _columns(rows[first:])
        cells = [row[min(columns) : max(columns) + 1] for row in rows[first:]]
        yield table_block(cells, max(1, table.header_rows - first), page=page)


def _filled(row: Row) -> int:
    return sum(1 for cell in row if cell)


def _columns(rows: Iterable[Row]) -> set[int]:
    return {i for row in rows for i, cell in enumerate(row) if cell}


def _has_number(row: Row) -> bool:
    return any(cell[0].isdigit() or (cell[0] in "-+" and cell[1:2].isdigit()) for cell in row if cell)


def _has_numbers(rows: Iterable[Row]) -> bool:
    return any(map(_has_number, rows))
