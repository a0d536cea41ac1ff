"""Consecutive units packed into runs of a bounded size."""

from collections.abc import Callable, Sequence


def flow_tokens(text: str, spans: Sequence[tuple[int, int]], count: Callable[[Sequence[str]], list[int]]) -> list[int]:
    """Tokens that each span adds to a run: its own text and the gap between it and the span before."""
    befores = [spans[0][0], *(end for _, end in spans[:-1])] if spans else []
    return count([text[before:end] for before, (_, end) in zip(befores, spans, strict=True)])


def pack(sizes: Sequence[int], most: int, preferred: Callable[[int], bool]) -> list[tuple[int, int]]:
    """Runs (first, last), in order, that cover all units, each of at most `most` or of a single larger unit.

    A full run ends behind its last unit for which `preferred` holds, if that leaves it at least half full.
    """
    runs: list[tuple[int, int]] = []
    first = size = 0
    for unit, more in enumerate(sizes):
        if unit > first and size + more > most:
            cut = _cut_before(sizes, first, unit, most, preferred)
            runs.append((first, cut - 1))
            first, size = cut, sum(sizes[cut:unit])
        size += more
    return [*runs, (first, len(sizes) - 1)] if sizes else []


def _cut_before(sizes: Sequence[int], first: int, unit: int, most: int, preferred: Callable[[int], bool]) -> int:
    size = sum(sizes[first:unit])
    for last in range(unit - 1, first, -1):
        if preferred(last):
            return last + 1
        size -= sizes[last]
        if 2 * size < most:
            break
    return unit
