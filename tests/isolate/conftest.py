"""What the tests of isolation share: files in a folder, a shaper over it, and hands on the worker processes."""

import importlib.util
import os
import signal
import sys
import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from tailgate.config import Corpus
from tailgate.isolate.limits import MB, resident
from tailgate.models import SourceFile
from tailgate.sources import list_source

ROOT = Path(__file__).resolve().parents[2]
BEGUN = 95 * MB
"""A worker that holds so much has begun on a large text; an idle one has about 80 MB."""


@pytest.fixture(scope="session")
def hostile() -> ModuleType:
    """The benchmark that makes files which hurt."""
    spec = importlib.util.spec_from_file_location("hostile", ROOT / "benchmarks" / "hostile.py")
    assert spec
    assert spec.loader
    sys.modules["hostile"] = module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def corpus(tmp_path: Path) -> Callable[..., Corpus]:
    """A corpus over the folder `in`, with these keys of `parse`."""
    (tmp_path / "in").mkdir()

    def make(**parse: Any) -> Corpus:
        tree = {"name": "notes", "source": {"uri": str(tmp_path / "in")}, "store": {"uri": str(tmp_path / "store")}}
        return Corpus.model_validate(tree | {"parse": parse})

    return make


@pytest.fixture
def listed(tmp_path: Path, corpus: Callable[..., Corpus]) -> Callable[..., SourceFile]:
    """Writes a file of the corpus, and gives it as the source lists it."""

    def write(name: str, content: bytes | str) -> SourceFile:
        path = tmp_path / "in" / name
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return next(file for file in list_source(corpus()).files if file.path == name)

    return write


@pytest.fixture
def workers(hostile: ModuleType) -> Callable[[], list[int]]:
    """Gives the ids of this process's workers."""
    found: Callable[[], list[int]] = hostile.workers
    return found


@pytest.fixture
def struck(workers: Callable[[], list[int]]) -> Callable[..., Any]:
    """In `with struck(signal.SIGKILL, 1):` that many workers get the signal once they have begun on a large text."""

    @contextmanager
    def strike(by: signal.Signals, times: int) -> Generator[set[int]]:
        over, hit = threading.Event(), set[int]()

        def watch() -> None:
            while not over.wait(0.01):
                for worker in workers():
                    if resident(worker) > BEGUN and worker not in hit and len(hit) < times:
                        hit.add(worker)
                        os.kill(worker, by)

        thread = threading.Thread(target=watch)
        thread.start()
        try:
            yield hit
        finally:
            over.set()
            thread.join()

    return strike
