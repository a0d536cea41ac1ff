"""What a prompt of each design would cost: ceilings that are computed, and estimates that are called that."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tailgate.advise.figures import rank
from tailgate.config import Corpus, Design, Search
from tailgate.survey import Material

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, slots=True)
class Cost:
    """Tokens of one design's units, and of a prompt of k of them with the reserve."""

    design: Design
    unit_median: int
    unit_p99: int
    unit_max: int
    prompt_typical: int
    """An estimate: k times the median unit that a sentence drawn at random brings, without any merging."""
    prompt_ceiling: int
    """Computed: no prompt can be larger."""
    budget: int
    guaranteed: bool
    """Whether the ceiling is within the budget, so that no query can overflow it."""
    reading: str


def costs(material: Material, corpus: Corpus) -> tuple[Cost, ...]:
    """The cost of windows and of parents, where there are any."""
    sentences, found = material.sentences, list[Cost]()
    if "window_tokens" in sentences and sentences["window_tokens"].notna().any():
        found.append(_window(sentences["window_tokens"].dropna().astype(int), corpus.search))
    if len(material.parents):
        found.append(_parent(material.parents["tokens"], corpus.search))
    return tuple(found)


def _window(sizes: "pd.Series[int]", search: Search) -> Cost:
    largest, room = int(sizes.max()), search.budget_tokens - search.reserve_tokens
    ceiling = search.k * largest + search.reserve_tokens
    sum_of = f"{search.k} × {largest:,} (the largest window) + {search.reserve_tokens:,} reserved"
    reading = f"{sum_of} = {ceiling:,} of {search.budget_tokens:,}: "
    if ceiling <= search.budget_tokens:
        reading += "computed, no query can exceed it"
    elif room // largest:
        reading += f"a query may overflow; none can with k = {room // largest}, or perhaps with a smaller radius"
    else:
        reading += "a single window may overflow"
    return _cost("window", sizes, rank(sizes, 50), ceiling, search, reading)


def _parent(sizes: "pd.Series[int]", search: Search) -> Cost:
    together = int(sizes.nlargest(search.k).sum())
    ceiling = together + search.reserve_tokens
    sum_of = f"the {search.k} largest together {together:,} + {search.reserve_tokens:,} reserved"
    reading = f"{sum_of} = {ceiling:,} of {search.budget_tokens:,}: "
    if ceiling <= search.budget_tokens:
        reading += "computed, no query can exceed it"
    else:
        reading += "no guarantee; whether questions bring such sections together, only measuring tells"
    return _cost("parent", sizes, _of_a_hit(sizes), ceiling, search, reading)


def _of_a_hit(sizes: "pd.Series[int]") -> int:
    """The median where sizes count by themselves: a hit falls into a section the more often, the longer it is."""
    ordered = sizes.sort_values()
    before = ordered.cumsum()
    return int(ordered[before >= before.iloc[-1] / 2].iloc[0])


def _cost(design: Design, sizes: "pd.Series[int]", hit: int, ceiling: int, search: Search, reading: str) -> Cost:
    typical = min(ceiling, search.k * hit + search.reserve_tokens)
    fits = ceiling <= search.budget_tokens
    median, p99, most = (rank(sizes, per_cent) for per_cent in (50, 99, 100))
    return Cost(design, median, p99, most, typical, ceiling, search.budget_tokens, fits, reading)
