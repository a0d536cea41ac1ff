"""Makes the canonical text out of blocks, so that every element is a verbatim slice of it by construction."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from tailgate.models import Element, Kind, OutlineEntry, ParsedDocument
from tailgate.parse.language import language_of

_BY_LINE = frozenset({Kind.LIST_ITEM, Kind.TURN})
_UNSTORABLE = re.compile("[\x00\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class Block:
    """An element before it has a place: the text of a heading, a paragraph, a table …"""

    kind: Kind
    text: str
    level: int | None = None
    page: int | None = None
    header_rows: int = 0
    speaker: str | None = None
    start_s: float | None = None
    end_s: float | None = None


def compose(
    blocks: Iterable[Block],
    *,
    media_type: str,
    language: str = "",
    pages: Literal["page", "slide", "sheet"] | None = None,
    outline: Sequence[OutlineEntry] = (),
    warnings: Sequence[str] = (),
) -> ParsedDocument:
    """The document whose text is the blocks' texts in order, a blank line between them.

    Between list items, and between turns, it is a line end.
    `language` is what the document says of itself; without it the script decides. Blank blocks are left out.
    """
    parts: list[str] = []
    elements: list[Element] = []
    position = 0
    for block in blocks:
        text = _UNSTORABLE.sub("\ufffd", _trimmed(block))
        if not text:
            continue
        gap = _gap(elements, block)
        start = position + len(gap)
        position = start + len(text)
        parts += (gap, text)
        elements.append(_element(block, start, position))
    text = "".join(parts)
    return ParsedDocument(
        text=text,
        elements=tuple(elements),
        media_type=media_type,
        language=language or language_of(text),
        pages=pages,
        outline=tuple(outline),
        warnings=tuple(warnings),
    )


def _trimmed(block: Block) -> str:
    """Without blank ends; the first line of code keeps its indentation."""
    if block.kind is Kind.CODE:
        return re.sub(r"\A(?:[^\S\n]*\n)+", "", block.text).rstrip() if block.text.strip() else ""
    return block.text.strip()


def _gap(before: Sequence[Element], block: Block) -> str:
    if not before:
        return ""
    return "\n" if block.kind is before[-1].kind and block.kind in _BY_LINE else "\n\n"


def _element(block: Block, start: int, end: int) -> Element:
    return Element(
        kind=block.kind,
        char_start=start,
        char_end=end,
        level=block.level,
        page=block.page,
        header_rows=block.header_rows,
        speaker=block.speaker,
        start_s=block.start_s,
        end_s=block.end_s,
    )
