"""RTF by striprtf: its text and tables; the format's styles are not read, so that it has no headings."""

from collections.abc import Iterator
from itertools import groupby

from tailgate.errors import UnreadableDocument
from tailgate.models import Kind, ParsedDocument, SourceFile
from tailgate.parse.builder import Block, compose
from tailgate.parse.tables import table_block
from tailgate.parse.transcript import with_turns


def parse(data: bytes, file: SourceFile) -> ParsedDocument:
    """A paragraph for each of the document's, its tables by rows. Raises UnreadableDocument where it is no RTF."""
    from striprtf.striprtf import rtf_to_text

    if not data.lstrip().startswith(b"{\\rtf"):
        raise UnreadableDocument(file.uri, "it is no RTF file: it does not begin as one")
    text = rtf_to_text(data.decode("latin-1"), errors="replace")
    warnings = ("its styles are not read, so that none of its lines is taken for a heading",)
    return compose(with_turns(list(_blocks(text))), media_type="application/rtf", warnings=warnings)


def _blocks(text: str) -> Iterator[Block]:
    """striprtf ends each cell with a bar and each row with a line end."""
    for is_row, lines in groupby(text.split("\n"), key=lambda line: line.rstrip().endswith("|")):
        if is_row:
            yield table_block([line.rstrip().removesuffix("|").split("|") for line in lines], 1)
        else:
            yield from (Block(Kind.PROSE, line) for line in lines)
