"""Drafts of sentences: what lies where, before anything is counted. Nothing crosses an element."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from tailgate.models import Element, Kind, ParsedDocument
from tailgate.segment.splitter import Span, Splitter, stripped

LINE = re.compile(r"[^\r\n]*[^\s][^\r\n]*")
BY_LINE = {Kind.CODE, Kind.JSON, Kind.LOG}


@dataclass(frozen=True, slots=True)
class Draft:
    """A raw sentence, or a piece of one that the hard cap made."""

    element: int
    """Index of the element that it lies in."""
    kind: Kind
    start: int
    end: int
    tokens: int = 0
    raw_tokens: int = 0
    piece: int = 0
    pseudo: bool = False


def drafts_of(parsed: ParsedDocument, splitter: Splitter) -> list[Draft]:
    """Raw sentences of the document in order; every non-blank character of its elements lies in exactly one."""
    return [
        Draft(index, kind, start, end)
        for index, element in enumerate(parsed.elements)
        for kind, (start, end) in _of_element(parsed, element, splitter)
    ]


def _of_element(parsed: ParsedDocument, element: Element, splitter: Splitter) -> Iterator[tuple[Kind, Span]]:
    text = parsed.text[element.char_start : element.char_end]
    match element.kind:
        case Kind.TABLE:
            for row, span in enumerate(_lines(text, element.char_start)):
                yield (Kind.TABLE_HEADER if row < element.header_rows else Kind.TABLE_ROW), span
        case Kind.HEADING:
            yield Kind.HEADING, stripped(parsed.text, element.char_start, element.char_end)
        case kind if kind in BY_LINE:
            yield from ((kind, span) for span in _lines(text, element.char_start))
        case kind:
            shown = Kind.LIST_ITEM if kind is Kind.LIST_ITEM else Kind.PROSE
            yield from ((shown, span) for span in _flow(text, element, parsed.language, splitter))


def _lines(text: str, offset: int) -> list[Span]:
    """The lines that hold anything, without white space at their ends, as spans of the document."""
    spans = (stripped(text, *match.span()) for match in LINE.finditer(text))
    return [(start + offset, end + offset) for start, end in spans]


def _flow(text: str, element: Element, language: str, splitter: Splitter) -> list[Span]:
    """Sentences of running text; a speaker's name goes with the first sentence and is never one by itself."""
    prefix = text.find(":") + 1 if element.speaker else 0
    spans = [(start + prefix, end + prefix) for start, end in splitter.split(text[prefix:], language)]
    if prefix:
        first = stripped(text, 0, prefix)[0]
        spans = [(first, spans[0][1]), *spans[1:]] if spans else [stripped(text, 0, prefix)]
    return [(start + element.char_start, end + element.char_start) for start, end in spans if start < end]
