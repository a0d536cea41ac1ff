"""Segmented documents on their way between processes: the text once, and units as columns that point into it.

As plain pickles the windows alone would be five times the text. What arrives makes its units while somebody goes
through them, as what was sent did, so that a large document is never there as millions of objects.
"""

import pickle
from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields
from io import BytesIO
from operator import attrgetter
from typing import Any

from tailgate.models import Element, SegmentedDocument

PIECE = 1_000_000
"""Characters of the text in one frame."""
CHUNK = 2048
"""Elements in one frame."""
_ROW = attrgetter(*(field.name for field in fields(Element)))


def packed(document: SegmentedDocument) -> Iterator[bytes]:
    """The document as frames: how many elements and characters there are, elements, all that has columns, and the text.

    The text is last: while it is copied on the other side, nothing else is left on this one.
    """
    text, elements = document.parsed.text, document.parsed.elements
    yield _dumps((len(elements), len(text)))
    for at in range(0, len(elements), CHUNK):
        yield _dumps([_ROW(element) for element in elements[at : at + CHUNK]])
    yield _columns(document)
    del document, elements
    yield from (text[at : at + PIECE].encode("utf-8", "surrogatepass") for at in range(0, len(text), PIECE))


def unpacked(sizes: tuple[int, int], receive: Callable[[], bytes | bytearray]) -> SegmentedDocument:
    """The document whose first frame has arrived; `receive` gives its other frames, in order."""
    chunks, pieces = -(-sizes[0] // CHUNK), -(-sizes[1] // PIECE)
    elements = tuple(Element(*row) for _ in range(chunks) for row in pickle.loads(receive()))
    columns, whole = receive(), bytearray()
    for _ in range(pieces):
        whole += receive()
    named = {"text": str(whole, "utf-8", "surrogatepass"), "elements": elements}
    document: SegmentedDocument = _Unpickler(BytesIO(columns), named).load()
    return document


def _columns(document: SegmentedDocument) -> bytes:
    file = BytesIO()
    names = {id(document.parsed.text): "text", id(document.parsed.elements): "elements"}
    _Pickler(file, names).dump(document)
    return file.getvalue()


class _Pickler(pickle.Pickler):
    """Writes names for the objects that have one, wherever they are part of another."""

    def __init__(self, file: BytesIO, names: Mapping[int, str]) -> None:
        super().__init__(file, pickle.HIGHEST_PROTOCOL)
        self._names = names

    def persistent_id(self, obj: object) -> str | None:
        return self._names.get(id(obj))


class _Unpickler(pickle.Unpickler):
    """Puts the objects in place of their names."""

    def __init__(self, file: BytesIO, named: Mapping[str, Any]) -> None:
        super().__init__(file)
        self._named = named

    def persistent_load(self, pid: str) -> Any:
        return self._named[pid]


def _dumps(value: object) -> bytes:
    return pickle.dumps(value, pickle.HIGHEST_PROTOCOL)
