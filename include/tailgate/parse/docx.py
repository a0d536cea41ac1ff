"""DOCX: headings only from paragraph styles that state an outline level, tables by rows."""

from collections.abc import Iterable, Iterator, Mapping

from tailgate.models import Kind, ParsedDocument, SourceFile
from tailgate.parse.builder import Block, compose
from tailgate.parse.loss import left_out, missing
from tailgate.parse.office import check_package
from tailgate.parse.partition import Part, partition_docx
from tailgate.parse.tables import rows_of, table_block
from tailgate.parse.transcript import with_turns
from tailgate.parse.wordml import prepared

MEDIA_TYPE = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
_FURNITURE = ("Header", "Footer")


def parse(data: bytes, file: SourceFile) -> ParsedDocument:
    """The text with its headings, lists and tables; page headers and footers and comments are counted in warnings.

    Raises EncryptedDocument and UnreadableDocument.
    """
    check_package(data, file)
    word = prepared(data)
    parts = partition_docx(word.data)
    tables = [part for part in parts if part.category == "Table"]
    # Where the two readers disagree on what a table is, a count could go to the wrong one.
    headers = word.header_rows if len(word.header_rows) == len(tables) else ()
    blocks = list(_blocks([part for part in parts if part.category not in _FURNITURE], word.levels, headers))
    counts = {
        "page headers and footers": sum(part.category in _FURNITURE for part in parts),
        "comments": word.comments,
        "pictures": word.pictures,
        "letters of unknown parts": missing(word.visible, (block.text for block in blocks)),
    }
    return compose(with_turns(blocks), media_type=MEDIA_TYPE, warnings=left_out(counts))


def _blocks(parts: Iterable[Part], levels: Mapping[str, int], headers: Iterable[int]) -> Iterator[Block]:
    below_title = 0
    stated = iter(headers)
    for part in parts:
        level = levels.get(part.style)
        if part.category == "Table":
            # Where none is marked, the first row is the header: it is one in nearly every table.
            header_rows = max(1, next(stated, 1))
            yield table_block(rows_of(part.table)[0], header_rows) if part.table else Block(Kind.PROSE, part.text)
        elif part.style == "Title":
            below_title = 1
            yield Block(Kind.HEADING, _one_line(part.text), level=1)
        elif level is not None:
            yield Block(Kind.HEADING, _one_line(part.text), level=level + below_title)
        else:
            yield Block(Kind.LIST_ITEM if part.category == "ListItem" else Kind.PROSE, part.text)


def _one_line(text: str) -> str:
    return " ".join(text.split())
