"""Drafts of sentences: what lies where, before anything is counted. Nothing crosses an element."""

import re
from array import array
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from tailgate.models import Element, Kind, ParsedDocument
from tailgate.segment.lazy import Lazy
from tailgate.segment.splitter import Span, Splitter, spans_between, stripped

_LINE = re.compile(r"[^\r\n]+")
_SPEAKER_END = re.compile(r"\**(?:\s*[\[(][\d:.,]+[\])])?\**\s?[:：]\**(?=\s|$)|\**\s+[\[(]?\d[\d:.,]*[\])]?(?=\s*\n)")
BY_LINE = frozenset({Kind.CODE, Kind.JSON, Kind.LOG})


KINDS = tuple(Kind)
_NUMBERS = {kind: number for number, kind in enumerate(KINDS)}


class Draft(NamedTuple):
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


def _numbers() -> "array[int]":
    return array("I")


@dataclass(frozen=True, slots=True, eq=False)
class Drafts(Lazy[Draft]):
    """Drafts in columns: a fifth of the memory, and what only one column is needed for is quick."""

    elements: "array[int]" = field(default_factory=_numbers)
    kinds: bytearray = field(default_factory=bytearray)
    starts: "array[int]" = field(default_factory=_numbers)
    ends: "array[int]" = field(default_factory=_numbers)
    tokens: "array[int]" = field(default_factory=_numbers)
    raw_tokens: "array[int]" = field(default_factory=_numbers)
    pieces: "array[int]" = field(default_factory=_numbers)
    pseudo: bytearray = field(default_factory=bytearray)

    def __len__(self) -> int:
        return len(self.starts)

    def at(self, position: int) -> Draft:
        return Draft(
            self.elements[position],
            KINDS[self.kinds[position]],
            self.starts[position],
            self.ends[position],
            self.tokens[position],
            self.raw_tokens[position],
            self.pieces[position],
            bool(self.pseudo[position]),
        )

    def add(self, draft: Draft) -> None:
        """The draft stands at the end."""
        self.elements.append(draft.element)
        self.kinds.append(_NUMBERS[draft.kind])
        self.starts.append(draft.start)
        self.ends.append(draft.end)
        self.tokens.append(draft.tokens)
        self.raw_tokens.append(draft.raw_tokens)
        self.pieces.append(draft.piece)
        self.pseudo.append(draft.pseudo)


def drafts_of(parsed: ParsedDocument, splitter: Splitter) -> Iterator[Draft]:
    """Raw sentences of the document in order; every non-blank character of its elements lies in exactly one."""
    for index, element in enumerate(parsed.elements):
        at = element.char_start
        for kind, (start, end) in _of_element(parsed, element, splitter):
            yield Draft(index, kind, at + start, at + end)


def _of_element(parsed: ParsedDocument, element: Element, splitter: Splitter) -> Iterator[tuple[Kind, Span]]:
    """What the element holds, as spans of the element's own text."""
    text = parsed.text[element.char_start : element.char_end]
    match element.kind:
        case Kind.TABLE:
            for row, span in enumerate(_lines(text)):
                yield (Kind.TABLE_HEADER if row < element.header_rows else Kind.TABLE_ROW), span
        case Kind.HEADING:
            yield from ((Kind.HEADING, span) for span in spans_between(text, []))
        case kind if kind in BY_LINE:
            yield from ((kind, span) for span in _lines(text))
        case kind:
            shown = Kind.LIST_ITEM if kind is Kind.LIST_ITEM else Kind.PROSE
            yield from ((shown, span) for span in _flow(text, element.speaker, parsed.language, splitter))


def _lines(text: str) -> list[Span]:
    """The lines that hold anything, without white space at their ends."""
    spans = (stripped(text, *match.span()) for match in _LINE.finditer(text))
    return [span for span in spans if span[0] < span[1]]


def _flow(text: str, speaker: str | None, language: str, splitter: Splitter) -> list[Span]:
    """Sentences of running text; a speaker's name goes with the first sentence and is never one by itself."""
    prefix = _speaker_end(text, speaker)
    spans = [(start + prefix, end + prefix) for start, end in splitter.split(text[prefix:], language)]
    if not spans:
        return spans_between(text, [])
    return [(stripped(text, 0, len(text))[0], spans[0][1]), *spans[1:]]


def _speaker_end(text: str, speaker: str | None) -> int:
    """Where the speaker's name and what stands with it (a time, a colon) end; 0 where no speaker is named."""
    named = text.find(speaker) if speaker else -1
    end = _SPEAKER_END.match(text, named + len(speaker or "")) if named >= 0 else None
    return end.end() if end else 0
