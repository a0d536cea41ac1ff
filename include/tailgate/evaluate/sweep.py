"""The radius table: what a window costs at each radius, measured on every window, beside the laws that predict it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from tailgate.config import Corpus
from tailgate.evaluate.lengths import Layout, Lengths, layouts
from tailgate.evaluate.tail import Tail, tail
from tailgate.retrieve import Radius
from tailgate.segment.tokens import Tokenizer, open_tokenizer
from tailgate.store import open_store


@dataclass(frozen=True, slots=True)
class RadiusRow:
    """One radius. Exactly: `unit.mean == law_mean - clamping + headers + joins`."""

    radius: int
    sentences: int
    """`2 × radius + 1`: what a window holds where nothing clamps it."""
    unit: Tail
    prompt_tokens: int
    """k × the median unit."""
    ceiling_tokens: int
    """k × the largest unit: no query can send more."""
    product: int
    """Sentences × the median sentence: near, where lengths are mildly skewed."""
    residual: int
    """The median unit less the product."""
    law_mean: float
    """Sentences × the mean sentence."""
    clamping: float
    """What the ends of documents (or sections) take from the law's mean, computed from positions."""
    headers: float
    """What table headers that travel with their rows add to the mean."""
    joins: float
    """What is left: tokens of line breaks and spaces between sentences, and merges over their boundaries."""


@dataclass(frozen=True, slots=True)
class SweepReport:
    """The radius table of one release; every window of every radius was tokenised, none was estimated."""

    corpus: str
    release_id: str
    encoding: str
    k: int
    within: Literal["document", "section"]
    documents: int
    sentence: Tail
    rows: tuple[RadiusRow, ...]


def sweep(
    corpus: Corpus,
    radii: Sequence[int] = (0, 1, 2, 4, 8),
    progress: Callable[[str, int, int], None] = lambda step, done, total: None,
) -> SweepReport:
    """The radius table of the published release; raises NoRelease before the first build.

    It reads stored sentences and texts and embeds nothing: a radius needs no vector.
    """
    store = open_store(corpus)
    release = store.release()
    tokenizer = open_tokenizer(corpus.tokens.encoding)
    documents = layouts(store.snapshot(release))
    sentence = tail(np.concatenate([document.tokens for document in documents] or [np.empty(0, np.int64)]))
    rows = []
    for done, radius in enumerate(radii, start=1):
        lengths = measure(documents, Radius(radius, radius, corpus.window.within), tokenizer)
        rows.append(_row(radius, lengths, sentence, corpus.search.k))
        progress("sweep", done, len(radii))
    return SweepReport(
        corpus=corpus.name,
        release_id=release.release_id,
        encoding=corpus.tokens.encoding,
        k=corpus.search.k,
        within=corpus.window.within,
        documents=len(documents),
        sentence=sentence,
        rows=tuple(rows),
    )


def measure(documents: Sequence[Layout], radius: Radius, tokenizer: Tokenizer) -> Lengths:
    """The lengths of all windows of all documents at that radius, end to end."""
    parts = [document.lengths(radius, tokenizer) for document in documents]
    parts = parts or [Lengths(*(np.empty(0, np.int64) for _ in range(3)))]
    return Lengths(
        np.concatenate([part.measured for part in parts]),
        np.concatenate([part.sentences for part in parts]),
        np.concatenate([part.headers for part in parts]),
    )


def _row(radius: int, lengths: Lengths, sentence: Tail, k: int) -> RadiusRow:
    sentences, unit = 2 * radius + 1, tail(lengths.measured)
    law = sentences * sentence.mean
    predicted, headers = (float(part.mean()) if part.size else 0.0 for part in (lengths.sentences, lengths.headers))
    return RadiusRow(
        radius=radius,
        sentences=sentences,
        unit=unit,
        prompt_tokens=k * unit.median,
        ceiling_tokens=k * unit.max,
        product=sentences * sentence.median,
        residual=unit.median - sentences * sentence.median,
        law_mean=law,
        clamping=law - predicted,
        headers=headers,
        joins=unit.mean - predicted - headers,
    )
