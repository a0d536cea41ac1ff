"""Counts what a parser left out, so that nothing is dropped silently."""

from collections import Counter
from collections.abc import Iterable


def missing(visible: str, texts: Iterable[str]) -> int:
    """How many letters and digits of the visible text the texts do not hold, wherever they stand."""
    seen = Counter(visible)
    for text in texts:
        seen.subtract(text)
    return sum(count for character, count in seen.items() if count > 0 and character.isalnum())


def left_out(counts: dict[str, int]) -> tuple[str, ...]:
    """A warning for each count above zero."""
    return tuple(f"left out: {what} ({count})" for what, count in counts.items() if count)
