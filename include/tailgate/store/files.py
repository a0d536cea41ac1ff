"""Files that are whole or not there."""

from collections.abc import Generator
from contextlib import contextmanager
from typing import Any, BinaryIO
from uuid import uuid4


@contextmanager
def write_whole(fs: Any, path: str) -> Generator[BinaryIO]:
    """What the block writes is at `path` when it ends well; when it fails, or is killed, `path` is as it was."""
    fs.makedirs(path.rpartition("/")[0], exist_ok=True)
    part = f"{path}.{uuid4().hex}.part"
    try:
        with fs.open(part, "wb") as file:
            yield file
        fs.mv(part, path)
    except BaseException:
        if fs.exists(part):
            fs.rm_file(part)
        raise
