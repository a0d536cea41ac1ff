"""Consecutive units packed into runs of a bounded size."""

from collections.abc import Callable, Iterator, Sequence

from tailgate.segment.ledger import Ledger
from tailgate.segment.splitter import Span

Run = tuple[int, int]


def pack(spans: Sequence[Span], most: int, ledger: Ledger, preferred: Callable[[int], bool]) -> list[Run]:
    """Runs (first, last) of spans, in order, that cover them all; the text of each, from its first span to its last,
    is of at most `most` tokens, or the run is a single span.

    A full run ends behind its last span for which `preferred` holds, if that leaves it at least half full.
    """
    sizes = _sizes(spans, ledger)
    return [fit for run in _runs(sizes, most, preferred) for fit in _fitting(spans, run, most, ledger)]


def _sizes(spans: Sequence[Span], ledger: Ledger) -> list[int]:
    """Tokens that each span adds to a run: its own text and the gap between it and the span before."""
    befores = [spans[0][0], *(end for _, end in spans[:-1])] if spans else []
    return [ledger.count(before, end) for before, (_, end) in zip(befores, spans, strict=True)]


def _runs(sizes: Sequence[int], most: int, preferred: Callable[[int], bool]) -> list[Run]:
    runs: list[Run] = []
    first = size = 0
    for unit, more in enumerate(sizes):
        while unit > first and size + more > most:
            cut = _cut_before(sizes, first, unit, most, preferred)
            runs.append((first, cut - 1))
            first, size = cut, sum(sizes[cut:unit])
        size += more
    return [*runs, (first, len(sizes) - 1)] if sizes else []


def _cut_before(sizes: Sequence[int], first: int, unit: int, most: int, preferred: Callable[[int], bool]) -> int:
    size = sum(sizes[first:unit])
    for last in range(unit - 1, first - 1, -1):
        if preferred(last):
            return last + 1
        size -= sizes[last]
        if 2 * size < most:
            break
    return unit


def _fitting(spans: Sequence[Span], run: Run, most: int, ledger: Ledger) -> Iterator[Run]:
    """The run, halved where its text has more tokens than its spans, counted one by one, led to expect."""
    first, last = run
    if first == last or ledger.count(spans[first][0], spans[last][1]) <= most:
        yield run
        return
    middle = (first + last) // 2
    yield from _fitting(spans, (first, middle), most, ledger)
    yield from _fitting(spans, (middle + 1, last), most, ledger)
