"""OpenDocument text (ODT) and spreadsheets (ODS): headings by their outline level, lists, tables, notes, sheets."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from tailgate.errors import EncryptedDocument, UnreadableDocument
from tailgate.models import Kind, ParsedDocument, SourceFile
from tailgate.parse.archive import opened, tree_of
from tailgate.parse.builder import Block, compose
from tailgate.parse.loss import left_out
from tailgate.parse.odftext import NS, Text, flat
from tailgate.parse.sheets import blocks_of_sheet
from tailgate.parse.tables import table_block
from tailgate.parse.transcript import with_turns

_TEXT_TYPE = "application/vnd.oasis.opendocument.text"
_SHEET_TYPE = "application/vnd.oasis.opendocument.spreadsheet"
_MOST_REPEATED = 1_000
_SKIPPED = (f"{NS['text']}tracked-changes", f"{NS['text']}sequence-decls", f"{NS['office']}forms")


@dataclass(slots=True)
class _Reader:
    """What walking through a document has to know and counts."""

    titles: frozenset[str]
    """Styles of the document's title."""
    numbered: frozenset[str]
    """Styles of numbered lists."""
    has_title: bool = False
    counts: dict[str, int] = field(default_factory=dict)


def parse(data: bytes, file: SourceFile) -> ParsedDocument:
    """The text of the document; comments and generated tables of contents are counted in a warning.

    Raises EncryptedDocument and UnreadableDocument.
    """
    with opened(data, file) as archive:
        names = archive.namelist()
        if "META-INF/manifest.xml" in names and b"encryption-data" in archive.read("META-INF/manifest.xml"):
            raise EncryptedDocument(file.uri, "it can only be opened with a password; store a copy without one")
        if "content.xml" not in names:
            raise UnreadableDocument(file.uri, "it is no OpenDocument file: it has no content.xml")
        roots = [tree_of(archive.read(name)) for name in ("content.xml", "styles.xml") if name in names]
    body = roots[0].find(f"{NS['office']}body")
    sheets = body.find(f"{NS['office']}spreadsheet") if body is not None else None
    if sheets is not None:
        tables = enumerate(sheets.iter(f"{NS['table']}table"), start=1)
        blocks = [block for page, table in tables for block in _sheet(table, page)]
        return compose(blocks, media_type=_SHEET_TYPE, pages="sheet")
    text = body.find(f"{NS['office']}text") if body is not None else None
    if text is None:
        raise UnreadableDocument(file.uri, "it is neither a text nor a spreadsheet of the OpenDocument format")
    reader = _Reader(_title_styles(roots), _numbered_styles(roots))
    found = list(_walk(text, reader))
    reader.counts["pictures"] = len(list(text.iter(f"{NS['draw']}image")))
    return compose(with_turns(found), media_type=_TEXT_TYPE, warnings=left_out(reader.counts))


def _title_styles(roots: list[Any]) -> frozenset[str]:
    style, name, parent = f"{NS['style']}style", f"{NS['style']}name", f"{NS['style']}parent-style-name"
    based = {node.get(name) for root in roots for node in root.iter(style) if node.get(parent) == "Title"}
    return frozenset({"Title", *(known for known in based if known)})


def _numbered_styles(roots: list[Any]) -> frozenset[str]:
    """List styles whose first level counts."""
    number = f"{NS['text']}list-level-style-number"
    return frozenset(
        node.get(f"{NS['style']}name") or ""
        for root in roots
        for node in root.iter(f"{NS['text']}list-style")
        if len(node) and node[0].tag == number and node[0].get(f"{NS['style']}num-format")
    )


def _walk(node: Any, reader: _Reader) -> Iterator[Block]:
    for child in node:
        tag = child.tag if isinstance(child.tag, str) else ""
        if tag in (f"{NS['text']}p", f"{NS['text']}h"):
            yield from _paragraph(child, reader)
        elif tag == f"{NS['text']}list":
            yield from _list(child, reader, child.get(f"{NS['text']}style-name") in reader.numbered)
        elif tag == f"{NS['table']}table":
            yield _table(child, reader)
        elif tag == f"{NS['text']}table-of-content":
            reader.counts["tables of contents"] = reader.counts.get("tables of contents", 0) + 1
        elif tag and tag not in _SKIPPED:
            yield from _walk(child, reader)


def _paragraph(node: Any, reader: _Reader, kind: Kind = Kind.PROSE, prefix: str = "") -> Iterator[Block]:
    """The paragraph, and after it what is anchored in it: text boxes, notes."""
    text = _flat(node, reader)
    said = prefix + text.said if text.said.strip() else ""
    level = node.get(f"{NS['text']}outline-level")
    if node.tag == f"{NS['text']}h":
        depth = int(level) if level and level.isdigit() else 1
        yield Block(Kind.HEADING, " ".join(said.split()), level=depth + reader.has_title)
    elif node.get(f"{NS['text']}style-name") in reader.titles and not reader.has_title and said:
        reader.has_title = True
        yield Block(Kind.HEADING, " ".join(said.split()), level=1)
    else:
        yield Block(kind, said)
    for anchored in text.anchored:
        yield from _walk(anchored, reader)


def _list(node: Any, reader: _Reader, is_numbered: bool) -> Iterator[Block]:
    """Each item's first paragraph is the item; others and lists inside follow it."""
    number = 0
    for item in node:
        first = True
        number += item.tag == f"{NS['text']}list-item" and item.find(f"{NS['text']}p") is not None
        for child in item:
            if child.tag == f"{NS['text']}list":
                yield from _list(child, reader, is_numbered)
            elif child.tag in (f"{NS['text']}p", f"{NS['text']}h"):
                prefix = f"{number}. " if is_numbered and first and child.tag == f"{NS['text']}p" else ""
                yield from _paragraph(child, reader, Kind.LIST_ITEM if first else Kind.PROSE, prefix)
                first = False
            else:
                yield from _walk(child, reader)


def _table(node: Any, reader: _Reader) -> Block:
    """Its stated header rows, or its first row where it states none."""
    headers = node.find(f"{NS['table']}table-header-rows")
    stated = len(list(headers.iter(f"{NS['table']}table-row"))) if headers is not None else 1
    return table_block(list(_rows(node, reader)), stated)


def _sheet(node: Any, page: int) -> list[Block]:
    reader = _Reader(frozenset(), frozenset())
    return blocks_of_sheet(node.get(f"{NS['table']}name") or "", list(_rows(node, reader)), page)


def _rows(table: Any, reader: _Reader) -> Iterator[list[str]]:
    for row in table.iter(f"{NS['table']}table-row"):
        if next(row.iterancestors(f"{NS['table']}table")) is table:
            cells = list(_cells(row, reader))
            for _ in range(_repeated(row, "number-rows-repeated") if any(cells) else 1):
                yield cells


def _cells(row: Any, reader: _Reader) -> Iterator[str]:
    """The texts of a row's cells, without the empty ones that end it."""
    cells = []
    for cell in row.iterchildren(f"{NS['table']}table-cell", f"{NS['table']}covered-table-cell"):
        said = " ".join(_cell(cell, reader).split())
        cells += [said] * _repeated(cell, "number-columns-repeated")
    while cells and not cells[-1]:
        cells.pop()
    yield from cells


def _cell(cell: Any, reader: _Reader) -> str:
    return " ".join(block.text for block in _walk(cell, _Reader(frozenset(), reader.numbered, counts=reader.counts)))


def _repeated(node: Any, name: str) -> int:
    value = node.get(f"{NS['table']}{name}") or "1"
    return max(1, min(int(value), _MOST_REPEATED)) if value.isascii() and value.isdigit() else 1


def _flat(node: Any, reader: _Reader) -> Text:
    text = flat(node)
    if text.comments:
        reader.counts["comments"] = reader.counts.get("comments", 0) + text.comments
    return text
