"""The one place that speaks to fsspec; failures of whatever file system become OSError or Tailgate's own errors."""

import os
from dataclasses import dataclass
from typing import Any

import fsspec

from tailgate.errors import ConfigError


@dataclass(frozen=True, slots=True)
class Place:
    """A path on a file system."""

    filesystem: Any
    path: str
    uri: str
    local: bool

    def info(self, path: str) -> dict[str, Any]:
        """The entry of a file or folder. Raises OSError."""
        entry: dict[str, Any] = _call(self.filesystem.info, path)
        return entry

    def entries(self, path: str) -> list[dict[str, Any]]:
        """What a folder holds, sorted by name. Raises OSError."""
        listed = _call(self.filesystem.ls, path, detail=True)
        own = path.rstrip("/")
        return sorted((e for e in listed if str(e["name"]).rstrip("/") != own), key=lambda e: str(e["name"]))

    def read(self, most: int | None = None) -> bytes:
        """The bytes of the file, of a local one the first `most`: not every service serves a part. Raises OSError."""
        part = {"end": most} if self.local and most is not None else {}
        data: bytes = _call(self.filesystem.cat_file, self.path, **part)
        return data

    def real(self, path: str) -> str:
        """The path with links resolved where there can be links."""
        return os.path.realpath(path) if self.local else path

    def uri_of(self, path: str) -> str:
        """What names a path from anywhere: the path itself where it is local, else a URL."""
        return path if self.local else str(self.filesystem.unstrip_protocol(path))


def open_place(uri: str) -> Place:
    """The file system and path of a URL or an absolute local path.

    Raises ConfigError for a kind of URL that is unknown, or whose package is not installed.
    """
    if "://" not in uri:
        # A local path is never taken apart as a URL: `::` and `[` may be part of its name.
        return Place(fsspec.filesystem("file"), uri, uri, local=True)
    try:
        filesystem, path = fsspec.core.url_to_fs(uri, use_listings_cache=False)
    except (ValueError, ImportError) as error:
        reason = " ".join(str(error).split())
        raise ConfigError(
            uri, f"it cannot be opened: {reason}", "Use a folder's path or a URL that fsspec knows."
        ) from error
    return Place(filesystem, str(path), uri, local=False)


def _call(function: Any, *args: Any, **options: Any) -> Any:
    try:
        return function(*args, **options)
    except OSError:
        raise
    except Exception as error:  # noqa: BLE001 - every service's client has exceptions of its own, and all mean the same here
        raise OSError(f"{type(error).__name__}: {error}") from error
