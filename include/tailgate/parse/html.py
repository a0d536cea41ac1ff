"""HTML: headings only from `h1` to `h6`, tables by rows, `pre` as one piece of code."""

import re
from collections.abc import Iterable, Iterator

from tailgate.models import Kind, ParsedDocument, SourceFile
from tailgate.parse.builder import Block, compose
from tailgate.parse.decode import decode
from tailgate.parse.language import stated_language
from tailgate.parse.loss import left_out, missing
from tailgate.parse.markup import Page, prepared
from tailgate.parse.partition import Part, partition_html
from tailgate.parse.pasted import kind_of_code, with_code
from tailgate.parse.tables import rows_of, table_block
from tailgate.parse.transcript import with_turns

_CHARSET = re.compile(rb"<meta[^>]{0,200}?charset\s*=\s*[\"']?\s*([A-Za-z0-9_:.-]+)", re.IGNORECASE)


def parse(data: bytes, file: SourceFile) -> ParsedDocument:
    """The visible text of the page, or of its `main`; what is left out of it is counted in a warning.

    Raises UnreadableDocument where the bytes are no text.
    """
    charset = _CHARSET.search(data[:4096])
    text, warnings = decode(data, file, stated=charset[1].decode("ascii") if charset else "")
    page = prepared(text)
    blocks, skipped = blocks_of(page)
    return compose(
        with_turns(blocks),
        media_type="text/html",
        language=stated_language(page.language),
        warnings=warnings + skipped,
    )


def blocks_of(page: Page) -> tuple[list[Block], tuple[str, ...]]:
    """The blocks of a prepared page, and warnings that count the characters and the pictures that are in none."""
    blocks = with_code(list(_blocks(partition_html(page.html)))) if page.html else []
    lost = missing(page.visible, (block.text for block in blocks))
    return blocks, left_out({
        "letters of navigation, forms and other parts around the text": lost,
        "pictures without alternative text": page.pictures,
    })


def _blocks(parts: Iterable[Part]) -> Iterator[Block]:
    for part in parts:
        if part.category == "Title" and part.depth is not None:
            yield Block(Kind.HEADING, part.text, level=part.depth + 1)
        elif part.category == "Table" and part.table:
            rows, header_rows = rows_of(part.table)
            yield table_block(rows, header_rows)
        elif part.category == "CodeSnippet":
            yield Block(kind_of_code(part.text), part.text)
        else:
            yield Block(Kind.LIST_ITEM if part.category == "ListItem" else Kind.PROSE, part.text)
