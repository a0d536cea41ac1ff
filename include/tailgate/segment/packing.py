"""Consecutive units packed into runs of a bounded size."""

from array import array
from collections.abc import Callable, Iterator, Sequence
from itertools import chain

from tailgate.segment.ledger import Ledger

Run = tuple[int, int]


def pack(
    starts: Sequence[int], ends: Sequence[int], most: int, ledger: Ledger, preferred: Callable[[int], bool]
) -> list[Run]:
    """Runs (first, last) of units, in order, that cover them all; the text of each, from its first unit to its last,
    is of at most `most` tokens, or the run is a single unit.

    `starts` and `ends` say where the units lie. A full run ends behind its last unit for which `preferred` holds, if
    that leaves it at least half full.
    """
    sizes = _sizes(starts, ends, ledger)
    return [fit for run in _runs(sizes, most, preferred) for fit in _fitting(starts, ends, run, most, ledger)]


def _sizes(starts: Sequence[int], ends: Sequence[int], ledger: Ledger) -> Sequence[int]:
    """Tokens that each unit adds to a run: its own text and the gap between it and the unit before."""
    return array("I", map(ledger.count, chain(starts[:1], ends[:-1]), ends))


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


def _fitting(starts: Sequence[int], ends: Sequence[int], run: Run, most: int, ledger: Ledger) -> Iterator[Run]:
    """The run, halved where its text has more tokens than its units, counted one by one, led to expect."""
    first, last = run
    if first == last or ledger.count(starts[first], ends[last]) <= most:
        yield run
        return
    middle = (first + last) // 2
    yield from _fitting(starts, ends, (first, middle), most, ledger)
    yield from _fitting(starts, ends, (middle + 1, last), most, ledger)
