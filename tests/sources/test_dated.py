"""Sources whose paths carry the day: which folders a run lists, and what its documents are called."""

import os
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from loopback_s3 import Server

from tailgate.config import Corpus, Source, parse
from tailgate.errors import ConfigError, SourceUnreachable
from tailgate.scope import FULL, Scope
from tailgate.sources import list_source

NIGHT = Scope(datetime(2026, 11, 29, 2, tzinfo=UTC), datetime(2026, 11, 30, 2, tzinfo=UTC))
DAY = Scope(datetime(2026, 11, 29, tzinfo=UTC), datetime(2026, 11, 30, tzinfo=UTC))
LATER = Scope(datetime(2027, 1, 1, tzinfo=UTC), datetime(2027, 1, 2, tzinfo=UTC))


def write(folder: Path, *paths: str) -> None:
    for path in paths:
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(path)


def corpus(uri: object, **source: Any) -> Corpus:
    return Corpus(name="things", source=Source(uri=str(uri), dated="path", **source))


def paths(at: Corpus, scope: Scope = FULL) -> list[str]:
    listing = list_source(at, scope)
    assert listing.complete
    return [file.path for file in listing.files]


@pytest.fixture
def calls(tmp_path: Path) -> Path:
    write(tmp_path, "2026-11-28/a.txt", "2026-11-29/a.txt", "2026-11-29/b/c.txt", "2026-11-30/a.txt")
    write(tmp_path, "2026-13-45/a.txt", "20261129/a.txt", "drafts/a.txt", "loose.txt")
    return tmp_path


def test_an_interval_takes_the_days_of_which_it_holds_a_moment(calls: Path) -> None:
    at = corpus(calls / "{date}")
    assert paths(at, DAY) == ["2026-11-29/a.txt", "2026-11-29/b/c.txt"]
    assert paths(at, NIGHT) == ["2026-11-29/a.txt", "2026-11-29/b/c.txt", "2026-11-30/a.txt"]


def test_a_full_run_takes_every_day_and_nothing_else(calls: Path) -> None:
    expected = ["2026-11-28/a.txt", "2026-11-29/a.txt", "2026-11-29/b/c.txt", "2026-11-30/a.txt"]
    assert paths(corpus(calls / "{date}")) == expected
    assert paths(corpus(f"file://{calls}/{{date}}/")) == expected


def test_an_open_interval_takes_all_days_on_its_side(calls: Path) -> None:
    at = corpus(calls / "{date}")
    assert paths(at, Scope(start=DAY.start)) == ["2026-11-29/a.txt", "2026-11-29/b/c.txt", "2026-11-30/a.txt"]
    assert paths(at, Scope(end=DAY.start)) == ["2026-11-28/a.txt"]


def test_days_without_a_folder_are_an_empty_complete_listing(calls: Path) -> None:
    assert paths(corpus(calls / "{date}"), LATER) == []


def test_a_missing_folder_above_the_days_is_unreachable(tmp_path: Path) -> None:
    with pytest.raises(SourceUnreachable, match="nowhere"):
        list_source(corpus(tmp_path / "nowhere" / "{date}"), NIGHT)


def test_include_and_exclude_are_relative_to_the_day(calls: Path) -> None:
    assert paths(corpus(calls / "{date}", include=["*.txt"]), DAY) == ["2026-11-29/a.txt"]
    assert paths(corpus(calls / "{date}", exclude=["b"]), DAY) == ["2026-11-29/a.txt"]


@pytest.mark.parametrize(
    ("uri", "held", "taken"),
    [
        ("calls-{date}", "calls-2026-11-29/a.txt", "calls-2026-11-29/a.txt"),
        ("{date}/calls", "2026-11-29/calls/a.txt", "2026-11-29/calls/a.txt"),
        ("{date}.txt", "2026-11-29.txt", "2026-11-29.txt"),
        ("x[1]/{date}", "x[1]/2026-11-29/a.txt", "2026-11-29/a.txt"),
        ("{date}[1]", "2026-11-29[1]/a.txt", "2026-11-29[1]/a.txt"),
    ],
)
def test_a_day_may_be_part_of_a_name_or_above_other_folders(tmp_path: Path, uri: str, held: str, taken: str) -> None:
    write(tmp_path, held, held.replace("2026-11-29", "2026-11-27"), "other/a.txt")
    assert paths(corpus(tmp_path / uri), DAY) == [taken]


@pytest.mark.parametrize(
    ("include", "taken"),
    [
        (["{date}/**/*.txt"], ["2026-11-29/a.txt", "2026-11-29/b/c.txt"]),
        (["berlin/{date}/*"], ["berlin/2026-11-29/d.txt"]),
        (["*/{date}/*", "{date}/*"], ["2026-11-29/a.txt", "berlin/2026-11-29/d.txt"]),
        (["**/{date}*.md"], ["berlin/2026-11-29-notes.md"]),
    ],
)
def test_days_in_patterns(calls: Path, include: Sequence[str], taken: list[str]) -> None:
    write(calls, "berlin/2026-11-29/d.txt", "berlin/2026-11-28/d.txt", "berlin/2026-11-29-notes.md")
    assert paths(corpus(calls, include=include), DAY) == taken


@pytest.mark.skipif(os.geteuid() == 0, reason="root may list every folder")
def test_a_folder_of_another_day_is_not_even_listed(calls: Path) -> None:
    (calls / "2026-11-28").chmod(0)
    assert paths(corpus(calls / "{date}"), DAY) == ["2026-11-29/a.txt", "2026-11-29/b/c.txt"]


def test_only_the_days_of_the_interval_are_listed_in_a_bucket(s3: Server) -> None:
    bucket = s3.bucket({f"calls/2026-{month:02}-15/a.txt": "x" for month in range(1, 13)})
    s3.requests.clear()
    at = corpus(f"s3://{bucket}/calls/{{date}}", connection="bucket")
    scope = Scope(datetime(2026, 6, 15, 2, tzinfo=UTC), datetime(2026, 6, 16, 2, tzinfo=UTC))
    assert paths(at, scope) == ["2026-06-15/a.txt"]
    listed = {request.query for request in s3.requests if "calls%2F2026" in request.query}
    assert all("2026-06-15" in query for query in listed)
    assert len(paths(at)) == 12


def test_named_documents_are_found_by_path_or_pattern(calls: Path) -> None:
    at = corpus(calls / "{date}")
    assert paths(at, Scope(documents=("2026-11-28/*",))) == ["2026-11-28/a.txt"]
    assert paths(at, Scope(documents=("**/c.txt", "2026-11-30/a.txt"))) == ["2026-11-29/b/c.txt", "2026-11-30/a.txt"]
    with pytest.raises(ConfigError, match=r"no document of the source is named by c\.txt"):
        list_source(at, Scope(documents=("c.txt",)))


def test_a_name_that_looks_like_a_pattern_is_a_name_first(tmp_path: Path) -> None:
    write(tmp_path, "c[1].txt", "d.txt")
    at = Corpus(name="things", source=Source(uri=str(tmp_path)))
    assert [file.path for file in list_source(at, Scope(documents=("c[1].txt",))).files] == ["c[1].txt"]


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ({"uri": "calls/{date}"}, "only with `dated: path`"),
        ({"uri": "calls", "include": ["{date}/*"], "dated": "modified"}, "only with `dated: path`"),
        ({"uri": "calls", "dated": "path"}, "once in `uri`, or once in every pattern"),
        ({"uri": "{date}/{date}", "dated": "path"}, "once in `uri`"),
        ({"uri": "{date}", "include": ["{date}/*"], "dated": "path"}, "once in `uri`"),
        ({"uri": "calls", "include": ["{date}/*", "*.txt"], "dated": "path"}, "every pattern"),
        ({"uri": "s3://calls-{date}/x", "dated": "path"}, "not in the name of a bucket"),
    ],
)
def test_days_that_nobody_reads_are_refused(source: dict[str, Any], said: str) -> None:
    with pytest.raises(ConfigError, match=said):
        parse({"name": "calls", "source": source}, where="calls.yaml")
