"""Recognises who speaks: `Speaker: text`, with or without a time stamp before it."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from tailgate.models import Element, Kind
from tailgate.parse.builder import Block
from tailgate.parse.lines import Line, element

_CLOCK = r"(?:(?P<{0}hours>\d{{1,2}}):)?(?P<{0}minutes>\d{{1,2}}):(?P<{0}seconds>\d\d(?:[.,]\d{{1,3}})?)"
_TURN = re.compile(
    rf"""
    (?:[\[(]?(?P<date>\d{{4}}-\d\d-\d\d[T\ ])?{_CLOCK.format("")}[\])]?\s*[-–]?\s*)?
    \*{{0,2}}
    (?P<name>[^\W\d_](?:[\w.,'’()&/-]|\ (?=\S)){{0,48}}?)
    (?:\s*[\[(]{_CLOCK.format("late_")}[\])])?
    \*{{0,2}}\s?[:：]\*{{0,2}}(?=\s|$)
    """,
    re.VERBOSE,
)
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
_MOST_WORDS = 5


@dataclass(frozen=True, slots=True)
class Turn:
    """Who begins to speak, and when, in seconds from the beginning, where the line says it."""

    speaker: str
    start_s: float | None


def turn_of(line: str) -> Turn | None:
    """What the beginning of a line says, if it can be the beginning of a turn."""
    match = _TURN.match(line)
    if match is None:
        return None
    name = match["name"].strip()
    if len(name.split()) > _MOST_WORDS or name.lower() in _FIELDS or _LOG_LEVEL.match(name):
        return None
    return Turn(name, _seconds(match))


def is_transcript(paragraphs: Sequence[Sequence[Line]]) -> bool:
    """Whether much of the text, by lines or by paragraphs, begins a turn, and two speakers or more come back.

    That speakers come back tells a transcript from a list of `key: value`.
    """
    by_line = [line.text for lines in paragraphs for line in lines]
    by_paragraph = [" ".join(line.text for line in lines) for lines in paragraphs]
    return _are_turns(by_line) or _are_turns(by_paragraph)


def turns(paragraphs: Iterable[Sequence[Line]]) -> Iterator[Element]:
    """A TURN from each line that begins one up to the next or to a blank line; what belongs to no turn is PROSE."""
    for lines in paragraphs:
        starts = [i for i, line in enumerate(lines) if turn_of(line.text)]
        for first, after in zip([0, *starts], [*starts, len(lines)], strict=True):
            if after > first:
                turn = turn_of(lines[first].text)
                kind = Kind.TURN if turn else Kind.PROSE
                yield element(
                    kind,
                    lines[first:after],
                    speaker=turn.speaker if turn else None,
                    start_s=turn.start_s if turn else None,
                )


def with_turns(blocks: Sequence[Block]) -> list[Block]:
    """The blocks of a document with markup, its paragraphs made TURNs where it is a transcript."""
    texts = [block.text for block in blocks if block.kind is not Kind.HEADING]
    return [_as_turn(block) for block in blocks] if _are_turns(texts) else list(blocks)


def _as_turn(block: Block) -> Block:
    turn = turn_of(block.text) if block.kind is Kind.PROSE else None
    return replace(block, kind=Kind.TURN, speaker=turn.speaker, start_s=turn.start_s) if turn else block


def _are_turns(texts: Sequence[str]) -> bool:
    found = [(turn.speaker, len(text)) for text in texts if (turn := turn_of(text))]
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
        and sum(chars for _, chars in found) >= sum(map(len, texts)) * _LEAST_CHARS_SHARE
    )


def _seconds(match: re.Match[str]) -> float | None:
    """None for a time of day: after a date it does not count from the beginning."""
    prefix = "late_" if match["late_minutes"] else ""
    if match["date"] or not match[f"{prefix}minutes"]:
        return None
    seconds = float(match[f"{prefix}seconds"].replace(",", "."))
    return int(match[f"{prefix}hours"] or 0) * 3600 + int(match[f"{prefix}minutes"]) * 60 + seconds
