"""The file system and the path of a URL, and the options that LanceDB needs for the same place."""

from typing import Any, Protocol

from tailgate.config import Connection
from tailgate.errors import ConfigError
from tailgate.storage import azure, google, s3, web


class Kind(Protocol):
    """One kind of service: how a connection of Airflow reads in the words of each library."""

    EXTRA: str

    def fsspec_options(self, connection: Connection) -> dict[str, Any]: ...

    def lance_options(self, connection: Connection) -> dict[str, str]: ...


KINDS: dict[str, Kind] = {
    "s3": s3,
    "s3a": s3,
    "gs": google,
    "gcs": google,
    "az": azure,
    "abfs": azure,
    "abfss": azure,
    "http": web,
    "https": web,
}


def open_filesystem(uri: str, connection: Connection | None = None) -> tuple[Any, str]:
    """The file system of a URL or a local path, and the path on it; no listing is ever remembered.

    Raises ConfigError for a kind of URL that is unknown, whose package is not installed, or that takes no connection.
    """
    import fsspec

    kind = _kind(uri, connection)
    if "://" not in uri:
        # A local path is never taken apart as a URL: `::` and `[` may be part of its name.
        return fsspec.filesystem("file"), uri
    options = kind.fsspec_options(connection) if kind and connection else {}
    try:
        if kind is None:
            filesystem, path = fsspec.core.url_to_fs(uri, use_listings_cache=False)
        else:
            # Not taken apart either: `::` may be part of a key.
            of_kind = fsspec.get_filesystem_class(uri.partition("://")[0])
            named = of_kind._get_kwargs_from_urls(uri)
            filesystem, path = (
                of_kind(**{**named, **options, "use_listings_cache": False}),
                of_kind._strip_protocol(uri),
            )
    except ImportError as error:
        raise _missing(uri, kind, error) from error
    except ValueError as error:
        reason = " ".join(str(error).split())
        raise ConfigError(
            uri, f"it cannot be opened: {reason}", "Use a folder's path or a URL that fsspec knows."
        ) from error
    return filesystem, str(path)


def lance_options(uri: str, connection: Connection | None) -> dict[str, str]:
    """LanceDB's storage options for a URL. Raises ConfigError for a kind of URL that takes no connection."""
    kind = _kind(uri, connection)
    return kind.lance_options(connection) if kind and connection else {}


def _kind(uri: str, connection: Connection | None) -> Kind | None:
    kind = KINDS.get(uri.partition("://")[0]) if "://" in uri else None
    if kind is None and connection is not None:
        raise ConfigError(
            uri, "no connection can be used for it", "Connections are for URLs of S3, Google Cloud, Azure and HTTP."
        )
    return kind


def _missing(uri: str, kind: Kind | None, error: ImportError) -> ConfigError:
    said = " ".join(str(error).split())
    if kind is None:
        return ConfigError(uri, f"it cannot be opened: {said}", "Install the package, or use another kind of URL.")
    remedy = f"Install it: pip install 'tailgate[{kind.EXTRA}]'."
    return ConfigError(uri, f"the package that reads such URLs is not installed ({said})", remedy)
