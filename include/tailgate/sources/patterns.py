"""Globs over a path relative to its source: `*` stays inside one name, `**` stands for any number of folders.

`{date}` in a pattern stands for a day, written 2026-11-30; callers say which days fit.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from datetime import date
from fnmatch import fnmatchcase, translate
from functools import lru_cache

from tailgate.config import DATE

Days = Callable[[date], bool]


def every_day(day: date) -> bool:
    """Whatever day it is."""
    return True


def matches(path: str, pattern: str, days: Days = every_day) -> bool:
    """Whether the whole path fits: `**/*.txt` fits `a.txt` and `b/c/a.txt`, `*.txt` fits `a.txt` only."""
    wanted = _simplified(pattern)
    return len(wanted) in _reached(path.split("/"), wanted, days)


def matches_folder(path: str, pattern: str) -> bool:
    """Whether the path, or a folder that it lies in, fits: `drafts` fits `drafts/a.txt`."""
    parts = path.split("/")
    return any(matches("/".join(parts[:length]), pattern) for length in range(1, len(parts) + 1))


def may_hold(folder: str, patterns: Iterable[str], days: Days = every_day) -> bool:
    """Whether a file below the folder can fit one of the patterns."""
    parts = folder.split("/")
    return any(
        min(_reached(parts, wanted, days), default=len(wanted)) < len(wanted) for wanted in map(_simplified, patterns)
    )


def taken(path: str, include: Sequence[str], exclude: Sequence[str], days: Days = every_day) -> bool:
    """Whether some pattern includes the path and none excludes it or a folder that it lies in."""
    included = any(matches(path, pattern, days) for pattern in include)
    return included and not any(matches_folder(path, pattern) for pattern in exclude)


def _simplified(pattern: str) -> list[str]:
    """The pattern's parts, without `./` and the slash at either end, and with one `**` for several in a row."""
    parts = [part for part in pattern.split("/") if part not in ("", ".")]
    return [part for i, part in enumerate(parts) if part != "**" or i == 0 or parts[i - 1] != "**"]


def _reached(parts: Sequence[str], wanted: Sequence[str], days: Days) -> set[int]:
    """How many parts of the pattern the path can have used up: one pass over it, keeping every possibility."""
    reached = _past_stars({0}, wanted)
    for part in parts:
        stay = {place for place in reached if place < len(wanted) and wanted[place] == "**"}
        fit = {place + 1 for place in reached - stay if place < len(wanted) and _fits(part, wanted[place], days)}
        reached = _past_stars(stay | fit, wanted)
    return reached


def _past_stars(reached: set[int], wanted: Sequence[str]) -> set[int]:
    """`**` may stand for no folder at all."""
    return reached | {place + 1 for place in reached if place < len(wanted) and wanted[place] == "**"}


def _fits(part: str, wanted: str, days: Days) -> bool:
    if DATE not in wanted:
        return fnmatchcase(part, wanted)
    found = _dated(wanted).fullmatch(part)
    try:
        return found is not None and days(date.fromisoformat(found[1]))
    except ValueError:  # a number that is no day, such as 2026-02-30
        return False


@lru_cache(maxsize=256)
def _dated(wanted: str) -> re.Pattern[str]:
    """The glob as an expression, with one group for the day."""
    before, _, after = wanted.partition(DATE)
    return re.compile(f"{translate(before)[:-2]}([0-9]{{4}}-[0-9]{{2}}-[0-9]{{2}}){translate(after)}")
