"""What e-mails of every format share: a section a message, the messages that a reply quotes included."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import takewhile

from tailgate.models import Kind
from tailgate.parse.builder import Block
from tailgate.parse.text import blocks_of_text

_REPLY = re.compile(r"(?:(?:re|aw|sv|antw|fwd?|wg|tr|rv)\s*(?:\[\d+\])?\s*:\s*)+", re.IGNORECASE)
_MARKER = re.compile(
    r"-{2,}\s*(?:Original Message|Forwarded message|Urspr\S+ Nachricht|Message d'origine)\s*-{2,}$", re.I
)
_FIELD = re.compile(r"\*?(From|Von|De|Sent|Gesendet|Date|Datum|To|An|Cc|Subject|Betreff|Objet)\s*:\*?\s*(.+)$", re.I)
_SENDER = frozenset({"from", "von", "de"})
_WHEN = frozenset({"sent", "date", "gesendet", "datum"})
_WROTE = re.compile(r"(?:On|Am|Le)\s.{6,300}\s(?:wrote|schrieb.{0,120}|a écrit)\s?:$", re.DOTALL)
_LEAST_FIELDS = 3
_MOST_FIELDS = 8
_MOST_ATTRIBUTION_LINES = 3


@dataclass(frozen=True, slots=True)
class Head:
    """Who wrote a message, when, about what, and to whom."""

    subject: str = ""
    sender: str = ""
    date: str = ""
    receivers: tuple[str, ...] = ()
    """Lines such as `To: …`."""


def blocks_of_message(head: Head, body: Sequence[Block], before: str = "") -> Iterator[Block]:
    """The message as a section: who and when, below its subject, where that is not the subject `before` it."""
    if head.subject and topic(head.subject) != topic(before):
        yield Block(Kind.HEADING, head.subject, level=1)
    named = [f"From: {head.sender}" if head.sender else "", f"Date: {head.date}" if head.date else ""]
    if any(named):
        yield Block(Kind.HEADING, ", ".join(filter(None, named)), level=2)
    yield Block(Kind.PROSE, "\n".join(head.receivers))
    yield from body


def topic(subject: str) -> str:
    """The subject without what replying and forwarding put before it."""
    return _REPLY.sub("", subject.strip()).strip().lower()


def blocks_of_body(text: str) -> Iterator[Block]:
    """The blocks of a plain text, those of each message that it quotes as a whole under a heading of its own."""
    lines: Sequence[str] = re.sub(r"\r\n?", "\n", text).split("\n")
    while True:
        own, heading, lines = _split(lines)
        yield from blocks_of_text("\n".join(own))
        if not heading:
            return
        yield Block(Kind.HEADING, heading, level=2)


def _split(lines: Sequence[str]) -> tuple[Sequence[str], str, Sequence[str]]:
    """The lines before the first message that is quoted down to the end, what names that message, and its lines."""
    for i, line in enumerate(lines):
        heading, quoted = "", list[str]()
        if line.startswith(("On ", "Am ", "Le ")):
            heading, quoted = _attributed(lines, i)
        elif _MARKER.match(line.strip()):
            start = next((j for j in range(i + 1, len(lines)) if lines[j].strip()), len(lines))
            heading, quoted = _headed(lines, start)
        elif _FIELD.match(line):
            heading, quoted = _headed(lines, i)
        if heading:
            return lines[:i], heading, quoted
    return lines, "", ()


def _attributed(lines: Sequence[str], first: int) -> tuple[str, list[str]]:
    """What lines such as `On Monday Ann wrote:` say, and the text below; nothing where answers stand between quotes."""
    for count in range(1, _MOST_ATTRIBUTION_LINES + 1):
        said = " ".join(" ".join(lines[first : first + count]).split())
        rest = range(first + count, len(lines))
        if _WROTE.match(said) and all(not lines[i].strip() or lines[i].startswith(">") for i in rest):
            quoted = [_unquoted(lines[i]) for i in rest]
            return (said, quoted) if any(quoted) else ("", [])
    return "", []


def _headed(lines: Sequence[str], first: int) -> tuple[str, list[str]]:
    """The sender and the date of header lines that begin with a sender, and the text below with the other lines."""
    fields = list(takewhile(bool, (_FIELD.match(line.strip()) for line in lines[first : first + _MOST_FIELDS])))
    if len(fields) < _LEAST_FIELDS or fields[0] is None or fields[0][1].lower() not in _SENDER:
        return "", []
    named = [match[0].strip("*") for match in fields if match and match[1].lower() in _SENDER | _WHEN]
    others = [match[0] for match in fields if match and match[1].lower() not in _SENDER | _WHEN]
    return ", ".join(named), [*others, "", *lines[first + len(fields) :]]


def _unquoted(line: str) -> str:
    return line[1:].removeprefix(" ") if line.startswith(">") else line
