"""What a report is made of: numbers of every unit, and a look at the few that a person should see."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    import pandas as pd

Unit = Literal["sentence", "parent"]


@dataclass(frozen=True, slots=True)
class Sight:
    """Where a unit stands, as far as that is known, and how it begins."""

    line: int | None = None
    """In the file, from 1; known where the canonical text is the file's text."""
    page: int | None = None
    heading_path: tuple[str, ...] = ()
    words: str = ""
    opening: str = ""
    """Its first characters as they are, to find it in a file whose text is another than the canonical one."""


@dataclass(frozen=True, slots=True)
class Warned:
    """A warning that parsers gave: as one document has it, and how many documents have it, be it with other figures."""

    message: str
    documents: int
    example: str


@dataclass(frozen=True, slots=True)
class Material:
    """Frames of numbers, a row a unit, and no text.

    `documents` has document, shape, chars, tokens, sentences, parents, warnings (how many); `sentences` and `parents`
    what `tailgate.gates.ShapeUnits` asks for, with `shape` and `ordinal`, and `place` of units that were looked at.
    """

    documents: "pd.DataFrame"
    sentences: "pd.DataFrame"
    parents: "pd.DataFrame"
    warnings: tuple[Warned, ...]
    sight: Callable[[Unit, str, int], Sight]
    """A look at the unit of a document with that ordinal: known of the largest units of each document at least."""


def place_of(sight: Sight, otherwise: str) -> str:
    """The line, the page and the headings, as many of them as are known."""
    parts = [f"line {sight.line:,}" if sight.line else "", f"page {sight.page:,}" if sight.page else ""]
    return ", ".join(part for part in [*parts, " > ".join(sight.heading_path)] if part) or otherwise
