"""Segmented documents on their way between processes: the text once, and units as numbers that point into it.

As plain pickles the windows alone would be five times the text. What arrives stays packed, and units are made while
somebody goes through them, so that a large document is never there as millions of objects.
"""

import pickle
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, fields, replace
from itertools import islice
from operator import attrgetter
from typing import Any, TypeVar

from tailgate.models import Child, Element, Parent, ParsedDocument, SegmentedDocument, Sentence, Shape, Window
from tailgate.segment.lazy import Lazy
from tailgate.segment.windows import join_ranges, ranges_of

PIECE = 1_000_000
"""Characters of the text in one frame."""
CHUNK = 2048
"""Units in one frame: what is unpacked at a time."""
Row = tuple[Any, ...]
Unit = TypeVar("Unit")


@dataclass(frozen=True, slots=True)
class Head:
    """The first frame of a document: what is small, and how much follows of its text and of each kind of unit."""

    parsed: ParsedDocument
    shape: Shape
    tokens: int
    chars: int
    counts: tuple[int, int, int, int, int]


class Units(Lazy[Unit]):
    """Units of one kind, each made when it is asked for; asking in order, also for one again and again, is cheap."""

    def __init__(self, frames: Sequence[bytes | bytearray], count: int, made: Callable[[Row], Unit]) -> None:
        self._frames = frames
        self._count = count
        self._made = made
        self._open: tuple[int, list[Row]] = (-1, [])
        self._last: tuple[int, Unit] | None = None

    def __len__(self) -> int:
        return self._count

    def __iter__(self) -> Iterator[Unit]:
        for frame in self._frames:
            yield from map(self._made, pickle.loads(frame))

    def at(self, position: int) -> Unit:
        """The unit that stands there."""
        if self._last is None or self._last[0] != position:
            self._last = (position, self._made(self._row(position)))
        return self._last[1]

    def _row(self, position: int) -> Row:
        frame, row = divmod(position, CHUNK)
        if self._open[0] != frame:
            self._open = (frame, pickle.loads(self._frames[frame]))
        return self._open[1][row]


def packed(document: SegmentedDocument) -> Iterator[bytes]:
    """The document as frames: head, text, then its units, at most CHUNK of one kind a frame."""
    text, sentences = document.parsed.text, document.sentences
    ranges = ((*_WINDOW(window), ranges_of(sentences, window.first, window.last)) for window in document.windows)
    kinds = (document.parsed.elements, sentences, document.windows, document.parents, document.children)
    counts = (len(kinds[0]), len(kinds[1]), len(kinds[2]), len(kinds[3]), len(kinds[4]))
    parsed = replace(document.parsed, text="", elements=())
    yield _dumps(Head(parsed, document.shape, document.tokens, len(text), counts))
    yield from (text[at : at + PIECE].encode("utf-8", "surrogatepass") for at in range(0, len(text), PIECE))
    yield from _frames(map(_ELEMENT, document.parsed.elements))
    yield from _frames(map(_SENTENCE, sentences))
    yield from _frames(ranges)
    yield from _frames(map(_PARENT, document.parents))
    yield from _frames(map(_CHILD, document.children))


def unpacked(head: Head, receive: Callable[[], bytes | bytearray]) -> SegmentedDocument:
    """The document whose head has arrived; `receive` gives its other frames, in order."""
    text = "".join(str(receive(), "utf-8", "surrogatepass") for _ in range(-(-head.chars // PIECE)))
    frames = [[receive() for _ in range(-(-count // CHUNK))] for count in head.counts]
    elements, sentences, windows, parents, children = zip(frames, head.counts, strict=True)
    return SegmentedDocument(
        parsed=replace(head.parsed, text=text, elements=tuple(Units(*elements, lambda row: Element(*row)))),
        shape=head.shape,
        tokens=head.tokens,
        sentences=Units(*sentences, _with_slice(Sentence, text)),
        windows=Units(*windows, _with_ranges(text)),
        parents=Units(*parents, _with_slice(Parent, text)),
        children=Units(*children, _with_slice(Child, text)),
    )


def _names(kind: Any) -> list[str]:
    return [field.name for field in fields(kind)]


def _but_text(kind: type[Any]) -> "attrgetter[Row]":
    return attrgetter(*(name for name in _names(kind) if name != "text"))


_ELEMENT, _SENTENCE, _WINDOW, _PARENT, _CHILD = map(_but_text, (Element, Sentence, Window, Parent, Child))


def _frames(rows: Iterable[Row]) -> Iterator[bytes]:
    rows = iter(rows)
    while chunk := list(islice(rows, CHUNK)):
        yield _dumps(chunk)


def _dumps(value: object) -> bytes:
    return pickle.dumps(value, pickle.HIGHEST_PROTOCOL)


def _with_slice(kind: Callable[..., Unit], text: str) -> Callable[[Row], Unit]:
    """Makes a unit of its row, and its text of its offsets."""
    names = _names(kind)
    at, start, end = names.index("text"), names.index("char_start"), names.index("char_end")

    def made(row: Row) -> Unit:
        return kind(*row[:at], text[row[start] : row[end]], *row[at:])

    return made


def _with_ranges(text: str) -> Callable[[Row], Window]:
    """Makes a window of its row, which ends with the ranges that its text is joined of."""
    kind: Callable[..., Window] = Window
    at = _names(Window).index("text")

    def made(row: Row) -> Window:
        return kind(*row[:at], join_ranges(text, row[-1]), *row[at:-1])

    return made
