"""Where sentences of running text begin and end; a protocol, so that another splitter can take the place."""

from typing import Protocol

Span = tuple[int, int]


class Splitter(Protocol):
    """Splits running text into sentences."""

    def split(self, text: str, language: str) -> list[Span]:
        """Stripped spans, in order, that hold every non-blank character of the text once."""


class SentencexSplitter:
    """Sentences by sentencex, a rule-based splitter with abbreviations for many languages."""

    def split(self, text: str, language: str) -> list[Span]:
        """Stripped spans, in order, that hold every non-blank character of the text once."""
        import sentencex

        starts = [int(boundary["start_index"]) for boundary in sentencex.get_sentence_boundaries(language, text)]
        return spans_between(text, starts)


def spans_between(text: str, starts: list[int]) -> list[Span]:
    """The stripped, non-empty pieces of a text cut at `starts`, whatever their order; nothing is lost between them."""
    cuts = sorted({0, len(text), *(start for start in starts if 0 < start < len(text))})
    pieces = (stripped(text, start, end) for start, end in zip(cuts, cuts[1:], strict=False))
    return [(start, end) for start, end in pieces if start < end]


def stripped(text: str, start: int, end: int) -> Span:
    """The span without white space at its ends; empty where there is nothing else."""
    piece = text[start:end]
    return start + len(piece) - len(piece.lstrip()), start + len(piece.rstrip())
