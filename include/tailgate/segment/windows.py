"""Windows: a function of a sentence's position and of nothing else. The read side uses the same functions."""

from collections.abc import Sequence

from tailgate.config import Window as Radius
from tailgate.models import Kind, Parent, Sentence, Window
from tailgate.segment.tokens import Tokenizer

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
    if opening.kind is not Kind.TABLE_ROW or header is None or header_end is None or header >= first:
        return (body,)
    return (sentences[header].char_start, sentences[header_end].char_end), body


def windows_of(
    text: str, sentences: Sequence[Sentence], parents: Sequence[Parent], radius: Radius, tokenizer: Tokenizer
) -> tuple[Window, ...]:
    """The window of each sentence, its tokens counted exactly."""
    spans = [_span(sentence, len(sentences), parents, radius) for sentence in sentences]
    texts = [join_ranges(text, ranges_of(sentences, first, last)) for first, last in spans]
    counts = tokenizer.counts(texts)
    return tuple(
        Window(first, last, shown, tokens) for (first, last), shown, tokens in zip(spans, texts, counts, strict=True)
    )


def _span(sentence: Sentence, total: int, parents: Sequence[Parent], radius: Radius) -> Range:
    first, last = 0, total - 1
    if radius.within == "section":
        parent = parents[sentence.parent]
        first, last = parent.first_sentence, parent.last_sentence
    return window_range(sentence.ordinal, radius.before, radius.after, first, last)
