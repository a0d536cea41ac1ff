"""Builds of some of a source: what an interval takes, and that no old one undoes what a newer one has done."""

import os
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
import yaml
from loopback_s3 import Server

from tailgate import config, ingest
from tailgate.errors import ConfigError, EmptyCorpus, SourceUnreachable
from tailgate.scope import Scope
from tailgate.store import open_store

Corpus = Callable[..., str]


def day(number: int, hour: int = 0) -> datetime:
    return datetime(2026, 11, number, hour, tzinfo=UTC)


@pytest.fixture
def corpus(root: Path) -> Corpus:
    (root / "docs").mkdir()

    def write(**source: Any) -> str:
        path = root / "include" / "corpora" / "calls.yaml"
        tree = {
            "name": "calls",
            "source": {"uri": "docs"} | source,
            "embed": {"model": "hashing:16"},
            "parse": {"isolate": False},
            "gates": {"documents_lost_share": {"max": 1}, "sentences_lost_share": {"max": 1}},
        }
        path.write_text(yaml.safe_dump(tree))
        return str(path)

    return write


def put(root: Path, path: str, text: str, at: datetime | None = None) -> None:
    file = root / "docs" / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)
    moment = (at or day(1)).timestamp()
    os.utime(file, (moment, moment))


def build(file: str, scope: Scope) -> list[str]:
    """What the run has worked on."""
    plan, _ = ingest.build(file, scope=scope)
    assert plan.drop == () or scope.full
    return sorted(document.path for shard in plan.files for document in shard)


def texts(file: str) -> dict[str, str]:
    store = open_store(config.load(file))
    frame = store.snapshot(store.release()).frame("documents", ["path", "text"])
    return dict(sorted(zip(frame["path"], frame["text"], strict=True)))


def test_a_backfill_of_modified_files_takes_its_days_and_leaves_the_others(corpus: Corpus, root: Path) -> None:
    file = corpus(dated="modified")
    put(root, "a.txt", "Of the third.", day(3, 5))
    put(root, "b.txt", "Of the fourth.", day(4, 5))
    assert build(file, Scope(day(4), day(5))) == ["b.txt"]
    (root / "docs" / "b.txt").unlink()
    assert build(file, Scope(day(3), day(4))) == ["a.txt"]
    assert texts(file) == {"a.txt": "Of the third.", "b.txt": "Of the fourth."}


def test_an_old_interval_does_not_find_what_was_changed_after_it(corpus: Corpus, root: Path) -> None:
    file = corpus(dated="modified")
    put(root, "a.txt", "First version.", day(3, 5))
    put(root, "b.txt", "Another one.", day(3, 6))
    build(file, Scope(day(3), day(4)))
    put(root, "a.txt", "Second version.", day(8, 5))
    assert build(file, Scope(day(8), day(9))) == ["a.txt"]
    assert build(file, Scope(day(3), day(4))) == []
    assert texts(file)["a.txt"] == "Second version."


def test_an_old_interval_does_not_take_a_version_that_came_back(corpus: Corpus, root: Path) -> None:
    """A source that was restored from a backup, or a replica that is behind, shows what it held long ago."""
    file = corpus(dated="modified")
    put(root, "a.txt", "Second version.", day(8, 5))
    build(file, Scope(day(8), day(9)))
    put(root, "a.txt", "First version.", day(3, 5))
    for scope in (Scope(day(3), day(4)), Scope(day(3), day(9)), Scope(documents=("a.txt",))):
        assert build(file, scope) == []
    assert texts(file) == {"a.txt": "Second version."}
    assert build(file, Scope(full=True)) == ["a.txt"]  # the whole source is what counts in the end
    assert texts(file) == {"a.txt": "First version."}


def test_a_file_that_was_only_touched_is_as_new_as_that(corpus: Corpus, root: Path) -> None:
    file = corpus(dated="modified")
    put(root, "a.txt", "One version.", day(3))
    build(file, Scope(full=True))
    put(root, "a.txt", "One version.", day(8))
    build(file, Scope(day(8), day(9)))
    put(root, "a.txt", "An older version.", day(5))
    assert build(file, Scope(day(5), day(6))) == []
    assert texts(file) == {"a.txt": "One version."}


def test_an_object_whose_newest_version_was_removed_is_not_taken_back(
    corpus: Corpus, root: Path, s3: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Objects have an ETag for a fingerprint, which says nothing about which version is the newer one."""
    bucket = s3.bucket()
    s3.client.put_bucket_versioning(Bucket=bucket, VersioningConfiguration={"Status": "Enabled"})
    s3.client.put_object(Bucket=bucket, Key="a.txt", Body=b"First version.")
    until_the_next_second()
    newest = s3.client.put_object(Bucket=bucket, Key="a.txt", Body=b"Second version.")["VersionId"]
    file = corpus(uri=f"s3://{bucket}", connection="bucket")
    build(file, Scope(full=True))
    s3.client.delete_object(Bucket=bucket, Key="a.txt", VersionId=newest)
    assert build(file, Scope(day(1), datetime(2100, 1, 1, tzinfo=UTC))) == []
    assert texts(file) == {"a.txt": "Second version."}


def until_the_next_second() -> None:
    """Listings of S3 have whole seconds."""
    import time

    time.sleep(1.05 - time.time() % 1)


def test_days_in_paths_are_documents_of_their_own(corpus: Corpus, root: Path) -> None:
    file = corpus(uri="docs/{date}", dated="path")
    put(root, "2026-11-03/a.txt", "Of the third.")
    put(root, "2026-11-04/a.txt", "Of the fourth.")
    assert build(file, Scope(day(4), day(5))) == ["2026-11-04/a.txt"]
    assert build(file, Scope(day(3), day(4))) == ["2026-11-03/a.txt"]
    assert texts(file) == {"2026-11-03/a.txt": "Of the third.", "2026-11-04/a.txt": "Of the fourth."}


def test_days_without_documents_are_nothing_to_do_and_delete_nothing(corpus: Corpus, root: Path) -> None:
    file = corpus(uri="docs/{date}", dated="path")
    assert build(file, Scope(day(4), day(5))) == []
    with pytest.raises(EmptyCorpus):
        build(file, Scope(full=True))
    put(root, "2026-11-04/a.txt", "Of the fourth.")
    build(file, Scope(day(4), day(5)))
    put(root, "2026-11-05/a.txt", "Of the fifth.")
    (root / "docs" / "2026-11-04" / "a.txt").unlink()
    assert build(file, Scope(day(4), day(5))) == []
    assert build(file, Scope(full=True)) == ["2026-11-05/a.txt"]
    assert list(texts(file)) == ["2026-11-05/a.txt"]


def test_named_documents_are_done_and_no_other_one_is_touched(corpus: Corpus, root: Path) -> None:
    file = corpus()
    put(root, "calls/a.txt", "One call.")
    put(root, "guide.txt", "One guide.")
    build(file, Scope(full=True))
    put(root, "calls/a.txt", "One call, changed.", day(2))
    put(root, "guide.txt", "One guide, changed.", day(2))
    (root / "docs" / "calls" / "b.txt").write_text("Another call.")
    assert build(file, Scope(documents=("calls/*",))) == ["calls/a.txt", "calls/b.txt"]
    assert texts(file)["guide.txt"] == "One guide."
    (root / "docs" / "calls" / "b.txt").unlink()
    build(file, Scope(documents=("calls/*",)))
    assert list(texts(file)) == ["calls/a.txt", "calls/b.txt", "guide.txt"]
    with pytest.raises(ConfigError, match=r"no document of the source is named by calls/c\.txt"):
        build(file, Scope(documents=("calls/c.txt",)))


def test_a_source_that_goes_away_during_an_interval_run_deletes_nothing(corpus: Corpus, root: Path) -> None:
    file = corpus(uri="docs/{date}", dated="path")
    put(root, "2026-11-04/a.txt", "Of the fourth.")
    build(file, Scope(full=True))
    (root / "docs").rename(root / "elsewhere")
    with pytest.raises(SourceUnreachable):
        build(file, Scope(day(4), day(5)))
    assert texts(file) == {"2026-11-04/a.txt": "Of the fourth."}
