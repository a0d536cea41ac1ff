"""From a listed file to its units, within the limits that the corpus file states."""

import logging
import pickle
from collections.abc import Generator
from contextlib import contextmanager
from typing import NamedTuple, Protocol

from tailgate import ids
from tailgate.config import Corpus
from tailgate.errors import DocumentTimedOut, DocumentTooLarge, TailgateError, WorkerNotStarted
from tailgate.isolate.limits import MB, trim
from tailgate.isolate.packing import unpacked
from tailgate.isolate.process import Process, Stopped
from tailgate.isolate.segmenting import segmented
from tailgate.models import SegmentedDocument, SourceFile
from tailgate.parse import parse
from tailgate.segment import Segmenter, open_segmenter
from tailgate.sources import read

log = logging.getLogger(__name__)

START_S = 120.0
"""Seconds that a worker has to come up: most of it is reading libraries from a disk that may be slow."""
LARGE = 16 * MB
"""Bytes of a file after which its worker is not kept: it would hold much of the memory while the rows are written."""


class Shaped(NamedTuple):
    """What a file was when it was read, and its units."""

    content_hash: str
    document: SegmentedDocument


class Unchanged(Exception):
    """The file's bytes are those that were seen before: there is nothing to parse."""


class Shaper(Protocol):
    """Reads, parses and segments files, one after the other."""

    def shape(self, file: SourceFile, seen: str | None = None) -> Shaped:
        """The file's units. Raises DocumentError for this file only, SourceUnreachable, ModelUnavailable.

        Raises Unchanged where `seen` is the hash of the file's bytes.
        """


@contextmanager
def open_shaper(corpus: Corpus) -> Generator[Shaper]:
    """A shaper with a worker process, which ends with the block; without one where `parse.isolate` is off."""
    if not corpus.parse.isolate:
        yield _Unguarded(corpus, open_segmenter(corpus))
        return
    shaper = _Isolated(corpus)
    try:
        yield shaper
    finally:
        shaper.close()


class _Unguarded:
    """Works in this process: for tests, and where no other process may be started. Only a file's size is bounded."""

    def __init__(self, corpus: Corpus, segmenter: Segmenter) -> None:
        self._corpus = corpus
        self._segmenter = segmenter

    def shape(self, file: SourceFile, seen: str | None = None) -> Shaped:
        data, content_hash = _bytes_of(file, self._corpus, seen)
        return Shaped(content_hash, segmented(self._segmenter, file, parse(data, file)))


class _Isolated:
    """Works in one worker process for as long as that lives, then in the next."""

    def __init__(self, corpus: Corpus) -> None:
        self._corpus = corpus
        self._worker: Process | None = None

    def shape(self, file: SourceFile, seen: str | None = None) -> Shaped:
        """Raises DocumentTimedOut at the first try, DocumentTooLarge and WorkerDied at the second.

        What another document left behind in a worker, or a kernel that was short of memory, must not count against
        this one: hence a second try, in a fresh worker.
        """
        try:
            return self._tried(file, seen)
        except Stopped as stopped:
            if stopped.kind is DocumentTimedOut:
                raise stopped.kind(file.uri, stopped.reason) from stopped
            log.info("%s is tried again in a fresh worker: %s", file.uri, stopped.reason)
        try:
            return self._tried(file, seen)
        except Stopped as stopped:
            raise stopped.kind(file.uri, stopped.reason) from stopped

    def close(self) -> None:
        """No worker is left."""
        if self._worker is not None:
            self._worker.close()
        self._worker = None

    def _tried(self, file: SourceFile, seen: str | None) -> Shaped:
        data, content_hash = _bytes_of(file, self._corpus, seen)
        worker = self._worker = self._worker or self._started()
        try:
            worker.allow(self._corpus.parse.timeout_s)
            worker.send(pickle.dumps(file), data)
            del data  # they are with the worker now: here they would be held a second time
            answer = pickle.loads(worker.receive())
            if isinstance(answer, TailgateError):
                raise answer
            document = unpacked(answer, worker.receive)
        except Stopped:
            log.info("The worker has ended. Its last words: %s", worker.last_words() or "(none)")
            self.close()
            raise
        if file.size > LARGE:
            self.close()
            trim()
        return Shaped(content_hash, document)

    def _started(self) -> Process:
        """A worker that is ready. Raises ModelUnavailable, or WorkerNotStarted."""
        try:
            worker = Process(self._corpus.parse)
        except OSError as error:
            raise WorkerNotStarted(str(error)) from error
        try:
            worker.allow(START_S)
            worker.send(pickle.dumps(self._corpus))
            problem = pickle.loads(worker.receive())
        except Stopped as stopped:
            said = worker.last_words().rpartition("\n")[2]
            worker.close()
            raise WorkerNotStarted(said or stopped.reason) from stopped
        if problem is not None:
            worker.close()
            raise problem
        return worker


def _bytes_of(file: SourceFile, corpus: Corpus, seen: str | None) -> tuple[bytes, str]:
    """The file's bytes and their hash.

    Raises DocumentTooLarge before it is read, or where it has grown since; SourceUnreachable; Unchanged.
    """
    most = int(corpus.parse.max_file_mb * MB)
    data = read(file, corpus, most + 1) if file.size <= most else b""
    if max(file.size, len(data)) > most:
        size = f"it has {max(file.size, len(data)):,} bytes" if not data else "it has grown"
        reason = f"{size}, more than {corpus.parse.max_file_mb:g} MB (`parse.max_file_mb`)"
        raise DocumentTooLarge(file.uri, reason)
    content_hash = ids.content_hash(data)
    if content_hash == seen:
        raise Unchanged(file.uri)
    return data, content_hash
