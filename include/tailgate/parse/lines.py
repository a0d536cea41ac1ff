"""Cuts a text into lines and paragraphs that know where they stand; nothing is copied but the lines themselves."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from tailgate.models import Element, Kind

_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n|\Z)")


@dataclass(frozen=True, slots=True)
class Line:
    """A line that is not blank, without its blank ends."""

    text: str
    start: int
    end: int
    indented: bool


def paragraphs(text: str) -> Iterator[list[Line]]:
    """Runs of lines that are not blank; every non-blank character of the text is in exactly one of them."""
    run: list[Line] = []
    for match in _LINE.finditer(text):
        raw = match[0]
        stripped = raw.strip()
        if stripped:
            start = match.start() + raw.index(stripped[0])
            run.append(Line(stripped, start, start + len(stripped), indented=raw[0].isspace()))
        elif run:
            yield run
            run = []
    if run:
        yield run


def element(kind: Kind, lines: Sequence[Line], **fields: Any) -> Element:
    """One element from the first line's start to the last line's end."""
    return Element(kind=kind, char_start=lines[0].start, char_end=lines[-1].end, **fields)
