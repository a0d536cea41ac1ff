"""Windows: a function of a sentence's position and of nothing else. The read side uses the same functions."""

from array import array
from collections.abc import Sequence
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


def ranges_of(sentences: Sequence[Sentence], first: int, last: int) -> tuple[Range, ...]:
    """The character ranges of a window: its own, behind that of the table header which its first row would lack."""
    opening, closing = sentences[first], sentences[last]
    body = (opening.char_start, closing.char_end)
    header, header_end = opening.header, opening.header_end
    if header is None or header_end is None:
        return (body,)
    return (sentences[header].char_start, sentences[header_end].char_end), body


def windows_of(
    sentences: Sequence[Sentence], sections: Sequence[Range], radius: Radius, ledger: Ledger
) -> Sequence[Window]:
    """The window of each sentence, its tokens counted exactly.

    `sections` has the ordinals of the first and the last sentence of each parent, by the parent's ordinal.
    """
    windows = _Windows(ledger.text, sentences, sections, radius, array("Q"))
    windows.tokens.extend(_tokens(ledger, ranges_of(sentences, *windows.span(sentence))) for sentence in sentences)
    return windows


def _tokens(ledger: Ledger, ranges: Sequence[Range]) -> int:
    if len(ranges) == 1:
        return ledger.count(*ranges[0])
    return ledger.tokenizer.count(join_ranges(ledger.text, ranges))


@dataclass(frozen=True, slots=True, eq=False)
class _Windows(Lazy[Window]):
    """Windows overlap: together their texts are several times the document, which is there already."""

    text: str
    sentences: Sequence[Sentence]
    sections: Sequence[Range]
    radius: Radius
    tokens: "array[int]"

    def __len__(self) -> int:
        return len(self.sentences)

    def at(self, position: int) -> Window:
        first, last = self.span(self.sentences[position])
        shown = join_ranges(self.text, ranges_of(self.sentences, first, last))
        return Window(first, last, shown, self.tokens[position])

    def span(self, sentence: Sentence) -> Range:
        """The ordinals of the first and the last sentence of its window."""
        first, last = 0, len(self.sentences) - 1
        if self.radius.within == "section":
            first, last = self.sections[sentence.parent]
        return window_range(sentence.ordinal, self.radius.before, self.radius.after, first, last)
