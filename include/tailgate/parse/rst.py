"""reStructuredText by docutils: sections by their depth; what Sphinx adds to the language is read for its text."""

import re
from typing import Any

from tailgate.models import ParsedDocument, SourceFile
from tailgate.parse import text
from tailgate.parse.builder import compose
from tailgate.parse.decode import decode
from tailgate.parse.loss import left_out
from tailgate.parse.rsttree import Reader
from tailgate.parse.rstwords import prepare

MEDIA_TYPE = "text/x-rst"
_MOST_LINE_CHARS = 20_000
_SETTINGS = {
    "_disable_config": True,
    "docinfo_xform": False,
    "doctitle_xform": False,
    "file_insertion_enabled": False,
    "halt_level": 5,
    "input_encoding": "unicode",
    "line_length_limit": _MOST_LINE_CHARS,
    "raw_enabled": False,
    "report_level": 2,
    "sectsubtitle_xform": False,
    "syntax_highlight": "none",
    "warning_stream": False,
}


def parse(data: bytes, file: SourceFile) -> ParsedDocument:
    """The text with its headings, lists, tables and code; comments and directives without text are counted.

    A file with lines that docutils refuses is read as plain text, with a warning. Raises UnreadableDocument.
    """
    content, warnings = decode(data, file)
    if len(max(re.split(r"[\r\n]", content), key=len)) > _MOST_LINE_CHARS:
        plain = text.parse(data, file)
        return ParsedDocument(
            plain.text,
            plain.elements,
            MEDIA_TYPE,
            plain.language,
            warnings=(*plain.warnings, f"lines of more than {_MOST_LINE_CHARS:,} characters: it is read as plain text"),
        )
    reader = Reader()
    blocks = list(reader.blocks(_tree(content), depth=0))
    return compose(blocks, media_type=MEDIA_TYPE, warnings=warnings + left_out(reader.counts))


def _tree(content: str) -> Any:
    from docutils.core import publish_doctree

    prepare(content)
    return publish_doctree(content, settings_overrides=_SETTINGS)
