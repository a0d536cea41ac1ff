"""A folder behind a web server on loopback, as its index page lists it."""

import functools
from collections.abc import Generator
from contextlib import contextmanager
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from tailgate.config import Corpus, Source
from tailgate.errors import SourceUnreachable
from tailgate.sources import list_source, read


class Handler(SimpleHTTPRequestHandler):
    """Python's own index pages; `closed` paths answer with their status, and `proof` has to be shown."""

    closed: dict[str, int] = {}
    proof: str | None = None

    def send_head(self) -> Any:
        if self.proof is not None and self.headers.get("Authorization") != self.proof:
            self.send_error(401)
            return None
        if self.path in self.closed:
            self.send_error(self.closed[self.path])
            return None
        return super().send_head()

    def log_message(self, *args: Any) -> None:
        """Quiet."""


@contextmanager
def serving(folder: Path, **traits: Any) -> Generator[str]:
    handler = type("Handler", (Handler,), traits)
    server = ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(handler, directory=str(folder)))
    Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()


def corpus(uri: str, **source: Any) -> Corpus:
    return Corpus(name="things", source=Source(uri=uri, **source))


@pytest.fixture
def site(tmp_path: Path) -> Path:
    for path in ("docs/a b.txt", "docs/é%.txt", "docs/more/c.md", "docs/.hidden", "outside.txt"):
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(path)
    return tmp_path


def test_an_index_page_is_a_folder(site: Path) -> None:
    with serving(site) as url:
        at = corpus(f"{url}/docs/")
        listing = list_source(at)
        assert [file.path for file in listing.files] == ["a b.txt", "more/c.md", "é%.txt"]
        assert [read(file, at).decode() for file in listing.files] == ["docs/a b.txt", "docs/more/c.md", "docs/é%.txt"]
    first = listing.files[0]
    assert listing.complete
    assert (first.size, first.etag, first.uri) == (12, None, f"{url}/docs/a%20b.txt")
    assert first.modified is not None


def test_a_changed_file_has_another_fingerprint(site: Path) -> None:
    with serving(site) as url:
        at = corpus(f"{url}/docs/", include=["a b.txt"])
        before = list_source(at).files[0].fingerprint
        assert list_source(at).files[0].fingerprint == before
        (site / "docs" / "a b.txt").write_text("something longer than before")
        assert list_source(at).files[0].fingerprint != before


def test_a_file_is_a_source_of_one(site: Path) -> None:
    with serving(site) as url:
        (file,) = list_source(corpus(f"{url}/docs/a%20b.txt")).files
        assert file.path == "a b.txt"


def test_links_that_lead_elsewhere_are_not_followed(site: Path) -> None:
    with serving(site) as other:
        links = ["a.txt", "../outside.txt", "/outside.txt", f"{other}/outside.txt", "?C=N;O=D", "#top", "b/c.txt", "./"]
        (site / "index").mkdir()
        (site / "index" / "a.txt").write_text("x")
        (site / "index" / "index.html").write_text("".join(f'<a href="{link}">x</a>' for link in links))
        with serving(site) as url:
            assert [file.path for file in list_source(corpus(f"{url}/index/")).files] == ["a.txt"]


@pytest.mark.parametrize(
    ("written", "proof"),
    [("http://ann:s3cret@host", "Basic YW5uOnMzY3JldA=="), ("http://:t0ken@host", "Bearer t0ken")],
)
def test_a_connection_proves_who_asks(site: Path, monkeypatch: pytest.MonkeyPatch, written: str, proof: str) -> None:
    monkeypatch.setenv("AIRFLOW_CONN_SITE", written)
    with serving(site, proof=proof) as url:
        at = corpus(f"{url}/docs/", connection="site")
        listing = list_source(at)
        assert len(listing.files) == 3
        assert read(listing.files[0], at) == b"docs/a b.txt"
        with pytest.raises(SourceUnreachable, match=r"401.*`source\.connection`"):
            list_source(corpus(f"{url}/docs/"))


def test_a_page_that_is_not_there_says_so(site: Path) -> None:
    with serving(site) as url, pytest.raises(SourceUnreachable, match="no such file or folder|Not Found|404"):
        list_source(corpus(f"{url}/nowhere/"))


def test_a_server_that_is_busy_is_not_an_empty_folder(site: Path) -> None:
    with (
        serving(site, closed={"/docs/": 503}) as url,
        pytest.raises(SourceUnreachable, match=r"503.*run again later"),
    ):
        list_source(corpus(f"{url}/docs/"))
    with serving(site, closed={"/docs/more/": 503}) as url:
        listing = list_source(corpus(f"{url}/docs/"))
        assert not listing.complete
        assert "more cannot be listed" in listing.problems[0]


def test_a_file_that_cannot_be_asked_for_makes_its_folder_incomplete(site: Path) -> None:
    with serving(site, closed={"/docs/more/c.md": 503}) as url:
        listing = list_source(corpus(f"{url}/docs/"))
    assert [file.path for file in listing.files] == ["a b.txt", "é%.txt"]
    assert not listing.complete


def test_a_link_to_nothing_is_no_document(site: Path) -> None:
    with serving(site, closed={"/docs/more/c.md": 404}) as url:
        listing = list_source(corpus(f"{url}/docs/"))
    assert [file.path for file in listing.files] == ["a b.txt", "é%.txt"]
    assert listing.complete


def test_a_file_that_is_gone_when_it_is_read_says_so(site: Path) -> None:
    with serving(site) as url:
        at = corpus(f"{url}/docs/")
        file = list_source(at).files[0]
        (site / "docs" / "a b.txt").unlink()
        with pytest.raises(SourceUnreachable, match="the file is gone"):
            read(file, at)
