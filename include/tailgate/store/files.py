"""Files that are whole or not there."""

import contextlib
import re
from collections.abc import Generator
from contextlib import contextmanager
from typing import Any, BinaryIO
from uuid import uuid4

from tailgate.errors import StoreUnreachable
from tailgate.storage import is_outage, said

REFUSED = re.compile(r"precondition|conditional ?request|already ?exists|\b(409|412)\b", re.IGNORECASE)
"""What services say of a file that is there already: each client has an error of its own for it."""


@contextmanager
def reachable(uri: str) -> Generator[None]:
    """What the file system or its service raises in the block is raised as StoreUnreachable, which names the place."""
    try:
        yield
    except Exception as error:
        if not is_outage(error):
            raise
        raise StoreUnreachable(uri, said(error)) from error


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


def copy_new(fs: Any, path: str, to: str) -> bool:
    """Whether this call has made `to`, the same as `path`; of several at one time exactly one has. Raises OSError.

    The service decides: it is asked to refuse a file that is there already.
    """
    data = fs.cat_file(path)
    try:
        fs.pipe_file(to, data, mode="create")
    except FileExistsError:
        return False
    except Exception as error:
        if not REFUSED.search(str(error)):
            raise
        return False
    return True
