"""Hits → hits in a better order, judged by their matched text alone: expansion comes after."""

from collections.abc import Sequence
from typing import Protocol

from tailgate.models import Hit

POOL = 4
"""A reranker is shown this many times `k` hits: from `k` it could only choose the order."""


class Reranker(Protocol):
    """Scores each hit's matched text against the query."""

    def rerank(self, query: str, hits: Sequence[Hit]) -> list[Hit]:
        """The same hits with the reranker's scores, best first."""
        ...


def rerank(reranker: Reranker | None, query: str, hits: Sequence[Hit], k: int) -> list[Hit]:
    """The best `k` hits, in the reranker's order, or in the retriever's where there is no reranker."""
    return (reranker.rerank(query, hits) if reranker else list(hits))[:k]
