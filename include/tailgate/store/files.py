"""Files that are whole or not there."""

import contextlib
from collections.abc import Generator
from contextlib import contextmanager
from typing import Any, BinaryIO
from uuid import uuid4

from tailgate.errors import StoreUnreachable


@contextmanager
def reachable(uri: str) -> Generator[None]:
    """What the file system raises in the block is raised as StoreUnreachable, which names the place."""
    try:
        yield
    except OSError as error:
        raise StoreUnreachable(uri, error.strerror or str(error) or type(error).__name__) from error


@contextmanager
def write_whole(fs: Any, path: str) -> Generator[BinaryIO]:
    """What the block writes is at `path` when it ends well; when it fails, or is killed, `path` is as it was."""
    part = f"{path}.{uuid4().hex}.part"
    with reachable(path):
        fs.makedirs(path.rpartition("/")[0], exist_ok=True)
        file = fs.open(part, "wb")
    try:
        yield file
        with reachable(path):
            file.close()
            fs.mv(part, path)
    except BaseException:
        # The first failure is the one to report: a full disk refuses to close the file, too.
        with contextlib.suppress(OSError):
            file.close()
            fs.rm_file(part)
        raise
