import os
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import fsspec
import pytest
from fsspec.implementations.memory import MemoryFileSystem

from tailgate.config import Corpus, Source
from tailgate.errors import ConfigError, SourceUnreachable
from tailgate.sources import list_source, read


def corpus(uri: object, **source: Any) -> Corpus:
    return Corpus(name="things", source=Source(uri=str(uri), **source))


def write(folder: Path, *paths: str) -> None:
    for path in paths:
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(path)


def test_files_are_listed_sorted_by_path(tmp_path: Path) -> None:
    write(tmp_path, "b/z.txt", "b.txt", "a/c/d.md", "Z.txt", "é.txt")
    listing = list_source(corpus(tmp_path))
    assert [file.path for file in listing.files] == ["Z.txt", "a/c/d.md", "b.txt", "b/z.txt", "é.txt"]
    assert listing.complete
    assert listing.problems == ()
    assert listing.seen == 5


def test_a_listed_file_carries_size_time_and_place(tmp_path: Path) -> None:
    write(tmp_path, "a/b.txt")
    os.utime(tmp_path / "a/b.txt", (1_700_000_000, 1_700_000_000))
    (file,) = list_source(corpus(tmp_path)).files
    assert file.uri == str(tmp_path / "a/b.txt")
    assert file.size == len("a/b.txt")
    assert file.modified == datetime.fromtimestamp(1_700_000_000, tz=UTC)
    assert read(file, corpus(tmp_path)) == b"a/b.txt"


def test_include_and_exclude_decide_and_seen_counts_all(tmp_path: Path) -> None:
    write(tmp_path, "a.txt", "b/c.txt", "b/d.md", "old/e.txt")
    listing = list_source(corpus(tmp_path, include=["**/*.txt"], exclude=["old/**"]))
    assert [file.path for file in listing.files] == ["a.txt", "b/c.txt"]
    assert listing.seen == 4


def test_hidden_files_and_folders_are_passed_over(tmp_path: Path) -> None:
    write(tmp_path, ".hidden.txt", ".git/config", "a/.cache/b.txt", "a/c.txt")
    assert [file.path for file in list_source(corpus(tmp_path)).files] == ["a/c.txt"]


def test_a_link_out_of_the_source_is_not_followed(tmp_path: Path) -> None:
    write(tmp_path, "inside/a.txt", "outside/secret.txt")
    (tmp_path / "inside/out").symlink_to(tmp_path / "outside")
    (tmp_path / "inside/secret.txt").symlink_to(tmp_path / "outside/secret.txt")
    listing = list_source(corpus(tmp_path / "inside"))
    assert [file.path for file in listing.files] == ["a.txt"]
    assert listing.complete
    assert len(listing.problems) == 2


def test_links_inside_the_source_are_followed_but_never_in_a_circle(tmp_path: Path) -> None:
    write(tmp_path, "a/b.txt", "c.txt")
    (tmp_path / "a/up").symlink_to(tmp_path)
    (tmp_path / "link.txt").symlink_to(tmp_path / "c.txt")
    (tmp_path / "nowhere").symlink_to(tmp_path / "gone")
    listing = list_source(corpus(tmp_path))
    assert [file.path for file in listing.files] == ["a/b.txt", "c.txt", "link.txt"]
    assert listing.files[2].size == len("c.txt")
    assert "leads nowhere" in listing.problems[0]


def test_a_file_name_that_is_no_unicode_is_named_not_listed(tmp_path: Path) -> None:
    with open(os.fsencode(tmp_path) + b"/bad\xff.txt", "wb") as file:
        file.write(b"text")
    listing = list_source(corpus(tmp_path))
    assert listing.files == ()
    assert "UTF-8" in listing.problems[0]


def test_strange_names_can_be_read(tmp_path: Path) -> None:
    write(tmp_path, "a::b.txt", "c[1]*.txt", "d e?.txt", "f#g%20.txt", "back\\slash.txt")
    listing = list_source(corpus(tmp_path))
    assert len(listing.files) == 5
    assert all(read(file, corpus(tmp_path)).decode() == file.path for file in listing.files)


def test_a_single_file_is_a_source_of_one(tmp_path: Path) -> None:
    write(tmp_path, "a.txt")
    (file,) = list_source(corpus(tmp_path / "a.txt")).files
    assert file.path == "a.txt"
    assert read(file, corpus(tmp_path)) == b"a.txt"


def test_a_missing_folder_names_the_path_and_where_paths_start(root: Path) -> None:
    with pytest.raises(SourceUnreachable) as caught:
        list_source(corpus("data/calls"))
    assert str(root / "data/calls") in str(caught.value)
    assert f"start at the root, {root}" in str(caught.value)


def test_a_relative_path_starts_at_the_root(root: Path) -> None:
    write(root, "data/calls/a.txt")
    assert [file.path for file in list_source(corpus("data/calls")).files] == ["a.txt"]


def test_an_empty_folder_is_complete_and_empty(tmp_path: Path) -> None:
    listing = list_source(corpus(tmp_path))
    assert listing.files == ()
    assert listing.complete


def test_an_unknown_kind_of_url_is_a_config_error() -> None:
    with pytest.raises(ConfigError, match="nosuch"):
        list_source(corpus("nosuch://bucket/folder"))


def test_a_file_that_vanished_is_unreachable(tmp_path: Path) -> None:
    write(tmp_path, "a.txt")
    (file,) = list_source(corpus(tmp_path)).files
    (tmp_path / "a.txt").unlink()
    with pytest.raises(SourceUnreachable, match="gone"):
        read(file, corpus(tmp_path))


class GuardedFileSystem(MemoryFileSystem):  # type: ignore[misc]  # fsspec has no types
    """A real file system of its own that lists every folder but those named `locked`."""

    protocol = "guarded"
    store: dict[str, Any] = {}
    pseudo_dirs: list[str] = [""]

    @classmethod
    def _strip_protocol(cls, path: str) -> str:
        return str(MemoryFileSystem._strip_protocol(path.replace("guarded://", "memory://", 1)))

    def ls(self, path: str, detail: bool = True, **options: Any) -> Any:
        if path.rstrip("/").endswith("locked"):
            raise RuntimeError("access denied")
        return super().ls(path, detail=detail, **options)


@pytest.fixture
def guarded() -> MemoryFileSystem:
    fsspec.register_implementation("guarded", GuardedFileSystem, clobber=True)
    GuardedFileSystem.store.clear()
    filesystem = GuardedFileSystem()
    for path in ("/docs/a.txt", "/docs/locked/b.txt", "/docs/open/c.txt"):
        filesystem.pipe_file(path, path.encode())
    return filesystem


@pytest.mark.usefixtures("guarded")
def test_a_url_is_listed_and_read() -> None:
    listing = list_source(corpus("guarded://docs/open"))
    (file,) = listing.files
    assert (file.path, file.uri) == ("c.txt", "guarded:///docs/open/c.txt")
    assert read(file, corpus("guarded://docs/open")) == b"/docs/open/c.txt"
    assert listing.complete


@pytest.mark.usefixtures("guarded")
def test_a_folder_that_cannot_be_listed_makes_the_listing_incomplete() -> None:
    listing = list_source(corpus("guarded://docs"))
    assert [file.path for file in listing.files] == ["a.txt", "open/c.txt"]
    assert not listing.complete
    assert "locked cannot be listed" in listing.problems[0]
    assert "access denied" in listing.problems[0]


@pytest.mark.usefixtures("guarded")
def test_a_source_that_cannot_be_listed_at_all_is_unreachable() -> None:
    with pytest.raises(SourceUnreachable, match="access denied"):
        list_source(corpus("guarded://docs/locked"))


@pytest.mark.skipif(os.geteuid() == 0, reason="root may list every folder")
def test_a_folder_without_permission_makes_the_listing_incomplete(tmp_path: Path) -> None:
    write(tmp_path, "a.txt", "locked/b.txt")
    (tmp_path / "locked").chmod(0)
    listing = list_source(corpus(tmp_path))
    (tmp_path / "locked").chmod(0o755)
    assert not listing.complete
    assert [file.path for file in listing.files] == ["a.txt"]


def test_what_is_no_file_is_named_and_never_waited_for(tmp_path: Path) -> None:
    write(tmp_path, "a.txt", "b.txt")
    os.mkfifo(tmp_path / "pipe.txt")
    listing = list_source(corpus(tmp_path))
    assert ([file.path for file in listing.files], listing.complete) == (["a.txt", "b.txt"], True)
    assert listing.problems == ("pipe.txt is passed over: it is a pipe, a socket or a device",)
    (tmp_path / "b.txt").unlink()
    os.mkfifo(tmp_path / "b.txt")
    with pytest.raises(SourceUnreachable, match="it is a pipe, a socket or a device"):
        read(listing.files[1], corpus(tmp_path))


@pytest.mark.parametrize("store", ["", "data", "deep/data"])
def test_a_store_in_its_own_source_is_refused_unless_it_is_left_out(tmp_path: Path, store: str) -> None:
    write(tmp_path, "a.txt")
    inside = {"name": "things", "store": {"uri": str(tmp_path / store)}}
    with pytest.raises(ConfigError, match="lies in the source"):
        list_source(Corpus.model_validate(inside | {"source": {"uri": str(tmp_path)}}))
    excluded = {"uri": str(tmp_path), "exclude": [f"{store}/things".strip("/")]}
    assert list_source(Corpus.model_validate(inside | {"source": excluded})).seen == 1
