"""The largest units, one of each document, with their places and first words."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tailgate.config import Corpus
from tailgate.gates.material import authored_parents, raw_sentences
from tailgate.survey.material import Material, Unit

if TYPE_CHECKING:
    import pandas as pd

WORST = 5


@dataclass(frozen=True, slots=True)
class Worst:
    """One of the largest units: where it is, how large, and how many of its document are above the bound."""

    document: str
    ordinal: int
    tokens: int
    above: int
    line: int | None
    page: int | None
    heading_path: tuple[str, ...]
    words: str
    opening: str


@dataclass(frozen=True, slots=True)
class WorstUnits:
    """The largest first; empty for a design that is not built."""

    sentences: tuple[Worst, ...]
    windows: tuple[Worst, ...]
    parents: tuple[Worst, ...]


def worst_units(material: Material, corpus: Corpus) -> WorstUnits:
    """Raw sentences, windows by the sentence in their middle, and authored parents before any split."""
    search, gates, sentences = corpus.search, corpus.gates, material.sentences
    room = (search.budget_tokens - search.reserve_tokens) / search.k
    raw, authored = raw_sentences(sentences), authored_parents(material.parents)
    windows = _worst(material, "sentence", sentences, "window_tokens", room) if "window_tokens" in sentences else ()
    return WorstUnits(
        sentences=tuple(_worst(material, "sentence", raw, "raw_tokens", gates.sentence_tokens_p95.max)),
        windows=tuple(windows),
        parents=tuple(_worst(material, "parent", authored, "raw_tokens", gates.parent_tokens_p99.max)),
    )


def _worst(material: Material, unit: Unit, rows: "pd.DataFrame", column: str, most: float) -> Iterator[Worst]:
    first = rows.sort_values(column, ascending=False, kind="stable").drop_duplicates("document")
    order = first.sort_values([column, "document"], ascending=[False, True]).head(WORST)
    row: Any
    for row in order.itertuples(index=False):
        above = rows.loc[rows["document"] == row.document, column] > most
        seen = material.sight(unit, row.document, row.ordinal)
        size = int(getattr(row, column))
        where = seen.line, seen.page, seen.heading_path, seen.words, seen.opening
        yield Worst(row.document, int(row.ordinal), size, int(above.sum()), *where)
