"""An `http` connection: a login with a password, or a bearer token. And what an index page lists."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

from tailgate.config import Connection
from tailgate.errors import ConfigError

EXTRA = "s3"  # both read by way of aiohttp
AT_ONCE = 8
GONE = (404, 410)


def fsspec_options(connection: Connection) -> dict[str, Any]:
    """For fsspec's http: the header that proves who asks goes with every request, but not along to another host."""
    proof = connection.authorization
    return {"client_kwargs": {"headers": {"Authorization": proof}}} if proof else {}


def lance_options(connection: Connection) -> dict[str, str]:
    """Nothing can be stored there."""
    raise ConfigError("connection", "a store cannot lie behind HTTP", "Use a folder, S3, Google Cloud or Azure.")


def info(filesystem: Any, url: str) -> dict[str, Any]:
    """The entry of a URL; one that ends with a slash is a folder. Raises OSError."""
    if url.endswith("/"):
        return {"name": url, "size": 0, "type": "directory"}
    try:
        entry: dict[str, Any] = filesystem.info(url)
        return entry
    except FileNotFoundError as error:
        # fsspec says so whatever the server has answered.
        status = getattr(error.__cause__, "status", None)
        if error.__cause__ is None or status in GONE:
            raise
        raise OSError(f"HTTP {status}" if status else str(error.__cause__)) from error


def entries(filesystem: Any, url: str) -> list[dict[str, Any]]:
    """What the index page of a folder links to directly below it; each file was asked for its size and its version."""
    folder = f"{url.rstrip('/')}/"
    links = {str(entry["name"]) for entry in filesystem.ls(folder, detail=True)}
    below = sorted(link for link in links if _is_below(link, folder))
    with ThreadPoolExecutor(AT_ONCE) as pool:
        found = list(pool.map(lambda link: _info_or_nothing(filesystem, link), below))
    return [{**entry, "name": link} for link, entry in zip(below, found, strict=True) if entry]


def _is_below(link: str, folder: str) -> bool:
    """Not a page elsewhere, nor the same page in another order."""
    name = link.removeprefix(folder).removesuffix("/")
    return link.startswith(folder) and bool(name) and not set(name) & set("/?#")


def _info_or_nothing(filesystem: Any, link: str) -> dict[str, Any] | None:
    try:
        return info(filesystem, link)
    except FileNotFoundError:
        return None
