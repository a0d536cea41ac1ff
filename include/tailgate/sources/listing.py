"""Lists a source folder by folder, so that one folder that cannot be listed is known, and the rest is still found."""

import os
from collections.abc import Iterator
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any

from tailgate.config import Corpus
from tailgate.errors import ConfigError
from tailgate.models import Listing, SourceFile
from tailgate.scope import FULL, Scope
from tailgate.sources.filesystem import Place, open_place
from tailgate.sources.layout import Layout, layout_of
from tailgate.sources.outage import unreachable
from tailgate.storage import said

_MODIFIED_KEYS = ("mtime", "LastModified", "last_modified", "Last-Modified", "updated", "created")
_ETAG_KEYS = ("ETag", "etag", "md5Hash")


def list_source(corpus: Corpus, scope: Scope = FULL) -> Listing:
    """Every file that the corpus takes, sorted by path; hidden files and folders are passed over.

    With `dated: path` only files of the days of `scope`, and no folder of another day is listed. The source may be one
    file. A folder below it that cannot be listed, or a link that leads out of it, is named in `problems`; only the
    former makes the listing incomplete. Raises SourceUnreachable where the source itself cannot be listed, and
    ConfigError for a URL of an unknown kind, or where the scope names documents and none of them is there.
    """
    layout = layout_of(corpus.source, scope)
    place = open_place(layout.root, corpus.source_connection)
    _refuse_own_store(place, layout, corpus)
    entry = _entry_of(place, corpus)
    walk = _Walk(place, layout, corpus)
    found = list(walk.files() if entry["type"] == "directory" else [(place.name_of(entry), entry)])
    kept = [_file(place, path, entry) for path, entry in found if layout.takes(path)]
    if scope.documents and not kept:
        raise _nothing_named(corpus, scope)
    return Listing(
        files=tuple(sorted(kept, key=lambda file: file.path)),
        complete=not walk.unlisted,
        problems=tuple(walk.unlisted + walk.passed_over),
        seen=len(found),
    )


def _refuse_own_store(place: Place, layout: Layout, corpus: Corpus) -> None:
    """Raises ConfigError where the source would take what runs write: each night it would index more of itself."""
    if place.local and "://" not in corpus.folder:
        inside = os.path.relpath(corpus.folder, place.path)
        if not inside.startswith("..") and layout.takes(f"{inside}/runs/1/plan.json".removeprefix("./")):
            raise ConfigError(
                corpus.name,
                f"the store ({corpus.store.uri}) lies in the source ({corpus.source.uri}), which would index it",
                "Set `store.uri` to a folder elsewhere, or leave the store out by `source.exclude`.",
            )


def _entry_of(place: Place, corpus: Corpus) -> dict[str, Any]:
    try:
        return place.info(place.path)
    except OSError as error:
        raise unreachable(place.uri, error, corpus) from error


def _nothing_named(corpus: Corpus, scope: Scope) -> ConfigError:
    return ConfigError(
        corpus.name,
        f"no document of the source is named by {', '.join(scope.documents)}",
        "Give paths relative to the source, or globs such as `calls/**/*.txt`.",
    )


class _Walk:
    """One pass over a folder tree; `unlisted` and `passed_over` name what it could not or would not enter."""

    def __init__(self, place: Place, layout: Layout, corpus: Corpus) -> None:
        self._place = place
        self._layout = layout
        self._corpus = corpus
        self.unlisted: list[str] = []
        self.passed_over: list[str] = []

    def files(self) -> Iterator[tuple[str, dict[str, Any]]]:
        """Path relative to the source and entry of every file. Raises SourceUnreachable for the source itself."""
        try:
            entries = self._place.entries(self._place.path)
        except OSError as error:
            raise unreachable(self._place.uri, error, self._corpus) from error
        yield from self._files_of(entries, "", (self._place.real(self._place.path),))

    def _files_of(
        self, entries: list[dict[str, Any]], folder: str, above: tuple[str, ...]
    ) -> Iterator[tuple[str, dict[str, Any]]]:
        for entry in entries:
            name = self._place.name_of(entry)
            path = f"{folder}{name}"
            known = None if name.startswith(".") or not name else self._followed(entry, path)
            if known and known["type"] == "directory":
                yield from self._files_below(known, path, above) if self._layout.enters(path) else ()
            elif known and known["type"] == "file":
                yield path, known
            elif known:
                self.passed_over.append(f"{path} is passed over: it is a pipe, a socket or a device")

    def _files_below(
        self, entry: dict[str, Any], path: str, above: tuple[str, ...]
    ) -> Iterator[tuple[str, dict[str, Any]]]:
        real = self._place.real(str(entry["name"]))
        if real in above:  # a link to a folder that holds it: following it would never end
            return
        try:
            entries = self._place.entries(str(entry["name"]))
        except OSError as error:
            self.unlisted.append(f"{path} cannot be listed: {said(error)}")
            return
        yield from self._files_of(entries, f"{path}/", (*above, real))

    def _followed(self, entry: dict[str, Any], path: str) -> dict[str, Any] | None:
        """The entry, of a link that of its target; None for what is passed over, with the reason kept."""
        if not path.isprintable() and any("\ud800" <= character <= "\udfff" for character in path):
            self.passed_over.append(f"{path!r} is passed over: its name is not valid UTF-8")
            return None
        if not entry.get("islink"):
            return entry
        name, root = str(entry["name"]), self._place.real(self._place.path)
        if not f"{self._place.real(name)}/".startswith(f"{root.rstrip('/')}/"):
            self.passed_over.append(f"{path} is passed over: it is a link that leads out of the source")
            return None
        try:
            return self._place.info(name)
        except OSError as error:
            self.passed_over.append(f"{path} is passed over: it is a link that leads nowhere ({said(error)})")
            return None


def _file(place: Place, path: str, entry: dict[str, Any]) -> SourceFile:
    etag = next((str(entry[key]).strip('"') for key in _ETAG_KEYS if entry.get(key)), None)
    return SourceFile(
        uri=place.uri_of(str(entry["name"])),
        path=path,
        size=int(entry.get("size") or 0),
        modified=_moment(next((entry[key] for key in _MODIFIED_KEYS if entry.get(key)), None)),
        etag=etag,
    )


def _moment(value: Any) -> datetime | None:
    """A time stamp, a text or a datetime, as file systems give them, with a time zone."""
    if isinstance(value, int | float):
        return datetime.fromtimestamp(value, tz=UTC)
    if isinstance(value, str):
        value = _read_moment(value)
    if isinstance(value, datetime):
        return value if value.tzinfo else value.replace(tzinfo=UTC)
    return None


def _read_moment(text: str) -> datetime | None:
    """As services write it in JSON, or as HTTP's headers do."""
    for reading in (datetime.fromisoformat, parsedate_to_datetime):
        try:
            return reading(text)
        except ValueError:
            continue
    return None
