"""JSON and JSON Lines: a transcript where the records say who spoke or when, else the file itself in one element."""

import json

from tailgate.models import Element, Kind, ParsedDocument, SourceFile
from tailgate.parse.builder import compose
from tailgate.parse.cues import turns_of
from tailgate.parse.decode import decode
from tailgate.parse.language import language_of, stated_language
from tailgate.parse.loss import left_out
from tailgate.parse.utterances import cues_of, other_texts, utterances_of

_MEDIA_TYPE = "application/json"
_BROKEN = object()


def parse(data: bytes, file: SourceFile) -> ParsedDocument:
    """TURNs for a transcript, one JSON element for all else; what is no valid JSON is taken too, with a warning.

    Raises UnreadableDocument where the bytes are no text.
    """
    text, warnings = decode(data, file)
    stripped = text.strip()
    by_line = file.path.lower().endswith((".jsonl", ".ndjson"))
    lines = [line for line in stripped.split("\n") if line.strip()] if by_line else [stripped]
    values = [_loaded(line) for line in lines]
    if not by_line and values == [_BROKEN] and "\n" in stripped:
        values = _as_lines(stripped) or values
    found = _transcript(values, warnings)
    if found is not None:
        return found
    start = text.index(stripped)
    return ParsedDocument(
        text=text,
        elements=(Element(Kind.JSON, start, start + len(stripped)),) if stripped else (),
        media_type=_MEDIA_TYPE,
        language=language_of(text),
        warnings=warnings + _problems(values, by_line=by_line),
    )


def _transcript(values: list[object], warnings: tuple[str, ...]) -> ParsedDocument | None:
    """The document that the values tell if they are a transcript: one value, or a record a line."""
    value = values[0] if len(values) == 1 and not utterances_of(values) else values
    records = utterances_of(value)
    if not records:
        return None
    language = value.get("language") if isinstance(value, dict) else None
    beside = left_out({"other texts in the JSON": other_texts(value, records)})
    return compose(
        turns_of(list(cues_of(records))),
        media_type=_MEDIA_TYPE,
        language=stated_language(language) if isinstance(language, str) else "",
        warnings=warnings + beside,
    )


def _as_lines(text: str) -> list[object]:
    """The values of JSON Lines in a file with another suffix; nothing where a line is no object."""
    values = [_loaded(line) for line in text.split("\n") if line.strip()]
    return values if all(isinstance(value, dict) for value in values) else []


def _problems(values: list[object], *, by_line: bool) -> tuple[str, ...]:
    broken = sum(1 for value in values if value is _BROKEN)
    if not broken:
        return ()
    return (f"{broken} of {len(values)} lines are no valid JSON" if by_line else "it is no valid JSON",)


def _loaded(text: str) -> object:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return _BROKEN
