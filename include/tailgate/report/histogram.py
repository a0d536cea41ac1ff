"""A distribution in a dozen lines of a terminal."""

from collections.abc import Iterator, Sequence

from rich.console import Group, RenderableType
from rich.text import Text

from tailgate import glyphs
from tailgate.survey import Bin, Spread

COARSE = ("1", "2", "5")
"""First digits of the sizes at which a line ends."""
MOST_LINES = 14


def histogram(title: str, spread: Spread, *, bound: float, width: int) -> RenderableType:
    """Bars of the counts in bins of 1, 2, 5, 10, 20 … tokens; what reaches above the bound is marked."""
    bins = coarse(spread.bins)
    labels = [f"{bin.low:,}" if bin.low == bin.high else f"{bin.low:,}–{bin.high:,}" for bin in bins]
    counts = [f"{bin.count:,}" for bin in bins]
    label_width, count_width = max(map(len, labels), default=0), max(map(len, counts), default=0)
    room = max(4, width - label_width - count_width - 4)
    most = max((bin.count for bin in bins), default=1)
    lines = [Text(title, style="bold")]
    for bin, label, count in zip(bins, labels, counts, strict=True):
        above = bin.high > bound and bin.count > 0
        bar = glyphs.bar(bin.count / most, room)
        line = f"{label:>{label_width}} {bar:<{room}} {count:>{count_width}}{' *' if above else ''}"
        lines.append(Text(line, style="red" if above else "", no_wrap=True))
    if any(bin.high > bound and bin.count for bin in bins):
        lines.append(Text(f"* reaches above the bound, {bound:,.0f}", style="red"))
    return Group(*lines)


def coarse(bins: Sequence[Bin]) -> list[Bin]:
    """The same counts in bins that end at 1, 2, 5, 10, 20, 50 …; the small ones together, where they are many."""
    merged = list(_merged(bins))
    few = len(merged) - MOST_LINES + 1
    if few > 1:
        head, merged = merged[:few], merged[few:]
        merged.insert(0, Bin(head[0].low, head[-1].high, sum(bin.count for bin in head)))
    return merged


def _merged(bins: Sequence[Bin]) -> Iterator[Bin]:
    low, count = None, 0
    for number, bin in enumerate(bins):
        low, count = bin.low if low is None else low, count + bin.count
        if number == len(bins) - 1 or str(bin.high).rstrip("0") in {*COARSE, ""}:
            yield Bin(low, bin.high, count)
            low, count = None, 0
