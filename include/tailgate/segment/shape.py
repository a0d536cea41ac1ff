"""What kind of writing a document is, from counts that a person can check."""

from collections import Counter
from collections.abc import Sequence

from tailgate.models import UNSEGMENTABLE, Kind, Origin, Parent, ParsedDocument, Sentence, Shape

DUMP_SHARE = 0.5
"""Of the characters in code, JSON, log lines and sentences that the cap had to cut."""
TURN_SHARE = 0.5
"""Of the elements that are turns of a speaker."""
TABLE_SHARE = 0.5
"""Of the characters in table lines."""
WIKI_UNEVENNESS = 8.0
"""How much larger the largest authored parent is than the median one, in a document with some length to it."""
WIKI_TOKENS = 1500
"""The size from which an authored parent is no unit that anybody reads whole."""


def shape_of(parsed: ParsedDocument, sentences: Sequence[Sentence], parents: Sequence[Parent]) -> Shape:
    """The first of dump, transcript, table, wiki, reference that fits, or else prose."""
    chars = Counter[str]()
    for sentence in sentences:
        chars["dump" if sentence.pseudo or sentence.kind in UNSEGMENTABLE else sentence.kind] += len(sentence.text)
    total = max(1, chars.total())
    turns = sum(element.kind is Kind.TURN for element in parsed.elements)
    if chars["dump"] > DUMP_SHARE * total:
        return Shape.DUMP
    if turns > TURN_SHARE * len(parsed.elements):
        return Shape.TRANSCRIPT
    if chars[Kind.TABLE_ROW] + chars[Kind.TABLE_HEADER] > TABLE_SHARE * total:
        return Shape.TABLE
    return _of_sections([parent.raw_tokens for parent in parents if parent.origin is not Origin.SYNTHETIC])


def _of_sections(sizes: list[int]) -> Shape:
    if not sizes:
        return Shape.PROSE
    largest, median = max(sizes), sorted(sizes)[len(sizes) // 2]
    uneven = largest > WIKI_UNEVENNESS * median and largest > WIKI_TOKENS / 2
    return Shape.WIKI if largest > WIKI_TOKENS or uneven else Shape.REFERENCE
