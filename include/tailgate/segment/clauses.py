"""Numbered clauses and articles: structure that an author wrote into plain text.

A document is read as numbered only where numbers follow one another (1, 2, 3; I, II, III; 1.1, 1.2, 1.3): a lone list
in running text makes no sections.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from tailgate.models import Kind, ParsedDocument

WORDS = (
    *("ARTICLE", "SECTION", "CLAUSE", "SCHEDULE", "EXHIBIT", "APPENDIX", "ANNEX"),
    *("ATTACHMENT", "ADDENDUM", "PART", "CHAPTER"),
)
NAMED = "|".join([*WORDS, *(word.title() for word in WORDS)])
ROMAN = r"[IVXLC]+"
MARKER = re.compile(
    rf"""\s*(?:
        (?P<named>{NAMED})
            \s+(?P<named_value>\d+(?:\.\d+)*|{ROMAN}|[A-Z](?:-\d+)?)\b[.:]?
        | §+\s*(?P<paragraph>\d+(?:\.\d+)*[a-z]?)\b[.:]?
        | (?P<dotted>\d{{1,3}}(?:\.\d{{1,3}})+)[.)]?(?=\s|$|[A-Z(“"\[])
        | (?P<number>\d{{1,3}})(?:[.)](?=\s|$|[A-Z(“"\[])|(?=\s{{2,}}[A-Z]|\s[A-Z]{{3}}))
        | \((?P<bracketed>\d{{1,3}}|[A-Za-z]{{1,6}})\)
        | (?P<letter>[A-Za-z])[.)](?=\s|[A-Z“"\[])
        | (?P<roman>[ivxl]{{1,6}}|[IVXL]{{1,6}})[.)](?=\s|[A-Z“"\[])
    )\s*""",
    re.VERBOSE,
)
RUN = 3
"""How many numbers in a row make a document a numbered one …"""
ENOUGH = 6
"""… where there are this many numbered paragraphs in all."""
CAPTION = 80
"""The longest caption, in characters, that stands behind a number in a heading path."""
VALUES = {"I": 1, "V": 5, "X": 10, "L": 50, "C": 100}


@dataclass(frozen=True, slots=True)
class Mark:
    """How a clause's number is written, and its value: `(b)` is the second of its style."""

    style: str
    value: int


@dataclass(frozen=True, slots=True)
class Clause:
    """A clause that begins with an element."""

    level: int
    label: str
    """Its number as written: `4.2`, `(b)`, `ARTICLE IV`."""
    title: str
    """Its number and its caption, if that is short."""
    is_caption: bool
    """Whether the element holds nothing but number and caption."""
    path: str
    """The numbers of the clauses that it lies in and its own: `4.2 (b)`."""


def clauses_of(parsed: ParsedDocument) -> Mapping[int, Clause]:
    """The clauses of a numbered document by the index of the element that each begins with; none in any other."""
    found = list(_marked(parsed))
    if not _is_numbered([marks for _, _, marks in found]):
        return {}
    stack: list[Mark] = []
    labels: list[str] = []
    clauses: dict[int, Clause] = {}
    for index, match, marks in found:
        mark = _fitting(marks, stack)
        stack = [*_above(mark, stack), mark]
        labels = [*labels[: len(stack) - 1], match.group().strip()]
        clauses[index] = _clause(parsed, index, match, labels)
    return clauses


def _marked(parsed: ParsedDocument) -> Iterator[tuple[int, re.Match[str], list[Mark]]]:
    for index, element in enumerate(parsed.elements):
        if element.kind in {Kind.PROSE, Kind.LIST_ITEM, Kind.HEADING} and element.speaker is None:
            match = MARKER.match(parsed.text[element.char_start : element.char_end])
            marks = _marks(match) if match else []
            if match and marks:
                yield index, match, marks


def _marks(match: re.Match[str]) -> list[Mark]:
    """What the number can mean: `(i)` is a roman one, or the letter behind `(h)`."""
    style, text = match.lastgroup or "", match.group(match.lastgroup or 0)
    if style == "named_value":
        return [Mark(f"named {match['named'].lower()}", _value(text))]
    if style in {"dotted", "paragraph"}:
        return [Mark(f"{style} {text.count('.')}", int(re.sub(r"\D", "", text.rpartition(".")[2]) or 0))]
    if text.isdigit():
        return [Mark(f"{style} digit", int(text))]
    case = "upper" if text.isupper() else "lower"
    marks = [Mark(f"{style} letter {case}", ord(text.lower()[0]) - 96)] if len(set(text)) == 1 else []
    if set(text.upper()) <= set("IVXL"):
        marks.append(Mark(f"{style} roman {case}", _roman(text)))
    return marks


def _value(text: str) -> int:
    if text[0].isdigit():
        return int(text.rpartition(".")[2])
    return _roman(text) if set(text) <= set(VALUES) else ord(text[0]) - 64


def _roman(text: str) -> int:
    digits = [VALUES[letter] for letter in text.upper()]
    return sum(
        -digit if any(after > digit for after in digits[place + 1 : place + 2]) else digit
        for place, digit in enumerate(digits)
    )


def _is_numbered(found: Sequence[Sequence[Mark]]) -> bool:
    """Whether there are enough numbered paragraphs, and some style of number counts up by one."""
    values: dict[str, set[int]] = {}
    for mark in (mark for marks in found for mark in marks):
        values.setdefault(mark.style, set()).add(mark.value)
    counts_up = any(all(start + step in seen for step in range(RUN)) for seen in values.values() for start in seen)
    return len(found) >= ENOUGH and counts_up


def _fitting(marks: Sequence[Mark], stack: Sequence[Mark]) -> Mark:
    """The reading that goes on with an open list, or else one that begins a list, or else the first."""
    for mark in marks:
        if any(open_.style == mark.style and open_.value + 1 == mark.value for open_ in stack):
            return mark
    return next((mark for mark in marks if mark.value == 1), marks[0])


def _above(mark: Mark, stack: Sequence[Mark]) -> list[Mark]:
    """The open clauses that the mark lies in: those above the list that it goes on with, or all that rank above it.

    A number one where a list of its style is open begins a list inside that one.
    """
    same = [depth for depth, open_ in enumerate(stack) if open_.style == mark.style]
    after = [depth for depth in same if stack[depth].value < mark.value]
    if after:
        return list(stack[: after[-1]])
    if len(same) == 1 and mark.value == 1 and not mark.style.startswith(("dotted", "named")):
        return list(stack)
    if same:
        return list(stack[: same[0]])
    return [open_ for open_ in stack if _rank(open_) < _rank(mark)]


def _rank(mark: Mark) -> int:
    """Articles before numbers before dotted numbers, by their dots; letters and brackets below whatever is open."""
    kind, _, detail = mark.style.partition(" ")
    if kind == "named":
        return 1 if detail == "section" else 0
    if kind in {"dotted", "paragraph"}:
        return 2 + int(detail)
    if mark.style == "number digit":
        return 2
    return 20 if "upper" in detail else 30 if "letter" in detail else 40


def _clause(parsed: ParsedDocument, index: int, match: re.Match[str], labels: Sequence[str]) -> Clause:
    element = parsed.elements[index]
    rest = parsed.text[element.char_start + match.end() : element.char_end].strip()
    caption = " ".join(re.split(r"[.:;]\s|\s{3,}|\n", rest, maxsplit=1)[0].split()).rstrip(".:;")
    short = len(caption) <= CAPTION
    return Clause(
        level=len(labels),
        label=labels[-1],
        title=f"{labels[-1]} {caption}".strip() if short else labels[-1],
        is_caption=short and len(" ".join(rest.split()).rstrip(".:;")) <= len(caption),
        path=" ".join(labels),
    )
