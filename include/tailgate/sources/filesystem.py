"""A source's place on a file system; failures of whatever service become OSError or Tailgate's own errors."""

import errno
import os
import posixpath
import stat
from dataclasses import dataclass
from typing import Any
from urllib.parse import unquote

from tailgate.config import Connection
from tailgate.storage import open_filesystem, said, web


@dataclass(frozen=True, slots=True)
class Place:
    """A path on a file system."""

    filesystem: Any
    path: str
    uri: str
    local: bool
    web: bool

    def info(self, path: str) -> dict[str, Any]:
        """The entry of a file or folder. Raises OSError."""
        entry: dict[str, Any] = (
            _call(web.info, self.filesystem, path) if self.web else _call(self.filesystem.info, path)
        )
        return entry

    def entries(self, path: str) -> list[dict[str, Any]]:
        """What a folder holds, sorted by name. Raises OSError."""
        if self.web:
            found: list[dict[str, Any]] = _call(web.entries, self.filesystem, path)
            return found
        listed = _call(self.filesystem.ls, path, detail=True)
        own = path.rstrip("/")
        return sorted((e for e in listed if str(e["name"]).rstrip("/") != own), key=lambda e: str(e["name"]))

    def read(self, most: int | None = None) -> bytes:
        """The bytes of the file, of a local one the first `most`: not every service serves a part. Raises OSError."""
        data: bytes = _read_regular(self.path, most) if self.local else _call(self.filesystem.cat_file, self.path)
        return data

    def name_of(self, entry: dict[str, Any]) -> str:
        """What a person calls the entry; empty where that cannot be a name."""
        name = posixpath.basename(str(entry["name"]).rstrip("/"))
        decoded = unquote(name) if self.web else name
        return "" if "/" in decoded or decoded in {".", ".."} else decoded

    def real(self, path: str) -> str:
        """The path with links resolved where there can be links."""
        return os.path.realpath(path) if self.local else path

    def uri_of(self, path: str) -> str:
        """What names a path from anywhere: the path itself where it is local, else a URL."""
        return path if self.local else str(self.filesystem.unstrip_protocol(path))


def open_place(uri: str, connection: Connection | None = None) -> Place:
    """The file system and path of a URL or an absolute local path. Raises ConfigError."""
    filesystem, path = open_filesystem(uri, connection)
    return Place(filesystem, path, uri, local="://" not in uri, web=uri.startswith(("http://", "https://")))


def _read_regular(path: str, most: int | None) -> bytes:
    """A named pipe would be waited for without end, a device may never end: only a file is opened, and only read."""
    with open(os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC), "rb") as file:
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            raise OSError(errno.EINVAL, "it is a pipe, a socket or a device, and only files are read")
        return file.read() if most is None else file.read(most)


def _call(function: Any, *args: Any, **options: Any) -> Any:
    try:
        return function(*args, **options)
    except OSError:
        raise
    except Exception as error:  # noqa: BLE001 - every service's client has exceptions of its own, and all mean the same here
        raise OSError(f"{type(error).__name__}: {said(error)}") from error
