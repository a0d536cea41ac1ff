"""Bytes in frames: each with its length before it."""

import struct
from collections.abc import Iterable
from typing import BinaryIO

LENGTH = struct.Struct("!Q")


def read(file: BinaryIO) -> bytes | None:
    """The next frame; None where the other side has closed, be it in the middle of one."""
    length = file.read(LENGTH.size)
    if len(length) < LENGTH.size:
        return None
    (size,) = LENGTH.unpack(length)
    frame = file.read(size)
    return frame if len(frame) == size else None


def write(file: BinaryIO, frames: Iterable[bytes]) -> None:
    """The frames are on their way, all of them."""
    for frame in frames:
        file.write(LENGTH.pack(len(frame)))
        file.write(frame)
    file.flush()
