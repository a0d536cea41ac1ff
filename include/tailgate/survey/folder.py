"""Files below some paths, read and segmented in order by as many workers as there are processors."""

import os
import posixpath
from collections import deque
from collections.abc import Collection, Generator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass, replace
from queue import SimpleQueue

from tailgate.config import Corpus, Source, parse
from tailgate.errors import DocumentError, SourceUnreachable
from tailgate.isolate import Shaped, Shaper, open_shaper
from tailgate.models import SourceFile
from tailgate.parse.decode import decode
from tailgate.sources import list_source, read
from tailgate.survey.sights import line_in
from tailgate.survey.worst import Worst, WorstUnits

FILES_A_WORKER, BYTES_A_WORKER = 200, 2_000_000
"""What a worker must have to do before a second one is worth its start, which takes a second."""
AHEAD = 4
"""Documents of each worker that may wait to be counted."""
READ_AGAIN_BYTES = 5_000_000
"""The largest file that is searched for the line of an offender."""

Outcome = Shaped | DocumentError | SourceUnreachable


@dataclass(frozen=True, slots=True)
class Listed:
    """Files by the names that a report calls them, in the order of the paths, each file once."""

    files: dict[str, SourceFile]
    problems: tuple[str, ...]


def listed(paths: Sequence[str], corpus: Corpus) -> Listed:
    """Every file below the paths that `include` and `exclude` take. Raises SourceUnreachable and ConfigError."""
    found: dict[str, SourceFile] = {}
    problems = list[str]()
    for path in dict.fromkeys(paths):
        listing = list_source(corpus.model_copy(update={"source": _source(path, corpus)}))
        found |= {file.uri: found.get(file.uri, file) for file in listing.files}
        problems += listing.problems
    if len(set(paths)) == 1:
        return Listed({file.path: file for file in found.values()}, tuple(problems))
    shared = posixpath.commonpath([posixpath.dirname(uri) for uri in found]) if _alike(found) else ""
    return Listed({uri.removeprefix(shared).lstrip("/"): file for uri, file in found.items()}, tuple(problems))


def _source(path: str, corpus: Corpus) -> Source:
    """The path with the corpus's globs; raises ConfigError where it can name no folder or file."""
    patterns = {"include": corpus.source.include, "exclude": corpus.source.exclude}
    return parse({"name": corpus.name, "source": {"uri": path, **patterns}}, where=path).source


def shaped(files: dict[str, SourceFile], corpus: Corpus) -> Generator[tuple[str, Outcome]]:
    """Each file's units, or why it has none, in the order of the files. Few documents are held at one time."""
    count = _workers(list(files.values()), corpus)
    with ExitStack() as stack:
        free = SimpleQueue[Shaper]()
        for _ in range(count):
            free.put(stack.enter_context(open_shaper(corpus)))
        pool = stack.enter_context(ThreadPoolExecutor(count))
        stack.callback(pool.shutdown, cancel_futures=True)
        waiting = deque[tuple[str, Future[Outcome]]]()
        for name, file in files.items():
            waiting.append((name, pool.submit(_outcome, free, file)))
            if len(waiting) > AHEAD * count:
                yield _next(waiting)
        while waiting:
            yield _next(waiting)


def with_lines(worst: WorstUnits, files: dict[str, SourceFile], corpus: Corpus) -> WorstUnits:
    """The same units, with their lines also where the canonical text is another than the file's, if one line fits."""
    return WorstUnits(
        *(
            tuple(_with_line(unit, files[unit.document], corpus) for unit in units)
            for units in (worst.sentences, worst.windows, worst.parents)
        )
    )


def _outcome(free: "SimpleQueue[Shaper]", file: SourceFile) -> Outcome:
    shaper = free.get()
    try:
        return shaper.shape(file)
    except (DocumentError, SourceUnreachable) as error:
        return error
    finally:
        free.put(shaper)


def _next(waiting: "deque[tuple[str, Future[Outcome]]]") -> tuple[str, Outcome]:
    name, future = waiting.popleft()
    return name, future.result()


def _workers(files: Sequence[SourceFile], corpus: Corpus) -> int:
    if not corpus.parse.isolate:
        return 1
    work = max(len(files) / FILES_A_WORKER, sum(file.size for file in files) / BYTES_A_WORKER)
    return max(1, min(os.cpu_count() or 1, len(files), round(work + 0.5)))


def _alike(uris: Collection[str]) -> bool:
    """Whether they are all of one kind of place, so that what they share can be left out."""
    return len({uri.partition("://")[0] if "://" in uri else "" for uri in uris}) == 1


def _with_line(unit: Worst, file: SourceFile, corpus: Corpus) -> Worst:
    if unit.line is not None or unit.page is not None or file.size > READ_AGAIN_BYTES:
        return unit
    try:
        text, _ = decode(read(file, corpus), file)
    except (DocumentError, SourceUnreachable):
        return unit
    return replace(unit, line=line_in(text, unit.opening))
