"""Windows: a function of a sentence's position and of nothing else. The read side uses the same functions."""

from array import array
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from tailgate.config import Window as Radius
from tailgate.models import Sentence, Window
from tailgate.segment.lazy import Lazy
from tailgate.segment.ledger import Ledger

Range = tuple[int, int]


def window_range(position: int, before: int, after: int, first: int, last: int) -> Range:
    """The ordinals of the first and the last sentence of a window, clamped to `first` and `last` (all inclusive)."""
    return max(first, position - before), min(last, position + after)


def join_ranges(text: str, ranges: Sequence[Range]) -> str:
    """The slices of the text, joined by line breaks."""
    return "\n".join(text[start:end] for start, end in ranges)


@dataclass(frozen=True, slots=True)
class Layout:
    """Where each sentence of a document lies: all that decides about windows."""

    starts: Sequence[int]
    ends: Sequence[int]
    parents: Sequence[int]
    """The ordinal of each sentence's parent."""
    header_above: Callable[[int], Range | None]
    """The ordinals of the first and the last header line above a line of a table."""

    def ranges(self, first: int, last: int) -> tuple[Range, ...]:
        """The character ranges of a window: its own, behind that of the table header which its first row would lack."""
        body = self.starts[first], self.ends[last]
        header = self.header_above(first)
        return (body,) if header is None else ((self.starts[header[0]], self.ends[header[1]]), body)


def layout_of(sentences: Sequence[Sentence]) -> Layout:
    """Where the sentences lie."""

    def header_above(position: int) -> Range | None:
        first, last = sentences[position].header, sentences[position].header_end
        return None if first is None or last is None else (first, last)

    return Layout(
        [sentence.char_start for sentence in sentences],
        [sentence.char_end for sentence in sentences],
        [sentence.parent for sentence in sentences],
        header_above,
    )


def ranges_of(sentences: Sequence[Sentence], first: int, last: int) -> tuple[Range, ...]:
    """The character ranges of the window from the first sentence to the last."""
    opening, closing = sentences[first], sentences[last]
    body = (opening.char_start, closing.char_end)
    if opening.header is None or opening.header_end is None:
        return (body,)
    return (sentences[opening.header].char_start, sentences[opening.header_end].char_end), body


def windows_of(layout: Layout, sections: Sequence[Range], radius: Radius, ledger: Ledger) -> Sequence[Window]:
    """The window of each sentence, its tokens counted exactly.

    `sections` has the ordinals of the first and the last sentence of each parent, by the parent's ordinal.
    """
    windows = _Windows(ledger.text, layout, sections, radius, array("I"))
    spans = map(windows.span, range(len(layout.starts)))
    windows.tokens.extend(_tokens(ledger, layout.ranges(first, last)) for first, last in spans)
    return windows


def _tokens(ledger: Ledger, ranges: Sequence[Range]) -> int:
    if len(ranges) == 1:
        return ledger.count(*ranges[0])
    return ledger.tokenizer.count(join_ranges(ledger.text, ranges))


@dataclass(frozen=True, slots=True, eq=False)
class _Windows(Lazy[Window]):
    """Windows overlap: together their texts are several times the document, which is there already."""

    text: str
    layout: Layout
    sections: Sequence[Range]
    radius: Radius
    tokens: "array[int]"

    def __len__(self) -> int:
        return len(self.tokens)

    def at(self, position: int) -> Window:
        first, last = self.span(position)
        return Window(first, last, join_ranges(self.text, self.layout.ranges(first, last)), self.tokens[position])

    def span(self, position: int) -> Range:
        """The ordinals of the first and the last sentence of a window."""
        first, last = 0, len(self.layout.starts) - 1
        if self.radius.within == "section":
            first, last = self.sections[self.layout.parents[position]]
        return window_range(position, self.radius.before, self.radius.after, first, last)
