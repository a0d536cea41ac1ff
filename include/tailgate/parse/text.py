"""Plain text and transcripts: the canonical text is the decoded file itself, and no heading is ever invented."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import groupby

from tailgate.models import Element, Kind, ParsedDocument, SourceFile
from tailgate.parse import dump, pasted, transcript
from tailgate.parse.builder import Block
from tailgate.parse.decode import decode
from tailgate.parse.language import language_of
from tailgate.parse.lines import Line, element, paragraphs

_ITEM = re.compile(r"(?:[-*•‣◦▪–]|\(?(?:\d{1,3}|[a-zA-Z])[.)])\s+\S")
_LOST_BREAK = re.compile(
    r"(?<![ \t])[ \t]{3,}+(?=(?:\d{1,2}(?:\.\d{1,2})*\.?|(?:ARTICLE|Article|SECTION|Section) \w{1,5}\.?)\s+[A-Z])"
)
_LONG = 400
"""Characters from which a paragraph is looked at for clauses whose line breaks a conversion has turned into blanks."""


def parse(data: bytes, file: SourceFile) -> ParsedDocument:
    """The file's own text; turns, log lines, JSON, stack traces and lists are told from paragraphs.

    Raises UnreadableDocument where the bytes are no text.
    """
    text, warnings = decode(data, file)
    return ParsedDocument(
        text=text,
        elements=tuple(elements_of(text)),
        media_type="text/plain",
        language=language_of(text),
        warnings=warnings,
    )


def elements_of(text: str) -> Iterator[Element]:
    """Elements that cover every non-blank character of the text."""
    found = list(paragraphs(text))
    if found and dump.is_json(text, [line for lines in found for line in lines]):
        yield element(Kind.JSON, [found[0][0], found[-1][-1]])
    elif (read := transcript.reader_of(found)) is not None:
        yield from transcript.turns(found, read)
    elif dump.is_log(found):
        yield from (element(Kind.LOG, lines) for lines in found)
    else:
        yield from _with_code(text, found)


def _with_code(text: str, found: Sequence[Sequence[Line]]) -> Iterator[Element]:
    """Elements of the paragraphs; code that was pasted among them is one element, whatever blank lines it has."""
    lines = [line for paragraph in found for line in (*paragraph, None)]
    runs = pasted.code_runs([_shown(line) if line else "" for line in lines])
    position = 0
    for first, after in [*runs, (len(lines), len(lines))]:
        for is_line, paragraph in groupby(lines[position:first], key=bool):
            if is_line:
                yield from _elements_of_paragraph(text, [line for line in paragraph if line])
        code = [line for line in lines[first:after] if line]
        if code:
            yield element(pasted.kind_of_code(text[code[0].start : code[-1].end]), code)
        position = after


def _shown(line: Line) -> str:
    """The line's text, behind a blank where it is indented; nearly always it is not, and nothing is copied."""
    return f" {line.text}" if line.indented else line.text


def blocks_of_text(text: str) -> list[Block]:
    """The elements of the text as blocks, for documents that hold plain text among other things."""
    return [
        Block(
            element.kind,
            text[element.char_start : element.char_end],
            speaker=element.speaker,
            start_s=element.start_s,
            end_s=element.end_s,
        )
        for element in elements_of(text)
    ]


def _elements_of_paragraph(text: str, lines: Sequence[Line]) -> Iterator[Element]:
    if dump.is_json(text, lines):
        yield element(Kind.JSON, lines)
        return
    if dump.is_trace(lines):
        yield element(Kind.CODE, lines)
        return
    position = 0
    for first, after in dump.log_runs(lines):
        yield from _prose(text, lines[position:first])
        yield element(Kind.LOG, lines[first:after])
        position = after
    yield from _prose(text, lines[position:])


def _prose(text: str, lines: Sequence[Line]) -> Iterator[Element]:
    """One paragraph, or a list's items: two lines or more that begin as items do, each with the lines after it.

    A list begins a paragraph or follows a colon; elsewhere a line that begins with a dash is most often just wrapped.
    """
    starts = [i for i, line in enumerate(lines) if _ITEM.match(line.text)]
    if len(starts) < 2 or not (starts[0] == 0 or lines[starts[0] - 1].text.endswith(":")):
        starts = []
    for first, after in zip([0, *starts], [*starts, len(lines)], strict=True):
        if after > first:
            found = element(Kind.LIST_ITEM if first in starts else Kind.PROSE, lines[first:after])
            yield from _with_lost_breaks(text, found)


def _with_lost_breaks(text: str, found: Element) -> Iterator[Element]:
    """The element, cut where a clause's number stands behind a wide gap in a long line."""
    start = found.char_start
    if found.char_end - start >= _LONG:
        for gap in _LOST_BREAK.finditer(text, start, found.char_end):
            yield replace(found, char_start=start, char_end=gap.start())
            start = gap.end()
    yield found if start == found.char_start else replace(found, char_start=start)
