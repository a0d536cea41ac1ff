"""Joins the printed lines of a page to paragraphs again."""

import re
from collections.abc import Iterator

_ITEM = re.compile(r"(?:[-•‣◦▪●○■–*·]|\(?(?:\d{1,3}|[a-zA-Z])[.)])\s+\S")
_SENTENCE_END = re.compile(r"[.!?:;。！？؟][\"'”’»)\]]*$")
_NEW_START = re.compile(r"[\"'“‘«(\[]?(?:[A-Z0-9§]|[^\W\d_a-z])")
_GOES_ON = re.compile(r"[,(\[–—&/-]$|\b(?:a|an|and|as|at|by|for|from|in|of|on|or|the|to|with)$", re.IGNORECASE)
_WIDE = re.compile(r"[\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef]")


def flowed(text: str) -> Iterator[tuple[bool, str]]:
    """Paragraphs in order, each with whether it is a list's item; every non-blank character is in one of them.

    A paragraph ends at a blank line, before a list's item, after a sentence that ends well short of the page's usual
    line length, and after a short line that is followed by a new start (a title, a row of a table).
    """
    lines = [" ".join(line.split()) for line in re.split(r"\r\n|[\n\r\f]", text)]
    usual = _usual_length(lines)
    paragraph = ""
    previous = ""
    for line in lines:
        if paragraph and (not line or _is_new(previous, line, usual)):
            yield _ITEM.match(paragraph) is not None, paragraph
            paragraph = ""
        paragraph = _joined(paragraph, line)
        previous = line
    if paragraph:
        yield _ITEM.match(paragraph) is not None, paragraph


def _usual_length(lines: list[str]) -> int:
    """What three of four lines do not exceed: a few lines across both columns must not make all others short."""
    lengths = sorted(len(line) for line in lines if line)
    return lengths[len(lengths) * 3 // 4] if lengths else 0


def _is_new(previous: str, line: str, usual: int) -> bool:
    if _ITEM.match(line):
        return True
    if _SENTENCE_END.search(previous) and len(previous) < usual * 0.8:
        return True
    return len(previous) < usual * 0.6 and not _GOES_ON.search(previous) and _NEW_START.match(line) is not None


def _joined(paragraph: str, line: str) -> str:
    if not paragraph or not line:
        return paragraph + line
    if paragraph[-1] == "-" and line[0].islower():
        return paragraph + line
    if _WIDE.match(paragraph[-1]) and _WIDE.match(line[0]):
        return paragraph + line
    return f"{paragraph} {line}"
