"""What kind of writing a document is, from counts that a person can check."""

from collections import Counter
from collections.abc import Sequence

from tailgate.models import UNSEGMENTABLE, Kind, Origin, Parent, ParsedDocument, Shape
from tailgate.segment.drafts import Drafts

DUMP_SHARE = 0.5
"""Of the characters in code, JSON, log lines and sentences that the cap had to cut."""
TURN_SHARE = 0.5
"""Of the characters in turns of a speaker."""
TABLE_SHARE = 0.5
"""Of the characters in table lines."""
LONG_SECTION_TOKENS = 1500
"""The size from which a section is no unit that anybody reads whole."""
LONG_SECTION_SHARE = 1 / 3
"""Of the tokens that lie in sections of that size: from here on a hit is likely to bring one of them."""


def shape_of(parsed: ParsedDocument, drafts: Drafts, parents: Sequence[Parent]) -> Shape:
    """The first of dump, transcript, table, wiki, reference that fits, or else prose.

    A wiki page has sections that its author made, and much of it lies in very long ones; in a reference little does.
    """
    chars = Counter[str]()
    for draft in drafts:
        chars["dump" if draft.pseudo or draft.kind in UNSEGMENTABLE else draft.kind] += draft.end - draft.start
    total = max(1, chars.total())
    turns = sum(element.char_end - element.char_start for element in parsed.elements if element.kind is Kind.TURN)
    if chars["dump"] > DUMP_SHARE * total:
        return Shape.DUMP
    if turns > TURN_SHARE * total:
        return Shape.TRANSCRIPT
    if chars[Kind.TABLE_ROW] + chars[Kind.TABLE_HEADER] > TABLE_SHARE * total:
        return Shape.TABLE
    return _of_sections([parent.raw_tokens for parent in parents if parent.piece == 0 and _is_section(parent)])


def _is_section(parent: Parent) -> bool:
    """Whether somebody meant it as a unit: a page that no outline names is where the paper ended."""
    return parent.origin is not Origin.SYNTHETIC and (parent.kind != "page" or bool(parent.heading_path))


def _of_sections(sizes: Sequence[int]) -> Shape:
    if not sizes:
        return Shape.PROSE
    in_long = sum(size for size in sizes if size > LONG_SECTION_TOKENS)
    return Shape.WIKI if in_long > LONG_SECTION_SHARE * sum(sizes) else Shape.REFERENCE
