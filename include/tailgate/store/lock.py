"""One writer at a time: a lock beside the tables that ends with the process that holds it, however that ends."""

import fcntl
import os
import time
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from tailgate.config import Corpus
from tailgate.errors import StoreBusy
from tailgate.store.files import reachable

WAIT_S = 600.0
"""Seconds that a writer waits for another: a load of a large corpus takes minutes."""
POLL_S = 0.1


@contextmanager
def one_writer(corpus: Corpus, run_id: str, *, wait_s: float = WAIT_S) -> Generator[None]:
    """Nobody else on this machine writes tables of the corpus in the block. Raises StoreBusy after `wait_s` seconds.

    Object storage has no locks that a killed process lets go of: there, writers find out by the tables' versions.
    """
    if "://" in corpus.folder:
        yield
        return
    path = Path(corpus.folder) / "writer.lock"
    with reachable(str(path)):
        path.parent.mkdir(parents=True, exist_ok=True)
        file = os.open(path, os.O_RDWR | os.O_CREAT, 0o666)
    try:
        _take(file, corpus, wait_s)
        with reachable(str(path)):
            os.ftruncate(file, 0)
            os.pwrite(file, run_id.encode(), 0)
        yield
    finally:
        os.close(file)


def _take(file: int, corpus: Corpus, wait_s: float) -> None:
    end = time.monotonic() + wait_s
    while True:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() >= end:
                raise StoreBusy(corpus.name, os.pread(file, 500, 0).decode(errors="replace"), int(wait_s)) from None
            time.sleep(POLL_S)
        else:
            return
