"""What a rule-based splitter of running text leaves together or takes apart, put right by the look of both sides.

Each rule is about a way of writing, not about a document; `benchmarks/sentences.py` measures what they are worth.
"""

import re
from collections.abc import Iterator
from typing import Any

from tailgate.segment.postings import postings

Span = tuple[int, int]

_UPPER = r"[^\W\d_a-zß-öø-ÿа-яё]"
_ENDS = (
    # A whole sentence in brackets: `(Laughter.) This is …`
    re.compile(rf"\w[.!?]+\s?[)\]][\"'”’]*\s+(?=[\"“‘(]?{_UPPER})"),
    # A stop before a quotation in the manner of typewriters: ``…''
    re.compile(rf"\w[.!?]+(?:''|[\"”’])?\s+(?=``{_UPPER})"),
    # A rule of dashes, underscores or stars: what follows is something else.
    re.compile(r"(?<![_=*~-])[_=*~-]{5,}\s+(?=[\"“]?\w)"),
    # A face ends what it comments.
    re.compile(rf"(?<=[.!?]\s)[:;]-?[)D(P]+\s+(?=\w)|(?<=\s)[:;]-?[)D(P]+\s+(?=\w*{_UPPER})"),
    # Marks that are written more than once are meant: `What a place!! i loved it`; three dots may be a pause.
    re.compile(r"[!?](?<=[\w\s].)[!?]+\s+(?=[^\W\d_])"),
    re.compile(rf"\.(?<=\w.)\.\s+(?={_UPPER})"),
)
_ANY_SIGN = re.compile(
    r"[.!?`_=*~:;-](?:(?<=[.!?])(?:\s?[)\]]|[!?.])|(?<=`)`|(?<=[_=*~-])[_=*~-]{4}|(?<=[:;])-?[)D(P])"
)
"""What is in every text in which one of these ends a sentence: one search for a few characters instead of six."""
# Words that are abbreviations elsewhere, and never before a capital; a `Patent no.` may stand before one.
_WORDS = ("me", "may", "miss", "art", "ok", "ill", "arc", "con", "etc")
_WORD_END = re.compile(r"\.(?:" + "|".join(rf"(?<=\b{word}\.)" for word in _WORDS) + r")\s+(?=[A-Z][a-z]|I[\s'’])")
_NO_END = re.compile(
    r"\.(?<=\bno\.)\s+(?=(?:[A-Z][a-z]?|They|Your?|This|Thats?|There|These|The|But|And|Not|Let|Just)[\s'’])"
)
_CALL_END = re.compile(r"!(?<=[\w\s!]!)\s+(?=I[\s'’])")
_GLUED = re.compile(r"\?[?!]*(?=[A-Za-z][a-z'’]+[\s,])")
_PLAIN_WORD = re.compile(r"(?<!\S)[\"“(]?[A-Za-z'’]+!*\Z")
_BEFORE_DIGIT = re.compile(r"[.!?][\"'”’)\]]*\s+(?=\d)")
_WORD_BEFORE = re.compile(r"(?<!\w)[^\W\d_]{4,}\Z")
_TAKES_NUMBER = frozenset({"approx", "arts", "cols", "figs", "párrf", "parr", "paras", "sect", "secs", "sept", "vols"})
_LAST_WORD = re.compile(r"([^\W\d_]+)\.\Z")
_FACE = re.compile(r"[:;]-?[)D(P]+")
_CITATION = re.compile(r"(?<!\w)\d{1,4}\s(?![AP]\.M\.)(?:[A-Z][\w']*\.\s?)+\Z")
_CITED = re.compile(r"(?:[A-Z][a-z]*\.|\d|at \d)")
_GERMAN_ORDINAL = re.compile(
    r"(?<!\w)(?:der|dem|den|das|des|die|am|im|vom|zum|zur|bis|seit|ab|beim|ins)\s\d{1,2}\.\Z", re.I
)
_OPENING = re.compile(r"(?:(?<=\s)(?:``|[„“«])\s*|(?<=[.!?…]\s)[\"'])\Z")
_DOMAIN = re.compile(r"(?:[Cc]om|COM|[Oo]rg|ORG|net|NET|edu|gov|info|html?)\b")
_BLANK_LINE = re.compile(r"\n\s*\n\s*")
_NUMBER = re.compile(r"(?:^|(?<=\s))[⁃•*]?\s?(?P<open>\(?)(?P<value>\d{1,2}|[a-z])(?P<close>[.)]{1,2})\s+(?=\w)")
REACH = 40
"""Characters before a boundary that are looked at."""


def missed(text: str, language: str) -> Iterator[int]:
    """Where a sentence begins that was left together with the one before."""
    if _ANY_SIGN.search(text):
        for rule in _ENDS:
            yield from (match.end() for match in rule.finditer(text))
    if language == "en":
        for rule in (_WORD_END, _NO_END, _CALL_END):
            yield from (match.end() for match in rule.finditer(text))
    yield from _after_words(text)
    yield from postings(text)
    yield from _items(text)


def _after_words(text: str) -> Iterator[int]:
    """Where a number follows a sentence, or the blank after a question was left out; the word before tells."""
    for match in _BEFORE_DIGIT.finditer(text):
        word = _WORD_BEFORE.search(_head(text, match.start()))
        if word and word[0].islower() and word[0] not in _TAKES_NUMBER:
            yield match.end()
    for match in _GLUED.finditer(text):
        if _PLAIN_WORD.search(_head(text, match.start())):
            yield match.end()


def _head(text: str, end: int) -> str:
    return text[max(0, end - REACH) : end]


def belongs(text: str, before: Span, after: Span, language: str) -> bool:
    """Whether the second of two spans goes on with the first: a citation, a number, an ordinal, a face, a domain."""
    head = text[max(before[0], before[1] - REACH) : before[1]]
    if _FACE.fullmatch(text, *after):
        return True
    if before[1] == after[0] and head.endswith(".") and _DOMAIN.match(text, *after):
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


def _items(text: str) -> Iterator[int]:
    """The items of a list that is written in one line: `1. First 2. Second`, from a paragraph's start on."""
    starts = [len(text) - len(text.lstrip()), *(blank.end() for blank in _BLANK_LINE.finditer(text))]
    for start, end in zip(starts, [*starts[1:], len(text)], strict=True):
        if first := _NUMBER.match(text, start, end):
            expected = _next(first)
            for match in _NUMBER.finditer(text, first.end(), end):
                if match.group("open", "value", "close") == expected:
                    yield match.start()
                    expected = _next(match)


def _next(number: re.Match[str]) -> tuple[str | Any, ...]:
    value = number["value"]
    return number["open"], str(int(value) + 1) if value.isdigit() else chr(ord(value) + 1), number["close"]
