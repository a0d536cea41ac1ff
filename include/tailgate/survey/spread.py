"""How sizes are spread: percentiles that are real units, and counts in bins of growing width."""

from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count
from typing import TYPE_CHECKING, Any

from tailgate.gates.tail import percentile

if TYPE_CHECKING:
    import pandas as pd

STEPS = (1, 2, 3, 5, 7)
"""Upper ends of bins in each power of ten: about equally far apart on a logarithmic scale, and round."""


@dataclass(frozen=True, slots=True)
class Bin:
    """How many units have `low` to `high` tokens, both included."""

    low: int
    high: int
    count: int


@dataclass(frozen=True, slots=True)
class Spread:
    """How the sizes of one kind of unit are spread, in tokens; percentiles are nearest ranks, so real units.

    `bins` follow one another without a gap, from the smallest unit's to the largest one's.
    """

    count: int
    median: int
    p95: int
    p99: int
    max: int
    mean: float = 0.0
    bins: tuple[Bin, ...] = ()


def spread(tokens: "pd.Series[Any]") -> Spread:
    """The spread of sizes in tokens; all zeros, and no bins, of no sizes."""
    if not len(tokens):
        return Spread(0, 0, 0, 0, 0)
    median, p95, p99, most = (int(percentile(tokens, per_cent) or 0) for per_cent in (50, 95, 99, 100))
    return Spread(len(tokens), median, p95, p99, most, round(float(tokens.mean()), 2), _bins(tokens))


def _bins(tokens: "pd.Series[Any]") -> tuple[Bin, ...]:
    import numpy as np

    ends = list(_ends(int(tokens.max())))
    counts = np.bincount(np.searchsorted(ends, tokens.to_numpy()), minlength=len(ends))
    bins = [Bin(low + 1, high, int(n)) for low, high, n in zip([-1, *ends[:-1]], ends, counts, strict=True)]
    return tuple(bins[bisect_left(ends, int(tokens.min())) :])


def _ends(most: int) -> Iterator[int]:
    """0, 1, 2, 3, 5, 7, 10, 20 … up to the first that is not below `most`."""
    yield 0
    if most == 0:
        return
    for power in count():
        for step in STEPS:
            yield step * 10**power
            if step * 10**power >= most:
                return
