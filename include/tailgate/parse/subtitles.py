"""Subtitles and captions, WebVTT and SubRip: cues with times, joined to turns again."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import unescape

from tailgate.errors import UnreadableDocument
from tailgate.models import ParsedDocument, SourceFile
from tailgate.parse.builder import compose
from tailgate.parse.clock import seconds
from tailgate.parse.cues import Cue, turns_of
from tailgate.parse.decode import decode
from tailgate.parse.loss import left_out

_TIME = r"((?:\d{1,3}:)?\d{1,2}:\d\d(?:[.,]\d{1,3})?)"
_TIMING = re.compile(rf"\s*{_TIME}\s*-->\s*{_TIME}(?:\s.*)?$")
_BLANK_LINES = re.compile(r"\n[^\S\n]*\n\s*")
_VOICE = re.compile(r"<v(?:\.[^\s<>]*)?(?:\s+([^<>]*))?>")
_MARKUP = re.compile(r"</?(?:[bcisuv]|em|strong|font|lang|ruby|rt)\b[^<>]*>|<\d[\d:.]*>|\{\\[^{}]*\}", re.IGNORECASE)
_ENTITY = re.compile(r"&(?:amp|lt|gt|quot|apos|nbsp|lrm|rlm|#\d{1,6});")
_DASH = re.compile(r"[-–—](?!-)\s*(?=\w)")
_HEADER = re.compile(r"(?:WEBVTT|STYLE|REGION|X-TIMESTAMP-MAP)\b")
_MEDIA_TYPES = {"vtt": "text/vtt", "srt": "application/x-subrip"}


@dataclass(frozen=True, slots=True)
class _Timed:
    """A cue as the file has it."""

    start_s: float | None
    end_s: float | None
    lines: tuple[str, ...]


def parse(data: bytes, file: SourceFile) -> ParsedDocument:
    """TURNs with speaker and time range; notes and the lines that rolling captions repeat are counted in a warning.

    Raises UnreadableDocument where the file has no cue.
    """
    text, warnings = decode(data, file)
    timed, notes = _timed(re.sub(r"\r\n?", "\n", text))
    if not timed:
        raise UnreadableDocument(file.uri, "it holds no cue (a line such as `00:00:01.000 --> 00:00:04.000`)")
    once = _without_repeats(timed)
    cues = [cue for one in once for cue in _cues(one)]
    repeated = sum(len(one.lines) for one in timed) - sum(len(one.lines) for one in once)
    return compose(
        turns_of(cues),
        media_type=_MEDIA_TYPES.get(file.path.rpartition(".")[2].lower(), "text/plain"),
        warnings=warnings + left_out({"notes": notes, "repeated lines of rolling captions": repeated}),
    )


def _timed(text: str) -> tuple[list[_Timed], int]:
    """The cues of the file, and how many blocks are notes. Text below a blank line still belongs to its cue."""
    cues: list[_Timed] = []
    notes = 0
    for block in _BLANK_LINES.split(text.strip()):
        lines = block.split("\n")
        timings = [i for i, line in enumerate(lines) if _TIMING.match(line)]
        if timings:
            cues += _cues_of_block(lines, timings)
        elif lines[0].startswith("NOTE"):
            notes += 1
        elif cues and not _HEADER.match(lines[0]):
            last = cues[-1]
            cues[-1] = _Timed(last.start_s, last.end_s, last.lines + _shown(lines))
    return cues, notes


def _cues_of_block(lines: Sequence[str], timings: Sequence[int]) -> Iterator[_Timed]:
    """The cues of lines without a blank one between them; the line before a later timing is its number."""
    for first, after in zip(timings, [*timings[1:], len(lines)], strict=True):
        match = _TIMING.match(lines[first])
        has_number = after < len(lines) and after - first > 1 and lines[after - 1].strip().isdigit()
        shown = _shown(lines[first + 1 : after - has_number])
        if match and shown:
            yield _Timed(seconds(match[1]), seconds(match[2]), shown)


def _shown(lines: Sequence[str]) -> tuple[str, ...]:
    stripped = (" ".join(line.split()) for line in lines)
    return tuple(line for line in stripped if line and _MARKUP.sub("", line).strip())


def _without_repeats(cues: Sequence[_Timed]) -> list[_Timed]:
    """The cues of rolling captions, where each shows the last line of the one before again, with every line once."""
    plain = [tuple(_plain(line) for line in cue.lines) for cue in cues]
    rolled = sum(1 for a, b in zip(plain, plain[1:], strict=False) if len(b) > 1 and a[-1] == b[0])
    if rolled * 4 < len(cues):
        return list(cues)
    kept = [cues[0]]
    for before, cue, lines in zip(plain, cues[1:], plain[1:], strict=False):
        fresh = cue.lines[1:] if lines[0] == before[-1] else cue.lines
        kept += [_Timed(cue.start_s, cue.end_s, fresh)] if fresh else []
    return kept


def _cues(timed: _Timed) -> Iterator[Cue]:
    """A cue for each voice in it, and for each line where dashes or `>>` tell two speakers apart."""
    pieces = _VOICE.split("\n".join(timed.lines))
    for speaker, text in zip([None, *pieces[1::2]], pieces[::2], strict=True):
        for is_new, said in _utterances(text.split("\n")):
            name = " ".join(_plain(speaker).split()) if speaker else None
            yield Cue(said, name or None, timed.start_s, timed.end_s, is_new)


def _utterances(lines: Sequence[str]) -> Iterator[tuple[bool, str]]:
    plain = [line for line in map(_plain, lines) if line]
    by_dash = sum(1 for line in plain if _DASH.match(line)) > 1
    starts = [i for i, line in enumerate(plain) if line.startswith(">>") or (by_dash and _DASH.match(line))]
    for first, after in zip(sorted({0, *starts}), [*(start for start in starts if start), len(plain)], strict=True):
        if after > first:
            yield first in starts, " ".join(plain[first:after])


def _plain(text: str) -> str:
    return " ".join(_ENTITY.sub(lambda match: unescape(match[0]), _MARKUP.sub("", text)).split())
