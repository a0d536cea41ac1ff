"""The text of one OpenDocument paragraph, and what is anchored in it."""

from dataclasses import dataclass, field
from typing import Any

_URN = "urn:oasis:names:tc:opendocument:xmlns:"
NS = {name: f"{{{_URN}{name}:1.0}}" for name in ("office", "text", "table", "style")}
NS["draw"] = f"{{{_URN}drawing:1.0}}"
_SVG = f"{{{_URN}svg-compatible:1.0}}"
_SPACES = {f"{NS['text']}tab": "\t", f"{NS['text']}line-break": "\n"}
_MOST_SPACES = 100


@dataclass(slots=True)
class Text:
    """What a paragraph says in its place, and the nodes (text boxes, the bodies of notes) that come after it."""

    said: str = ""
    anchored: list[Any] = field(default_factory=list)
    comments: int = 0


def flat(node: Any) -> Text:
    """The paragraph's text in one piece, white space as the format counts it."""
    text = Text()
    parts: list[str] = []
    _collect(node, text, parts)
    text.said = "".join(parts)
    return text


def _collect(node: Any, text: Text, parts: list[str]) -> None:
    parts.append(_blanks(node.text))
    for child in node:
        tag = child.tag
        if tag == f"{NS['office']}annotation":
            text.comments += 1
        elif tag == f"{NS['text']}note":
            parts.append(_blanks(child.findtext(f"{NS['text']}note-citation")))
            text.anchored += child.findall(f"{NS['text']}note-body")
        elif tag == f"{NS['draw']}text-box":
            text.anchored.append(child)
        elif tag == f"{NS['text']}s":
            count = child.get(f"{NS['text']}c") or "1"
            parts.append(" " * (min(int(count), _MOST_SPACES) if count.isascii() and count.isdigit() else 1))
        elif tag in _SPACES:
            parts.append(_SPACES[tag])
        elif isinstance(tag, str) and not tag.startswith((f"{NS['table']}", f"{_SVG}")):
            _collect(child, text, parts)
        elif tag == f"{NS['table']}table":
            text.anchored.append(child)
        parts.append(_blanks(child.tail))


def _blanks(text: str | None) -> str:
    return text.replace("\n", " ").replace("\t", " ") if text else ""
