"""Recognises who speaks in lines of text: `Speaker: text`, with or without a time, or a line of its own above it."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from tailgate.models import Element, Kind
from tailgate.parse.builder import Block
from tailgate.parse.clock import seconds
from tailgate.parse.lines import Line, element

_CLOCK = r"(?:\d{1,3}:)?\d{1,2}:\d\d(?:[.,]\d{1,3})?"
_NAME = r"(?P<name>[^\W\d_](?:[\w.,'’()&/-]|\ (?=\S)){0,48}?)"
_TURN = re.compile(
    rf"""
    (?:[\[(]?(?P<date>\d{{4}}-\d\d-\d\d[T\ ])?(?P<clock>{_CLOCK})(?:\s*(?:-->|[-–])\s*(?P<until>{_CLOCK}))?[\])]?
       \s*[-–]?\s*)?
    \*{{0,2}}
    {_NAME}
    (?:\s*[\[(](?P<late>{_CLOCK})[\])])?
    \*{{0,2}}\s?[:：]\*{{0,2}}(?=\s|$)
    """,
    re.VERBOSE,
)
_ABOVE = re.compile(rf"\*{{0,2}}{_NAME}\*{{0,2}}\s+(?:[\[(](?P<late>{_CLOCK})[\])]|(?P<clock>{_CLOCK}))$", re.VERBOSE)
_STAMP = re.compile(rf"\[(?P<clock>{_CLOCK})(?:\s*(?:-->|[-–])\s*(?P<until>{_CLOCK}))?\](?=\s+\S)")
_LOG_LEVEL = re.compile(r"(?:TRACE|DEBUG|INFO|NOTICE|WARN(?:ING)?|ERROR|FATAL|CRITICAL)\b", re.IGNORECASE)
# Forms, signature pages and letter heads repeat these as speakers repeat their names.
_FIELDS = frozenset({
    *("address", "attention", "attn", "by", "cc", "data", "date", "email", "e-mail", "event", "example", "fax", "from"),
    *("id", "its", "name", "note", "phone", "re", "source", "subject", "tel", "telephone", "title", "to", "url"),
    *("warning", "website"),
})
_LEAST_TURNS = 3
_LEAST_SPEAKERS = 2
_LEAST_SHARE = 0.4
_LEAST_CHARS_SHARE = 0.3
_LEAST_RETURNING = 0.8
_LEAST_STAMPED = 0.7
_MOST_WORDS = 5


@dataclass(frozen=True, slots=True)
class Turn:
    """Who begins to speak, and when, in seconds from the beginning, where the line says it."""

    speaker: str
    """Empty where only the time is told."""
    start_s: float | None
    end_s: float | None
    end: int
    """Where in the line what is said begins."""


Reader = Callable[[str], Turn | None]


def turn_of(line: str) -> Turn | None:
    """What the beginning of a line says, if it can be the beginning of a turn (`Ann: …`)."""
    return _turn(_TURN.match(line))


def reader_of(paragraphs: Sequence[Sequence[Line]]) -> Reader | None:
    """What tells the beginnings of turns in this text, or nothing where it is no transcript.

    It is one where much of the text, by lines or by paragraphs, begins a turn, and two speakers or more come back: that
    tells it from a list of `key: value`. Times in order before most lines are enough without any speaker.
    """
    by_line = [line.text for lines in paragraphs for line in lines]
    by_paragraph = [" ".join(line.text for line in lines) for lines in paragraphs]
    if _are_turns(by_line, turn_of) or _are_turns(by_paragraph, turn_of):
        return turn_of
    if _are_turns([lines[0].text for lines in paragraphs], _line_above):
        return _line_above
    return _stamp if _are_stamped(by_line) else None


def turns(paragraphs: Iterable[Sequence[Line]], read: Reader) -> Iterator[Element]:
    """A TURN from each line that begins one up to the next or to a blank line; what belongs to no turn is PROSE."""
    for lines in paragraphs:
        found = {i: turn for i, line in enumerate(lines) if (turn := read(line.text))}
        for first, after in pairwise(sorted({0, *found, len(lines)})):
            yield _element(lines[first:after], found.get(first))


def with_turns(blocks: Sequence[Block]) -> list[Block]:
    """The blocks of a document with markup, its paragraphs made TURNs where it is a transcript."""
    texts = [block.text for block in blocks if block.kind is not Kind.HEADING]
    return [_as_turn(block) for block in blocks] if _are_turns(texts, turn_of) else list(blocks)


def _as_turn(block: Block) -> Block:
    turn = turn_of(block.text) if block.kind is Kind.PROSE else None
    if turn is None:
        return block
    return replace(block, kind=Kind.TURN, speaker=turn.speaker, start_s=turn.start_s, end_s=turn.end_s)


def _element(lines: Sequence[Line], turn: Turn | None) -> Element:
    if turn is None:
        return element(Kind.PROSE, lines)
    return element(Kind.TURN, lines, speaker=turn.speaker or None, start_s=turn.start_s, end_s=turn.end_s)


def _turn(match: re.Match[str] | None) -> Turn | None:
    if match is None:
        return None
    name = match["name"].strip()
    if len(name.split()) > _MOST_WORDS or name.lower() in _FIELDS or _LOG_LEVEL.match(name):
        return None
    told = match.groupdict()
    # A time of day, after a date, does not count from the beginning.
    clock = told["late"] or ("" if told.get("date") else told["clock"])
    return Turn(name, seconds(clock or ""), seconds(told.get("until") or ""), match.end())


def _line_above(line: str) -> Turn | None:
    """`Ann Lee  0:05` on a line of its own."""
    return _turn(_ABOVE.match(line))


def _stamp(line: str) -> Turn | None:
    """`[00:01:02] text` or `[00:01.000 --> 00:04.000] text`."""
    match = _STAMP.match(line)
    if match is None or _LOG_LEVEL.match(line[match.end() :].strip(" [(")):
        return None
    return Turn("", seconds(match["clock"]), seconds(match["until"] or ""), match.end())


def _are_stamped(lines: Sequence[str]) -> bool:
    times = [turn.start_s or 0.0 for turn in map(_stamp, lines) if turn]
    return len(times) >= max(_LEAST_TURNS, _LEAST_STAMPED * len(lines)) and times == sorted(times)


def _are_turns(texts: Sequence[str], read: Reader) -> bool:
    found = [(turn.speaker, len(text)) for text in texts if (turn := read(text))]
    counts = Counter(speaker for speaker, _ in found)
    returning = [count for count in counts.values() if count > 1]
    if len(found) < _LEAST_TURNS or len(counts) < _LEAST_SPEAKERS:
        return False
    if len(found) == len(texts):
        return sum(returning) * 2 >= len(found)
    return (
        len(found) >= len(texts) * _LEAST_SHARE
        and len(returning) >= _LEAST_SPEAKERS
        and sum(returning) >= len(found) * _LEAST_RETURNING
        and (read is _line_above or sum(chars for _, chars in found) >= sum(map(len, texts)) * _LEAST_CHARS_SHARE)
    )
