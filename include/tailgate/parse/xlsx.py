"""XLSX by openpyxl: a page a sheet, its tables by rows, values as a reader of the sheet sees them."""

import re
import zipfile
from collections.abc import Iterator
from datetime import date, datetime
from io import BytesIO
from typing import Any

from tailgate.models import ParsedDocument, SourceFile
from tailgate.parse.builder import Block, compose
from tailgate.parse.loss import left_out
from tailgate.parse.office import check_package
from tailgate.parse.sheets import blocks_of_sheet

MEDIA_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
_FORMULA_ONLY = re.compile(rb"<f\b[^>]*(?:/>|>[^<]*</f>)\s*(?:<v\s*/>|<v></v>)?\s*</c>")
_COMMENT = re.compile(rb"<comment\s")


def parse(data: bytes, file: SourceFile) -> ParsedDocument:
    """A heading and tables a sheet; charts, notes on cells, hidden sheets and formulas without a value are counted.

    Raises EncryptedDocument and UnreadableDocument.
    """
    import openpyxl

    check_package(data, file)
    book = openpyxl.load_workbook(BytesIO(data), read_only=True, data_only=True)
    try:
        shown = [sheet for sheet in book.worksheets if sheet.sheet_state == "visible"]
        hidden = len(book.worksheets) - len(shown)
        blocks = [block for page, sheet in enumerate(shown, start=1) for block in _blocks(sheet, page)]
    finally:
        book.close()
    return compose(
        blocks, media_type=MEDIA_TYPE, pages="sheet", warnings=left_out({"hidden sheets": hidden, **_counts(data)})
    )


def _blocks(sheet: Any, page: int) -> list[Block]:
    # A file may state dimensions far beyond its cells; without them the cells themselves say where a row ends.
    sheet.reset_dimensions()
    return blocks_of_sheet(str(sheet.title), _rows(sheet), page)


def _rows(sheet: Any) -> Iterator[list[str]]:
    for row in sheet.iter_rows():
        yield [_shown(cell) for cell in row]


def _shown(cell: Any) -> str:
    """The value as text: a date without an empty time, a share in per cent, no trailing zeros."""
    value = cell.value
    match value:
        case None:
            return ""
        case str():
            return " ".join(value.split())
        case bool():
            return str(value).upper()
        case float() if "%" in str(cell.number_format):
            return f"{value * 100:.10g}%"
        case int() | float():
            return f"{value:.15g}" if isinstance(value, float) else str(value)
        case datetime():
            return value.isoformat(sep=" ", timespec="seconds").removesuffix(" 00:00:00")
        case date():
            return value.isoformat()
        case _:
            return str(value)


def _counts(data: bytes) -> dict[str, int]:
    """What the workbook holds beside values, read from the parts themselves."""
    with zipfile.ZipFile(BytesIO(data)) as archive:
        names = archive.namelist()
        sheets = [archive.read(name) for name in names if name.startswith("xl/worksheets/sheet")]
        notes = [archive.read(name) for name in names if name.startswith("xl/comments")]
    return {
        "formulas whose value the file does not hold": sum(len(_FORMULA_ONLY.findall(sheet)) for sheet in sheets),
        "notes on cells": sum(len(_COMMENT.findall(part)) for part in notes),
        "charts": sum(1 for name in names if re.match(r"xl/charts/chart\d*\.xml$", name)),
    }
