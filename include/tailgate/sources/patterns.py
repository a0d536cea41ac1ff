"""Globs over a path relative to its source: `*` stays inside one name, `**` stands for any number of folders."""

from collections.abc import Sequence
from fnmatch import fnmatchcase


def matches(path: str, pattern: str) -> bool:
    """Whether the whole path fits: `**/*.txt` fits `a.txt` and `b/c/a.txt`, `*.txt` fits `a.txt` only."""
    return _fits(path.split("/"), _simplified(pattern))


def matches_folder(path: str, pattern: str) -> bool:
    """Whether the path, or a folder that it lies in, fits: `drafts` fits `drafts/a.txt`."""
    parts, wanted = path.split("/"), _simplified(pattern)
    return any(_fits(parts[:length], wanted) for length in range(1, len(parts) + 1))


def taken(path: str, include: Sequence[str], exclude: Sequence[str]) -> bool:
    """Whether some pattern includes the path and none excludes it or a folder that it lies in."""
    included = any(matches(path, pattern) for pattern in include)
    return included and not any(matches_folder(path, pattern) for pattern in exclude)


def _simplified(pattern: str) -> list[str]:
    """The pattern's parts, without `./` and the slash at either end, and with one `**` for several in a row."""
    parts = [part for part in pattern.split("/") if part not in ("", ".")]
    return [part for i, part in enumerate(parts) if part != "**" or i == 0 or parts[i - 1] != "**"]


def _fits(parts: Sequence[str], pattern: Sequence[str]) -> bool:
    """One pass over the pattern, keeping every number of parts that it can have used so far."""
    used = {0}
    for wanted in pattern:
        if wanted == "**":
            used = set(range(min(used), len(parts) + 1)) if used else used
        else:
            used = {n + 1 for n in used if n < len(parts) and fnmatchcase(parts[n], wanted)}
    return len(parts) in used
