"""What a worker may take of its machine, and how much it takes."""

import contextlib
import ctypes
import os
import resource

from tailgate.config import Parse

MB = 1_000_000
FENCE = 2
"""How many times the memory limit the kernel lets a worker take."""


def hold(parse: Parse) -> None:
    """From here on the kernel refuses this process memory far above its limit, files above it, and core dumps.

    The limit itself is watched from outside. Were the kernel to refuse memory there, libraries that do not look would
    give half a document: libxml2 calls what it has read so far the whole. The fence is on the data segment, not on the
    address space, much of which libraries only reserve. Linux holds it, macOS does not.
    """
    most = parse.max_memory_mb * MB
    for kind, limit in ((resource.RLIMIT_DATA, FENCE * most), (resource.RLIMIT_FSIZE, most), (resource.RLIMIT_CORE, 0)):
        _, hard = resource.getrlimit(kind)
        resource.setrlimit(kind, (limit if hard == resource.RLIM_INFINITY else min(limit, hard), hard))


def trim() -> None:
    """Memory that was given back lies with the kernel again, where the C library keeps it and has a way to be told."""
    with contextlib.suppress(AttributeError, OSError):
        ctypes.CDLL(None).malloc_trim(0)


def resident(process: int) -> int:
    """Bytes of memory that the process holds; 0 where the kernel does not tell (no `/proc`) or it is gone."""
    try:
        with open(f"/proc/{process}/statm", "rb") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, IndexError):
        return 0


def most_resident() -> int:
    """Bytes of memory that this process ever held; 0 where the kernel does not tell."""
    try:
        with open("/proc/self/status", "rb") as file:
            return next((int(line.split()[1]) * 1024 for line in file if line.startswith(b"VmHWM")), 0)
    except OSError:
        return 0
