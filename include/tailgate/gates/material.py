"""The raw material that the shape gates read."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tailgate.models import Origin

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, slots=True)
class ShapeUnits:
    """The units that the release would hold, carried over and new together.

    `sentences` has document, shape, ordinal, kind, chars, raw_tokens, piece, pseudo (and, where windows are built,
    window_tokens); `parents` has document, heading_path, origin, piece, tokens, raw_tokens.
    """

    sentences: "pd.DataFrame"
    parents: "pd.DataFrame"
    documents: int
    quarantined: int
    lost_documents: int
    base_documents: int | None
    base_sentences: int | None
    largest_window_tokens: int


def raw_sentences(sentences: "pd.DataFrame") -> "pd.DataFrame":
    """Each raw sentence once, as long as it was before the hard cap."""
    return sentences[sentences["piece"] == 0]


def authored_parents(parents: "pd.DataFrame") -> "pd.DataFrame":
    """Each authored parent once, as large as it was before a split."""
    return parents[(parents["piece"] == 0) & (parents["origin"] != Origin.SYNTHETIC.value)]
