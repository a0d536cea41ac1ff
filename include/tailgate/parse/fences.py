"""Puts fences around code that was pasted into Markdown without any, so that its lines and comments stay code."""

import re
from collections.abc import Iterator, Sequence

from tailgate.parse.pasted import code_runs

_FENCE = re.compile(r"[\s>]*(?:[-*+]\s+|\d+[.)]\s+)?(`{3,}|~{3,})([^`]*)$")
_RAW = re.compile(r"\s{0,3}<(script|style|pre|textarea)\b", re.IGNORECASE)
_TICKS = re.compile(r"`+")
_HEADING = re.compile(r" {0,3}#{2,6}(?:\s|$)")


def with_fences(markdown: str) -> str:
    """The same text, each run of code that lies outside of fences, raw HTML and comments in a fence of its own."""
    lines = markdown.split("\n")
    runs = [run for first, after in _open_stretches(lines) for run in _runs(lines, first, after)]
    if not runs:
        return markdown
    fenced: list[str] = []
    position = 0
    for first, after in runs:
        ticks = [len(run) for line in lines[first:after] for run in _TICKS.findall(line)]
        fence = "`" * max([3, *(count + 1 for count in ticks)])
        fenced += [*lines[position:first], fence, *lines[first:after], fence]
        position = after
    return "\n".join(fenced + lines[position:])


def _runs(lines: Sequence[str], first: int, after: int) -> Iterator[tuple[int, int]]:
    for start, end in code_runs([line.rstrip("\r") for line in lines[first:after]]):
        if not lines[first + start][:1].isspace():
            yield first + start, first + end


def _open_stretches(lines: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Ranges of lines that are no heading and lie in no fence, comment or raw HTML."""
    start, closing = 0, ""
    for i, line in enumerate(lines):
        if closing:
            if _closes(line, closing):
                start, closing = i + 1, ""
            continue
        closing = _opened(line)
        if closing or _HEADING.match(line):
            yield start, i
            start = i + 1
    if not closing:
        yield start, len(lines)


def _opened(line: str) -> str:
    """What ends the part that the line opens: a fence, the end of a comment, a closing tag."""
    fence = _FENCE.match(line)
    if fence:
        return fence[1]
    raw = _RAW.match(line)
    if raw and f"</{raw[1].lower()}" not in line.lower():
        return f"</{raw[1].lower()}"
    return "-->" if line.rfind("<!--") > line.rfind("-->") else ""


def _closes(line: str, closing: str) -> bool:
    if closing[0] in "`~":
        return line.strip(" \t>\r").startswith(closing) and not line.strip(" \t>\r").strip(closing[0])
    return closing in line.lower()
