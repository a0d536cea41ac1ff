"""The read side's steps, each of one verb: retrieve, rerank, expand, merge, fit.

Hits carry scores and matched text only; passages carry expanded text and no score. `rerank` takes hits, `expand` turns
them into passages, `merge` and `fit` take passages: the wrong order does not type-check.
"""

from tailgate.retrieve.expand import Expansion, Radius, expand
from tailgate.retrieve.fit import fit
from tailgate.retrieve.merge import merge
from tailgate.retrieve.reader import Reader, open_reader
from tailgate.retrieve.request import Asked, Request, settle
from tailgate.retrieve.rerank import Reranker, rerank
from tailgate.retrieve.retrieve import retrieve

__all__ = [
    "Asked",
    "Expansion",
    "Radius",
    "Reader",
    "Request",
    "Reranker",
    "expand",
    "fit",
    "merge",
    "open_reader",
    "rerank",
    "retrieve",
    "settle",
]
