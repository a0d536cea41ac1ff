"""How sizes are spread, and how sure a share is."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

CONFIDENCE = 0.95


@dataclass(frozen=True, slots=True)
class Tail:
    """Sizes in tokens; percentiles are nearest ranks upwards, so each is the size of a real unit."""

    count: int
    median: int
    mean: float
    p95: int
    p99: int
    max: int


def tail(sizes: Sequence[int] | npt.NDArray[np.int64]) -> Tail:
    """The spread of sizes; all zero where there are none."""
    if len(sizes) == 0:
        return Tail(0, 0, 0.0, 0, 0, 0)
    median, p95, p99, most = (int(np.quantile(sizes, q, method="higher")) for q in (0.5, 0.95, 0.99, 1.0))
    return Tail(len(sizes), median, float(np.mean(sizes)), p95, p99, most)


def upper_bound(seen: int, of: int) -> float:
    """The one-sided 95 % upper Clopper-Pearson bound of a share: zero seen in 200 proves "under 1.5 %", not "none"."""
    if of == 0 or seen >= of:
        return 1.0
    low, high = seen / of, 1.0
    while high - low > 1e-9:
        middle = (low + high) / 2
        low, high = (middle, high) if _at_most(seen, of, middle) > 1 - CONFIDENCE else (low, middle)
    return high


def _at_most(seen: int, of: int, share: float) -> float:
    """The probability of seeing no more than that many, where the true share is as given."""
    if share <= 0.0:
        return 1.0
    if share >= 1.0:
        return 0.0
    hit, miss, total = math.log(share), math.log1p(-share), math.lgamma(of + 1)
    ways = (total - math.lgamma(i + 1) - math.lgamma(of - i + 1) for i in range(seen + 1))
    return math.fsum(math.exp(way + i * hit + (of - i) * miss) for i, way in enumerate(ways))
