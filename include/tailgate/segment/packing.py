"""Consecutive units packed into runs of a bounded size."""

from collections.abc import Callable, Iterator, Sequence

from tailgate.segment.splitter import Span
from tailgate.segment.tokens import Tokenizer

Run = tuple[int, int]


def pack(
    text: str, spans: Sequence[Span], most: int, tokenizer: Tokenizer, preferred: Callable[[int], bool]
) -> list[Run]:
    """Runs (first, last) of spans, in order, that cover them all; the text of each, from its first span to its last,
    is of at most `most` tokens, or the run is a single span.

    A full run ends behind its last span for which `preferred` holds, if that leaves it at least half full.
    """
    sizes = _sizes(text, spans, tokenizer)
    return [fit for run in _runs(sizes, most, preferred) for fit in _fitting(text, spans, run, most, tokenizer)]


def _sizes(text: str, spans: Sequence[Span], tokenizer: Tokenizer) -> list[int]:
    """Tokens that each span adds to a run: its own text and the gap between it and the span before."""
    befores = [spans[0][0], *(end for _, end in spans[:-1])] if spans else []
    return tokenizer.counts([text[before:end] for before, (_, end) in zip(befores, spans, strict=True)])


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


def _fitting(text: str, spans: Sequence[Span], run: Run, most: int, tokenizer: Tokenizer) -> Iterator[Run]:
    """The run, halved where its text has more tokens than its spans, counted one by one, led to expect."""
    first, last = run
    if first == last or tokenizer.count(text[spans[first][0] : spans[last][1]]) <= most:
        yield run
        return
    middle = (first + last) // 2
    yield from _fitting(text, spans, (first, middle), most, tokenizer)
    yield from _fitting(text, spans, (middle + 1, last), most, tokenizer)
