"""Faults of vectors: each is there, finite and of length one; all have one dimension. Streams batch by batch."""

from collections.abc import Iterable
from typing import Any

import numpy as np

TOLERANCE = 1e-3
"""How far from one a norm may be."""


def vector_faults(batches: Iterable[Any], key: str) -> tuple[dict[str, str], set[int]]:
    """What is wrong with vectors, by the row's id, and every dimension seen.

    Each batch is an Arrow record batch with the columns `key` and `vector`, the latter lists of a fixed size.
    """
    faults: dict[str, str] = {}
    dimensions: set[int] = set()
    for batch in batches:
        names, column = batch.column(key).to_pylist(), batch.column("vector")
        dimensions.add(int(column.type.list_size))
        norms = np.full(len(names), np.nan)
        there = column.is_valid().to_numpy(zero_copy_only=False)
        norms[there] = _norms(column)
        for row in np.flatnonzero(~(np.abs(norms - 1) <= TOLERANCE)):
            faults[names[row]] = f"its vector has the norm {norms[row]:.6g}" if there[row] else "it has no vector"
    return faults, dimensions


def _norms(column: Any) -> Any:
    """The norm of each vector that is there; not a number, or infinite, where one of its values is."""
    values = column.drop_null().flatten().to_numpy(zero_copy_only=False).astype(np.float64)
    matrix = values.reshape(-1, column.type.list_size)
    return np.sqrt(np.einsum("ij,ij->i", matrix, matrix))
