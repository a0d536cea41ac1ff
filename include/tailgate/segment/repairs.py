"""What a rule-based splitter of running text leaves together or takes apart, put right by the look of both sides.

Each rule is about a way of writing, not about a document; `benchmarks/sentences.py` measures what they are worth.
"""

import re
from collections.abc import Iterator

Span = tuple[int, int]

_UPPER = r"[^\W\d_a-zß-öø-ÿа-яё]"
_ENDS = (
    # A whole sentence in brackets: `(Laughter.) This is …`
    re.compile(rf"\w[.!?]+[)\]][\"'”’]*\s+(?=[\"“‘(]?{_UPPER})"),
    # A stop before a quotation in the manner of typewriters: ``…''
    re.compile(rf"\w[.!?]+(?:''|[\"”’])?\s+(?=``{_UPPER})"),
    # A rule of dashes, underscores or stars: what follows is something else.
    re.compile(r"(?<![_=*~-])[_=*~-]{5,}\s+(?=\w)"),
    # A face ends what it comments.
    re.compile(rf"(?<=\s)[:;]-?[)D(P]+\s+(?=\w*{_UPPER})"),
)
_BEFORE_DIGIT = re.compile(r"(?<!\w)(?P<word>[^\W\d_]{4,})[.!?][\"'”’)\]]*\s+(?=\d)")
_TAKES_NUMBER = frozenset({"approx", "arts", "cols", "figs", "párrf", "parr", "paras", "sect", "secs", "sept", "vols"})
_LAST_WORD = re.compile(r"([^\W\d_]+)\.\Z")
_FACE = re.compile(r"[:;]-?[)D(P]+")
_CITATION = re.compile(r"(?<!\w)\d{1,4}\s(?![AP]\.M\.)(?:[A-Z][\w']*\.\s?)+\Z")
_CITED = re.compile(r"(?:[A-Z][a-z]*\.|\d|at \d)")
_GERMAN_ORDINAL = re.compile(
    r"(?<!\w)(?:der|dem|den|das|des|die|am|im|vom|zum|zur|bis|seit|ab|beim|ins)\s\d{1,2}\.\Z", re.I
)
_OPENING = re.compile(r"(?<=\s)(?:``|[„“«])\s*\Z")
_NUMBER = re.compile(r"(?:^|(?<=\s))[⁃•*]?\s?(?P<open>\(?)(?P<value>\d{1,2}|[a-z])(?P<close>[.)]{1,2})\s+(?=\w)")
REACH = 40
"""Characters before a boundary that are looked at."""


def missed(text: str, language: str) -> Iterator[int]:
    """Where a sentence begins that was left together with the one before."""
    for rule in _ENDS:
        yield from (match.end() for match in rule.finditer(text))
    for match in _BEFORE_DIGIT.finditer(text):
        if match["word"].islower() and match["word"] not in _TAKES_NUMBER:
            yield match.end()
    for paragraph in re.finditer(r"\S(?:.|\n(?!\s*\n))*", text):
        yield from (paragraph.start() + start for start in _enumerated(paragraph.group()))


def belongs(text: str, before: Span, after: Span, language: str) -> bool:
    """Whether the second of two spans goes on with the first: a citation, a number, an ordinal, a face."""
    head = text[max(before[0], before[1] - REACH) : before[1]]
    if _FACE.fullmatch(text, *after):
        return True
    if _CITATION.search(head) and _CITED.match(text, *after):
        return True
    if text[after[0]].isdigit() and (word := _LAST_WORD.search(head)) and word[1] in _TAKES_NUMBER:
        return True
    return language == "de" and _GERMAN_ORDINAL.search(head) is not None


def opening(text: str, start: int) -> int:
    """The start, moved before a quotation mark that opens what begins there."""
    mark = _OPENING.search(text, max(0, start - 4), start)
    return mark.start() if mark else start


def _enumerated(paragraph: str) -> Iterator[int]:
    """The items of a list that is written in one line: `1. First 2. Second`, counted from the paragraph's start."""
    expected: tuple[str, str, str] | None = None
    for match in _NUMBER.finditer(paragraph):
        found = match["open"], match["value"], match["close"]
        if expected is None and match.start() > 0:
            return
        if expected is None or found == expected:
            if expected is not None:
                yield match.start()
            expected = match["open"], _next(match["value"]), match["close"]


def _next(value: str) -> str:
    return str(int(value) + 1) if value.isdigit() else chr(ord(value) + 1)
