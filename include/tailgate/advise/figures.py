"""The figures that advice is decided from, of any part of a corpus."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tailgate.config import Gates
from tailgate.gates.material import authored_parents, raw_sentences
from tailgate.gates.tail import percentile
from tailgate.models import UNSEGMENTABLE
from tailgate.survey import Material

if TYPE_CHECKING:
    import pandas as pd

SPRAWLING_TOKENS = 1500
"""The size from which a section is no unit that anybody reads whole."""
FEW = 20
"""Sentences below which a percentile says nothing about them."""


@dataclass(frozen=True, slots=True)
class Figures:
    """Sentences and sections as they are, before any cut; sizes in tokens."""

    documents: int
    tokens: int
    sentences: int
    sentence_p95: int
    cut_share: float
    """Of the sentences: those that the hard cap cut."""
    unsegmentable_share: float
    """Of the characters: those in code, JSON, log lines and sentences that were cut."""
    parents: int
    authored: int
    authored_p99: int
    authored_max: int
    sprawling_share: float
    """Of the tokens in authored sections: those in sections of more than 1,500."""

    def sentences_hold(self, gates: Gates) -> bool:
        """Whether a sentence is a unit there: windows count them, whatever they are."""
        if self.sentences < FEW and not self.cut_share:
            return True
        long = self.sentences >= FEW and self.sentence_p95 > gates.sentence_tokens_p95.max
        return not long and self.cut_share <= gates.pseudo_sentence_share.max


def figures(material: Material, shape: str | None = None) -> Figures:
    """The figures of all documents, or of those of one shape."""
    documents, sentences, parents = (
        rows if shape is None else rows[rows["shape"] == shape]
        for rows in (material.documents, material.sentences, material.parents)
    )
    raw, sizes = raw_sentences(sentences), authored_parents(parents)["raw_tokens"]
    cut = sentences["pseudo"].astype(bool)
    lines = sentences["kind"].isin([str(kind) for kind in UNSEGMENTABLE]) | cut
    return Figures(
        documents=len(documents),
        tokens=int(documents["tokens"].sum()),
        sentences=len(raw),
        sentence_p95=rank(raw["raw_tokens"], 95),
        cut_share=_share(int(raw["pseudo"].astype(bool).sum()), len(raw)),
        unsegmentable_share=_share(int(sentences.loc[lines, "chars"].sum()), int(sentences["chars"].sum())),
        parents=int((parents["piece"] == 0).sum()),
        authored=len(sizes),
        authored_p99=rank(sizes, 99),
        authored_max=rank(sizes, 100),
        sprawling_share=_share(int(sizes[sizes > SPRAWLING_TOKENS].sum()), int(sizes.sum())),
    )


def rank(values: "pd.Series[int]", per_cent: int) -> int:
    """The percentile by nearest rank; 0 of no values."""
    return int(percentile(values, per_cent) or 0)


def _share(part: int, whole: int) -> float:
    return part / whole if whole else 0.0
