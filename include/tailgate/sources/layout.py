"""Where a source's files lie, and which of them a run wants to see."""

import glob
from dataclasses import dataclass

from tailgate.config import DATE, Source, absolute
from tailgate.scope import Scope
from tailgate.sources.patterns import Days, every_day, matches, may_hold, taken


@dataclass(frozen=True, slots=True)
class Layout:
    """A folder and patterns relative to it; a document's path, and so its identity, is relative to the same folder."""

    root: str
    include: tuple[str, ...]
    exclude: tuple[str, ...]
    days: Days
    dated: bool
    documents: tuple[str, ...] = ()

    def enters(self, folder: str) -> bool:
        """Whether a run has anything to look for in that folder."""
        return not self.dated or may_hold(folder, self.include, self.days)

    def takes(self, path: str) -> bool:
        """Whether the run takes that file."""
        return taken(path, self.include, self.exclude, self.days) and self._names(path)

    def _names(self, path: str) -> bool:
        """Whether the run takes all documents, or this one by its path or a pattern."""
        return not self.documents or any(path == name or matches(path, name) for name in self.documents)


def layout_of(source: Source, scope: Scope) -> Layout:
    """The layout of a run: with `{date}` in the source's address, the root is the folder that holds the days.

    `include` and `exclude` are then relative to the folder of each day.
    """
    dated = source.dated == "path"
    days = scope.covers_day if dated else every_day
    before, mark, after = source.uri.partition(DATE)
    if not mark:
        return Layout(absolute(source.uri), source.include, source.exclude, days, dated, scope.documents)
    root = before[: before.rfind("/") + 1]
    day = f"{glob.escape(before.removeprefix(root))}{DATE}{glob.escape(after)}".strip("/")
    # The day's own name, too: it may be one file, such as calls-2026-11-30.jsonl.
    include = (day, *(f"{day}/{pattern}" for pattern in source.include))
    exclude = tuple(f"{day}/{pattern}" for pattern in source.exclude)
    return Layout(absolute(root or "."), include, exclude, days, dated, scope.documents)
