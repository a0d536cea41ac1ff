"""A worker process as its owner sees it: frames go there and come back, within a time and a memory limit."""

import contextlib
import math
import os
import select
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import IO

import tailgate
from tailgate.config import Parse
from tailgate.errors import DocumentError, DocumentTimedOut, DocumentTooLarge, WorkerDied
from tailgate.isolate.frames import LENGTH
from tailgate.isolate.limits import MB, resident
from tailgate.isolate.worker import OUT_OF_MEMORY

TICK_S = 0.02
"""Seconds between two looks at the clock and at the worker's memory."""
PIECE = 1 << 20
NEAR = 0.8
"""The share of the memory limit from which a worker that dies is taken to have died of it."""
_START = "import sys; sys.path.append(sys.argv[1]); from tailgate.isolate.worker import main; main()"
_SAID_WITHOUT_MEMORY = ("MemoryError", "memory allocation of", "bad_alloc", "out of memory")


class Stopped(Exception):
    """The worker can answer no more; `kind` and `reason` are what that means for the document that it had."""

    def __init__(self, kind: type[DocumentError], reason: str) -> None:
        super().__init__(reason)
        self.kind = kind
        self.reason = reason


class Process:
    """One worker process, of its own session; `subprocess`, because daemonic processes may have no other children."""

    def __init__(self, limits: Parse) -> None:
        self._limits = limits
        self._said = tempfile.TemporaryFile()  # noqa: SIM115 - closed in `close`
        # The current folder is kept off the path (-P): what lies there must not pass for a module.
        command = [sys.executable, "-P", "-c", _START, str(Path(tailgate.__file__).parents[1])]
        self._popen = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._said, start_new_session=True
        )
        self._in, self._out = _unblocked(self._popen.stdin), _unblocked(self._popen.stdout)
        self._looked, self._most_seen = 0.0, 0
        self.allow(math.inf)

    def allow(self, seconds: float) -> None:
        """The worker has that much time from now on."""
        self._allowed, self._deadline = seconds, time.monotonic() + seconds

    def send(self, *sent: bytes) -> None:
        """The frames have gone to the worker. Raises Stopped."""
        for frame in sent:
            for part in (LENGTH.pack(len(frame)), frame):
                self._write(memoryview(part))

    def receive(self) -> bytearray:
        """The worker's next frame. Raises Stopped."""
        (size,) = LENGTH.unpack(self._read(LENGTH.size))
        if size > self._limits.max_memory_mb * MB:
            raise self._too_large()
        return self._read(size)

    def close(self) -> None:
        """The worker is gone, whatever it was doing."""
        if self._popen.returncode is None:
            with contextlib.suppress(OSError):  # some systems refuse it where the process has just ended
                os.killpg(self._popen.pid, signal.SIGKILL)
            self._popen.wait()
        for file in (self._popen.stdin, self._popen.stdout, self._said):
            if file is not None:
                file.close()

    def last_words(self) -> str:
        """The end of what the worker has written to its standard error."""
        size = os.fstat(self._said.fileno()).st_size
        return os.pread(self._said.fileno(), 4000, max(0, size - 4000)).decode("utf-8", "replace").strip()

    def _write(self, left: memoryview) -> None:
        while left:
            self._wait(self._in, select.POLLOUT)
            try:
                left = left[os.write(self._in, left[:PIECE]) :]
            except BrokenPipeError:
                raise self._ended() from None

    def _read(self, size: int) -> bytearray:
        data = bytearray(size)
        left = memoryview(data)
        while left:
            self._wait(self._out, select.POLLIN)
            count = os.readv(self._out, [left[:PIECE]])
            if not count:
                raise self._ended()
            left = left[count:]
        return data

    def _wait(self, pipe: int, event: int) -> None:
        """Until the pipe is ready. Raises Stopped where the limits are reached before."""
        ready = select.poll()
        ready.register(pipe, event)
        while True:
            self._look()
            if ready.poll(TICK_S * 1000):
                return

    def _look(self) -> None:
        now = time.monotonic()
        if now > self._deadline:
            raise self._too_long()
        if now - self._looked > TICK_S:
            self._looked = now
            held = resident(self._popen.pid)
            self._most_seen = max(self._most_seen, held)
            if held > self._limits.max_memory_mb * MB:
                raise self._too_large()

    def _too_long(self) -> Stopped:
        limit = f"{self._allowed:g} seconds (`parse.timeout_s`)"
        return Stopped(DocumentTimedOut, f"reading it took longer than {limit}")

    def _too_large(self) -> Stopped:
        limit = f"{self._limits.max_memory_mb:,} MB of memory (`parse.max_memory_mb`)"
        return Stopped(DocumentTooLarge, f"reading it takes more than {limit}")

    def _ended(self) -> Stopped:
        """What the end of the process means."""
        code = self._popen.wait()
        near = self._most_seen > NEAR * self._limits.max_memory_mb * MB
        if code == OUT_OF_MEMORY or (code and (near or any(s in self.last_words() for s in _SAID_WITHOUT_MEMORY))):
            return self._too_large()
        if time.monotonic() > self._deadline:
            return self._too_long()
        how = f"exited with code {code}" if code >= 0 else f"was ended by {_signal(-code)}"
        return Stopped(WorkerDied, f"the worker process {how}")


def _unblocked(pipe: IO[bytes] | None) -> int:
    if pipe is None:
        raise ValueError("the process was started without this pipe")
    os.set_blocking(pipe.fileno(), False)
    return pipe.fileno()


def _signal(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
