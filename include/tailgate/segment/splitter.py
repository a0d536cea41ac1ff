"""Where sentences of running text begin and end; a protocol, so that another splitter can take the place."""

import re
from collections.abc import Callable, Iterator
from typing import Any, Protocol

from tailgate.segment import repairs
from tailgate.segment.postings import may_be_posting
from tailgate.segment.repairs import belongs

Span = tuple[int, int]

STRETCH = 8_000
"""Characters that sentencex is shown at once: its time grows with the square of that for some scripts and quotes."""
FARTHEST = 32_000
"""Characters that it is shown where no sentence ends in fewer."""
LONG = 200
"""Characters above which a sentence is searched for others inside its quotation marks and brackets."""

_WIDE_BLANKS = dict.fromkeys(map(ord, "\x85\xa0\u1680\u2028\u2029\u202f\u205f\u3000"), " ") | dict.fromkeys(
    range(0x2000, 0x200B), " "
)
_PAIRED = re.compile(r"[\"“”„‟«»‹›()\[\]`]|(?<!\w)['‘’]|['’](?!\w)")
_STOP_BEFORE_DIGIT = re.compile(r"[。！？｡][」』”’）》]*(?=\d)")
_PLAIN_END = re.compile(r"(?<=[.!?])\s+|(?<=[。！？｡])|\n\s*\n")
_MARKER = re.compile(r"§|[⁃•]?\s?\(?(?:\d{1,3}(?:\.\d{1,3})*|[A-Za-z]|[ivxIVX]{1,4})[.)]{1,2}")
_CLOSING = re.compile(r"(?<=\S)[\"'”’»)\]]+(?=\s)")
_ITEM_NUMBER = re.compile(r"[.!?;:\"”’)\]]\s+([⁃•]?\(?\d{1,2}[.)]{1,2})\s*\Z")
_ONE = re.compile(r"[A-Za-z0-9 ,']*(?:-[A-Za-z0-9 ,']+)*[.!?]?\s*")
"""Words between which nothing stands that ends a sentence in any language."""
_WORD = re.compile(r"\w")
BLANK_LINE = re.compile(r"\n\s*\n")


class Splitter(Protocol):
    """Splits running text into sentences."""

    def split(self, text: str, language: str) -> list[Span]:
        """Stripped spans, in order, that hold every non-blank character of the text once."""


class SentencexSplitter:
    """Sentences by sentencex, a rule-based splitter with abbreviations for many languages, and what it leaves undone.

    A Chinese or Japanese full stop also ends a sentence before a digit, and long quotations are split inside. A list
    marker stays with its item, and what holds neither a letter nor a digit with its neighbour; see also `repairs`.
    """

    def split(self, text: str, language: str) -> list[Span]:
        """Stripped spans, in order, that hold every non-blank character of the text once."""
        if _ONE.fullmatch(text) and not may_be_posting(text):
            return spans_between(text, [])
        shown = text if text.isascii() else text.translate(_WIDE_BLANKS)
        starts = [_moved(text, start) for start in _starts(shown, language)]
        spans = spans_between(text, [*starts, *repairs.missed(shown, language)])
        return _joined(text, spans, language)


def spans_between(text: str, starts: list[int]) -> list[Span]:
    """The stripped, non-empty pieces of a text cut at `starts`, whatever their order; nothing is lost between them."""
    cuts = sorted({0, len(text), *(start for start in starts if 0 < start < len(text))})
    pieces = (stripped(text, start, end) for start, end in zip(cuts, cuts[1:], strict=False))
    return [(start, end) for start, end in pieces if start < end]


def stripped(text: str, start: int, end: int) -> Span:
    """The span without white space at its ends; empty where there is nothing else."""
    piece = text[start:end]
    return start + len(piece) - len(piece.lstrip()), start + len(piece.rstrip())


def in_stretches(
    text: str, boundaries: Callable[[str], list[int]], unsure: int = 0
) -> Iterator[tuple[int, str, list[int]]]:
    """Where each stretch of a text begins, the stretch, and the boundaries in it, in its own code points.

    A stretch begins where the last sentence of the stretch before it does. With `unsure`, boundaries in the last so
    many characters are left to the next stretch, which knows what follows, and nobody looks farther than one stretch.
    """
    position, reach, farthest = 0, STRETCH, STRETCH if unsure else FARTHEST
    while position < len(text):
        stretch = text[position : position + reach]
        is_last = position + reach >= len(text)
        starts = [start for start in boundaries(stretch) if is_last or start <= len(stretch) - unsure]
        if not starts and not is_last:
            # No sentence ends in sight: look farther, but not ever farther. What is passed over begins no sentence.
            position, reach = (position, reach * 2) if reach < farthest else (position + reach // 2, STRETCH)
            continue
        yield position, stretch, starts
        position += len(stretch) if is_last else starts[-1]
        reach = STRETCH


def _starts(text: str, language: str) -> Iterator[int]:
    for position, stretch, starts in in_stretches(text, lambda stretch: _boundaries(stretch, language)):
        yield from (position + start for start in _with_missed(stretch, starts, language))


def _with_missed(text: str, starts: list[int], language: str) -> Iterator[int]:
    yield from starts
    yield from (match.end() for match in _STOP_BEFORE_DIGIT.finditer(text))
    for first, after in zip([0, *starts], [*starts, len(text)], strict=True):
        if after - first > LONG and _PAIRED.search(text, first, after):
            inside = _PAIRED.sub("_", text[first:after])
            yield from (first + start for start in _boundaries(inside, language))


def _boundaries(text: str, language: str) -> list[int]:
    """Where the sentences after the first begin, in code points; by plain rules where sentencex fails."""
    import sentencex

    try:
        found: list[dict[str, Any]] = sentencex.get_sentence_boundaries(language, text)
    except BaseException as error:  # noqa: BLE001 - a panic of the Rust extension is no Exception
        if type(error).__name__ not in {"PanicException", "UnicodeEncodeError"}:
            raise
        return [match.end() for match in _PLAIN_END.finditer(text) if match.end() < len(text)]
    return sorted({start for boundary in found if (start := int(boundary["start_index"])) > 0})


def _moved(text: str, start: int) -> int:
    """Behind quotation marks and brackets that close what is before; before the number of an item of a list."""
    if closing := _CLOSING.match(text, start):
        return closing.end()
    number = _ITEM_NUMBER.search(text, max(0, start - 8), start)
    return number.start(1) if number else repairs.opening(text, start)


def _joined(text: str, spans: list[Span], language: str) -> list[Span]:
    """The spans, those that are no sentence by themselves joined to the one before or after in the same paragraph."""
    joined: list[Span] = []
    was_whole = True
    for span in spans:
        is_whole = _WORD.search(text, *span) is not None and not _MARKER.fullmatch(text, *span)
        alone = not (was_whole and _WORD.search(text, *span))
        if (
            joined
            and _in_one_paragraph(text, joined[-1], span)
            and (alone or belongs(text, joined[-1], span, language))
        ):
            joined[-1] = (joined[-1][0], span[1])
            was_whole = was_whole or is_whole
        else:
            joined.append(span)
            was_whole = is_whole
    return joined


def _in_one_paragraph(text: str, before: Span, after: Span) -> bool:
    return not BLANK_LINE.search(text, before[1], after[0])
