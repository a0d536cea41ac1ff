"""Transcripts in JSON: what speech recognisers write, and lists of who said what."""

from collections.abc import Iterator, Mapping
from typing import Any

from tailgate.parse.clock import seconds
from tailgate.parse.cues import Cue

_LISTS = ("segments", "utterances", "turns", "transcript", "messages")
_SPEAKERS = ("speaker", "speaker_label", "speaker_name", "speaker_id", "role")
_TEXTS = ("text", "utterance", "transcript", "content")
_STARTS = ("start", "start_time", "start_s", "begin", "offset")
_ENDS = ("end", "end_time", "end_s", "stop")


def utterances_of(value: object) -> list[Mapping[str, Any]]:
    """The records of who said what (or of what was said when) that a JSON value is or holds; none where it is other.

    Every record must have a text, and a speaker or a start: lists of other things have texts too.
    """
    records = value
    if isinstance(value, dict):
        records = next((value[name] for name in _LISTS if isinstance(value.get(name), list)), None)
    if not isinstance(records, list) or not records or not all(map(_is_utterance, records)):
        return []
    return records


def cues_of(records: list[Mapping[str, Any]]) -> Iterator[Cue]:
    """A cue for each record that says something."""
    for record in records:
        text = str(_first(record, _TEXTS)).strip()
        if text:
            yield Cue(text, _speaker(record), _time(record, _STARTS), _time(record, _ENDS))


def other_texts(value: object, records: list[Mapping[str, Any]]) -> int:
    """How many texts of more than a word the value holds beside what the records say: they are in no cue."""
    taken = {str(_first(record, _TEXTS)) for record in records} | {str(_speaker(record)) for record in records}
    whole = "".join(" ".join(taken).split())
    flat = "".join("".join(str(_first(record, _TEXTS)).split()) for record in records)
    return sum(
        1
        for text in _strings(value)
        if text not in taken and len(text.split()) > 1 and "".join(text.split()) not in (whole, flat)
    )


def _strings(value: object) -> Iterator[str]:
    waiting = [value]
    while waiting:
        here = waiting.pop()
        if isinstance(here, str):
            yield here
        elif isinstance(here, dict):
            waiting += here.values()
        elif isinstance(here, list):
            waiting += here


def _is_utterance(record: object) -> bool:
    return (
        isinstance(record, dict)
        and isinstance(_first(record, _TEXTS), str)
        and (_speaker(record) is not None or _time(record, _STARTS) is not None)
    )


def _first(record: Mapping[str, Any], names: tuple[str, ...]) -> object:
    return next((record[name] for name in names if record.get(name) is not None), None)


def _speaker(record: Mapping[str, Any]) -> str | None:
    """A speaker who is only numbered is called `Speaker 1`, as people do."""
    said = _first(record, _SPEAKERS)
    if isinstance(said, int) and not isinstance(said, bool):
        return f"Speaker {said}"
    return " ".join(said.split()) or None if isinstance(said, str) else None


def _time(record: Mapping[str, Any], names: tuple[str, ...]) -> float | None:
    said = _first(record, names)
    if isinstance(said, int | float) and not isinstance(said, bool):
        return float(said) if 0 <= said < float("inf") else None
    return seconds(said) if isinstance(said, str) else None
