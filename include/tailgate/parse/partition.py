"""The only module that imports unstructured: its elements become parts, without its guesses and without a download."""

import os
import sys
from collections.abc import Generator, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import lru_cache
from io import BytesIO
from types import ModuleType
from typing import Any


@dataclass(frozen=True, slots=True)
class Part:
    """What unstructured says of one element, as far as it is a fact: `category` is its class's name."""

    category: str
    text: str
    depth: int | None
    """Of a `Title`: 0 for the topmost. Some are guesses; each format knows which of them its markup states."""
    style: str
    """Of a DOCX paragraph: the name of its style."""
    page: int | None
    table: str
    """Of a table: its rows and cells as HTML."""


def partition_html(text: str) -> list[Part]:
    """The parts of an HTML document or fragment, in order."""
    _prepare()
    from unstructured.partition.html import partition_html as partition

    return list(_parts(partition(text=text, languages=[""])))


def partition_docx(data: bytes) -> list[Part]:
    """The parts of a DOCX file, in order."""
    _prepare()
    from unstructured.partition.docx import partition_docx as partition

    return list(_parts(partition(file=BytesIO(data), languages=[""], include_page_breaks=False)))


def partition_pptx(data: bytes) -> list[Part]:
    """The parts of a PPTX file, in order, each with the number of its slide."""
    _prepare()
    from unstructured.partition.pptx import partition_pptx as partition

    return list(_parts(partition(file=BytesIO(data), languages=[""], include_page_breaks=False)))


def _parts(elements: Iterable[Any]) -> Iterator[Part]:
    for element in elements:
        metadata = element.metadata
        yield Part(
            category=type(element).__name__,
            text=element.text or "",
            depth=metadata.category_depth,
            style=getattr(metadata, "style_name", None) or "",
            page=metadata.page_number,
            table=metadata.text_as_html or "",
        )


@lru_cache(maxsize=1)
def _prepare() -> None:
    """unstructured sends nothing, prints nothing and downloads nothing from now on in this process.

    Its classifier tells titles from narrative by the parts of speech that a spaCy model finds: it would fetch that
    model, and spend most of its time in it. Tailgate uses none of these guesses, so words without tags stand in. In
    HTML a paragraph is then a paragraph, whatever it looks like: there the classifier drops those of one character.
    """
    # unstructured reads both when it is first imported, and nothing else can switch its telemetry and notice off.
    os.environ.update({"DO_NOT_TRACK": "1", "UNSTRUCTURED_DISABLE_NOTICE": "1"})
    with _unloaded("spacy"):
        from unstructured.nlp import tokenize
    from unstructured.documents.elements import Text
    from unstructured.partition.html import parser

    words = _Words()
    tokenize._get_nlp = lambda: words
    parser.derive_element_type_from_text = lambda text: Text


@contextmanager
def _unloaded(name: str) -> Generator[None]:
    """An empty module stands in for one that is imported in the block and never used: spaCy brings torch with it."""
    stand_in = ModuleType(name)
    module = sys.modules.setdefault(name, stand_in)
    try:
        yield
    finally:
        if module is stand_in:
            del sys.modules[name]


@dataclass(frozen=True, slots=True)
class _Token:
    """A word or a sentence as unstructured reads it from spaCy."""

    text: str
    tag_: str = ""


class _Analysis(list[_Token]):
    """A list of words that also knows the text as its one sentence."""

    def __init__(self, text: str) -> None:
        super().__init__(map(_Token, text.split()))
        self.sents = (_Token(text),)


@dataclass(frozen=True, slots=True)
class _Words:
    """Stands in for a spaCy pipeline: splits at white space and tags nothing."""

    max_length: int = field(default=1 << 62)

    def __call__(self, text: str) -> _Analysis:
        return _Analysis(text)
