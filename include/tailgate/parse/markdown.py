"""Markdown, read as CommonMark with tables; its HTML then goes the way of every HTML page."""

import re
from collections.abc import Sequence
from functools import lru_cache
from html import escape
from typing import Any

from tailgate.models import Kind, ParsedDocument, SourceFile
from tailgate.parse.builder import Block, compose
from tailgate.parse.decode import decode
from tailgate.parse.fences import with_fences
from tailgate.parse.html import blocks_of
from tailgate.parse.markup import prepared
from tailgate.parse.transcript import with_turns

_FRONT_MATTER = re.compile(r"\A\s*(---|\+\+\+)[ \t]*\r?\n(.*?)\r?\n(?:\1|\.\.\.)[ \t]*(?:\r?\n|\Z)", re.DOTALL)
_KEY = re.compile(r"^\s*[\w-]+\s*[:=]", re.MULTILINE)


def parse(data: bytes, file: SourceFile) -> ParsedDocument:
    """The rendered text with its headings, lists, tables and code; front matter is kept as code before it.

    Raises UnreadableDocument where the bytes are no text.
    """
    text, warnings = decode(data, file)
    front, body = _split(text)
    blocks, skipped = blocks_of(prepared(_renderer().render(with_fences(body))))
    if front:
        blocks.insert(0, Block(Kind.CODE, front))
    return compose(with_turns(blocks), media_type="text/markdown", warnings=warnings + skipped)


def _split(text: str) -> tuple[str, str]:
    """Front matter without its fences, and the rest; a line below it would else make its last line a heading."""
    match = _FRONT_MATTER.match(text)
    if match is None or not _KEY.search(match[2]):
        return "", text
    return match[2], text[match.end() :]


@lru_cache(maxsize=1)
def _renderer() -> Any:
    # unstructured's own reader (Python-Markdown) takes `#channel` for a heading, a list that follows its paragraph
    # at once for prose, and a fenced block in a list for dozens of paragraphs.
    from markdown_it import MarkdownIt

    # Its own limit of 20 would drop what is nested deeper without a word; Python's ends in a RecursionError.
    renderer = MarkdownIt("commonmark", {"maxNesting": 10_000}).enable(["table", "strikethrough"])
    renderer.add_render_rule("html_inline", _inline_html)
    return renderer


def _inline_html(_renderer: Any, tokens: Sequence[Any], index: int, *_: Any) -> str:
    """A tag as it is, and what only looks like one as text: `<your key>` in a sentence is meant to be read."""
    from lxml.html import defs

    content = str(tokens[index].content)
    name = re.match(r"</?([A-Za-z][A-Za-z0-9-]*)", content)
    return escape(content) if name and name[1].lower() not in defs.tags else content
