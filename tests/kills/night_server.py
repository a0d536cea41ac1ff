"""Runs nights, each in a child of its own that can be stopped at a chosen commit, or after some seconds.

A server that has imported everything, and used nothing of LanceDB, makes a night cost a second instead of ten. Reads
one JSON object a line: `corpus`, and perhaps `at` (the commit point to stop at), `how` (`kill`, `refuse` or `vanish`)
and `after_s`. Answers with the exit code, negative for a signal, and the commit points that were passed.
"""

import errno
import json
import os
import shutil
import signal
import sys
import time
import traceback
import warnings
from contextlib import suppress
from pathlib import Path
from typing import Any

from tailgate import config, ingest
from tailgate.errors import TailgateError

CRASHED = 70


class Points:
    """Counts the moments just before and just after everything that changes the store."""

    def __init__(self, order: dict[str, Any], passed: int) -> None:
        self._at = order.get("at")
        self._how = order.get("how", "kill")
        self._source = Path(config.load(order["corpus"]).source_uri)
        self._passed = passed
        self.count = 0

    def around(self, owner: Any, name: str) -> None:
        """Calls of the method are two points."""
        method = getattr(owner, name)

        def counted(*args: Any, **kwargs: Any) -> Any:
            self._point(f"before {name}")
            done = method(*args, **kwargs)
            self._point(f"after {name}")
            return done

        setattr(owner, name, counted)

    def _point(self, name: str) -> None:
        self.count += 1
        os.write(self._passed, b".")
        if self.count == self._at:
            self._stop(name)

    def _stop(self, name: str) -> None:
        if self._how == "kill":
            os.kill(os.getpid(), signal.SIGKILL)
        if self._how == "refuse" and name.startswith("before"):
            raise OSError(errno.ENOSPC, "No space left on device")
        if self._how == "vanish":
            shutil.rmtree(self._source)


def arm(points: Points) -> None:
    """Everything that changes the store passes its points."""
    from fsspec.implementations.local import LocalFileSystem
    from lancedb.db import LanceDBConnection
    from lancedb.merge import LanceMergeInsertBuilder
    from lancedb.table import LanceTable, Tags

    for name in ("add", "delete", "update", "restore", "optimize"):
        points.around(LanceTable, name)
    for name in ("create", "delete"):
        points.around(Tags, name)
    points.around(LanceMergeInsertBuilder, "execute")
    points.around(LanceDBConnection, "create_table")
    for name in ("mv", "rm", "rm_file"):
        points.around(LocalFileSystem, name)


def night(order: dict[str, Any], passed: int) -> int:
    """The exit code that the command line would give."""
    arm(Points(order, passed))
    try:
        ingest.build(order["corpus"])
    except TailgateError as error:
        sys.stderr.write(f"{error}\n")
        return error.exit_code
    except Exception as error:  # noqa: BLE001 - whatever it is, the test has to hear of it
        traceback.print_exception(error)
        return CRASHED
    return 0


def in_a_child(order: dict[str, Any]) -> tuple[int, int]:
    """Exit code or negative signal, and how many points the night passed."""
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        os.close(reading)
        os._exit(night(order, writing))
    os.close(writing)
    if "after_s" in order:
        time.sleep(order["after_s"])
        with suppress(ProcessLookupError):
            os.kill(child, signal.SIGKILL)
    passed = 0
    while block := os.read(reading, 4096):
        passed += len(block)
    os.close(reading)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), passed


def main() -> None:
    """Serves until its input ends."""
    import great_expectations
    import lancedb  # noqa: F401

    from tailgate.models import SourceFile
    from tailgate.parse import parse
    from tailgate.segment import open_tokenizer

    great_expectations.get_context(mode="ephemeral")
    open_tokenizer("cl100k_base")
    parse(b"# Warm\n\nup", SourceFile(uri="warm.md", path="warm.md", size=10, modified=None))
    warnings.filterwarnings("ignore", message="lancedb fork support")
    for line in sys.stdin:
        code, passed = in_a_child(json.loads(line))
        sys.stdout.write(json.dumps({"code": code, "passed": passed}) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
