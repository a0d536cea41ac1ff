"""What the tests of the parsers share: files that never were on a disk, and the two invariants of every document."""

from collections.abc import Callable

import pytest

from tailgate.config import Corpus, Source
from tailgate.models import Kind, ParsedDocument, SegmentedDocument, SourceFile
from tailgate.parse import parse
from tailgate.segment import open_segmenter

Parse = Callable[[str, bytes | str], ParsedDocument]


def assert_covered(document: ParsedDocument) -> None:
    """Every non-blank character lies in exactly one element, elements are in order, and none is blank."""
    position = 0
    for element in document.elements:
        assert position <= element.char_start < element.char_end <= len(document.text)
        assert not document.text[position : element.char_start].strip()
        assert document.text[element.char_start : element.char_end].strip()
        position = element.char_end
    assert not document.text[position:].strip()
    document.text.encode("utf-8")


@pytest.fixture(scope="session")
def parsed() -> Parse:
    """`parsed("a.md", "# Text")` is the document, after a look at its coverage."""

    def parse_one(name: str, content: bytes | str) -> ParsedDocument:
        data = content.encode() if isinstance(content, str) else content
        document = parse(data, SourceFile(uri=f"/data/{name}", path=name, size=len(data), modified=None))
        assert_covered(document)
        return document

    return parse_one


@pytest.fixture(scope="session")
def outline() -> Callable[[ParsedDocument], list[tuple[Kind, str]]]:
    """Kind and text of every element."""

    def kinds_and_texts(document: ParsedDocument) -> list[tuple[Kind, str]]:
        return [(element.kind, document.text[element.char_start : element.char_end]) for element in document.elements]

    return kinds_and_texts


@pytest.fixture(scope="session")
def segmented(parsed: Parse) -> Callable[[str, bytes | str], SegmentedDocument]:
    """`segmented("a.md", "# Text")` is the document with its sentences and parents, with every default."""
    segmenter = open_segmenter(Corpus(name="parsed", source=Source(uri=".")))
    return lambda name, content: segmenter.segment(parsed(name, content))
