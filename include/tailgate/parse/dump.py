"""Recognises what is no prose in plain text: log lines, JSON, stack traces."""

import json
import re
from collections.abc import Sequence

from tailgate.parse.lines import Line

_LEVEL = r"(?:TRACE|DEBUG|INFO|NOTICE|WARN|WARNING|ERROR|FATAL|CRITICAL)"
_LOG = re.compile(
    rf"""
      [\[(]?\d{{4}}[-/]\d\d[-/]\d\d[T\ ,]+\d\d:\d\d:\d\d                              # 2026-01-31 23:59:59
    | [\[(]?\d\d[-/](?:\d\d|[A-Z][a-z]{{2}})[-/]\d{{2,4}}[T\ ,:]+\d\d:\d\d:\d\d       # 31/Jan/2026:23:59:59
    | (?:<\d+>)?[A-Z][a-z]{{2}}\ {{1,2}}\d{{1,2}}\ \d\d:\d\d:\d\d\                     # Jan 31 23:59:59 (syslog)
    | \S+\ \S+\ \S+\ \[\d\d/[A-Z][a-z]{{2}}/\d{{4}}:                                  # an access log
    | \d\d:\d\d:\d\d(?:[.,]\d+)?\ +(?:\[|{_LEVEL}\b)                                  # 23:59:59.123 [main] or INFO
    | \[?{_LEVEL}\]?\ *[:|\-]?\ *[\[(]?\d{{2,4}}[-/:]                                 # INFO 2026-01-31
    | \[?{_LEVEL}\]?(?::|\ +[-|]|\ +\[)\                                              # ERROR: …
    """,
    re.VERBOSE,
)
_TRACE = re.compile(
    r'(?:Traceback \(most recent call last\)|at [\w.$<>/]+\(.*\)$|File ".+", line \d+|Caused by: [\w.$]+)'
)
_JSON_LINE = re.compile(
    r'(?:[\[\]{}]+,?|"(?:[^"\\]|\\.)*"\s*:.*|"(?:[^"\\]|\\.)*",?|-?[\d.]+,?|(?:true|false|null),?)$'
)
_LEAST_RUN = 3
_LEAST_JSON_LINES = 5


def is_log(paragraphs: Sequence[Sequence[Line]]) -> bool:
    """Whether at least half of the lines begin as log lines do; the others then carry them on."""
    lines = [line for paragraph in paragraphs for line in paragraph]
    found = sum(1 for line in lines if _LOG.match(line.text))
    return found >= _LEAST_RUN and found * 2 >= len(lines)


def log_runs(lines: Sequence[Line]) -> list[tuple[int, int]]:
    """Ranges of lines (first, after the last) of three log lines or more, each with the lines of a trace after it."""
    runs: list[tuple[int, int]] = []
    first: int | None = None
    stamped = 0
    for i, line in enumerate(lines):
        if _LOG.match(line.text):
            first, stamped = (i, 1) if first is None else (first, stamped + 1)
        elif first is not None and not (line.indented or _TRACE.match(line.text)):
            runs += [(first, i)] if stamped >= _LEAST_RUN else []
            first = None
    if first is not None and stamped >= _LEAST_RUN:
        runs.append((first, len(lines)))
    return runs


def is_trace(lines: Sequence[Line]) -> bool:
    """Whether a paragraph is a stack trace."""
    frames = sum(1 for line in lines if _TRACE.match(line.text))
    return frames >= 2 and frames * 3 >= len(lines)


def is_json(text: str, lines: Sequence[Line]) -> bool:
    """Whether a paragraph is a JSON object or array, a run of JSON lines, or a part of printed JSON."""
    if lines[0].text[0] in "{[" and lines[-1].text[-1] in "}]":
        values = [_loaded(text[lines[0].start : lines[-1].end])]
        if values == [None]:
            values = [_loaded(line.text) for line in lines if line.text[0] == "{"]
        if len(values) in (1, len(lines)) and all(_is_structured(value) for value in values):
            return True
    found = sum(1 for line in lines if _JSON_LINE.match(line.text))
    return found >= _LEAST_JSON_LINES and found * 10 >= len(lines) * 9


def _loaded(text: str) -> object:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _is_structured(value: object) -> bool:
    """An object, or an array that holds one: `[1]` is more often a footnote than JSON."""
    return isinstance(value, dict) or (isinstance(value, list) and any(isinstance(item, dict | list) for item in value))
