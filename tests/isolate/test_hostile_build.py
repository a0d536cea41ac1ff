"""A build over documents that are made to hurt: each ends in rows or in the quarantine, the others are indexed."""

import json
import os
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
import yaml

from tailgate import cli, config, ingest
from tailgate.errors import SourceUnreachable
from tailgate.parse.registry import PARSERS
from tailgate.store import open_store

WARN = {
    name: {"action": "warn"}
    for name in ("sentence_tokens_p95", "pseudo_sentence_share", "unsegmentable_share", "window_ceiling")
}
GOOD = "Ann: Did the boat leave?\nBen: It did, at seven. The quay is empty.\nAnn: Then we wait for the next one.\n"


@pytest.fixture
def write(root: Path) -> Callable[..., str]:
    """Writes files of the corpus `boats` and its file, and gives the path of that."""
    docs = root / "docs"
    docs.mkdir()

    def write_all(files: dict[str, bytes | str], **tree: Any) -> str:
        for name, content in files.items():
            (docs / name).write_bytes(content.encode() if isinstance(content, str) else content)
        path = root / "include" / "corpora" / "boats.yaml"
        settings = {"name": "boats", "source": {"uri": "docs"}, "embed": {"model": "hashing:64"}, "gates": WARN}
        path.write_text(yaml.safe_dump(settings | tree))
        return str(path)

    return write_all


def indexed(file: str) -> set[str]:
    store = open_store(config.load(file))
    return set(store.snapshot(store.release()).frame("documents", ["path"])["path"])


def quarantined(file: str) -> dict[str, str]:
    return {Path(entry.uri).name: entry.error for entry in open_store(config.load(file)).quarantined()}


def finish(run: ingest.Run, shards: tuple[int, ...]) -> None:
    """Every step after the plan."""
    for shard in shards:
        ingest.shape(run, shard)
    ingest.check_shape(run)
    for shard in shards:
        ingest.embed(run, shard)
    ingest.load(run)
    ingest.check_index(run)
    ingest.publish(run)


@pytest.mark.timeout(120)
def test_a_folder_full_of_traps_is_built(
    write: Callable[..., str],
    hostile: ModuleType,
    root: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    traps = {
        "base64.txt": hostile.blob(30_000_000),
        "bomb.docx": hostile.zip_bomb(),
        "comments.html": b"<!--" * 1_000_000,
        "cyclic.pdf": hostile.pdf(2, cyclic=True),
        "deep.html": b"<div>" * 1_000_000 + b"deep",
        "deep.md": b">" * 30_000 + b" deep",
        "entities.xml": hostile.entity_bomb(),
        "line.txt": hostile.prose(1_000_000).replace(b"\n\n", b" "),
        "pages.pdf": hostile.pdf(3_000),
        "password.pdf": hostile.pdf(2, password="secret"),
        "surrogate.jsonl": b'{"speaker": "Ann", "text": "Half a pair: \\ud800 is here."}\n' * 3,
        **{f"noise{suffix}": hostile.noise() for suffix in PARSERS},
    }
    good = {f"call-{i}.txt": GOOD for i in range(5)}
    good |= {f"z-{i}.md": f"# Boat {i}\n\nIt is white. It is fast.\n" for i in range(5)}
    limits = {"timeout_s": 3, "max_memory_mb": 400, "max_file_mb": 50}
    file = write(traps | good | {"huge.txt": ""}, parse=limits, designs=["window"])
    os.truncate(root / "docs" / "huge.txt", 1 << 40)
    (root / "docs" / "outside.txt").symlink_to("/etc/passwd")
    (root / "docs" / "round").symlink_to(root / "docs", target_is_directory=True)

    monkeypatch.setattr(sys, "argv", ["tailgate", "build", file, "--json"])
    started = time.monotonic()
    with pytest.raises(SystemExit) as ended:
        cli.main()
    assert not ended.value.code
    assert time.monotonic() - started < 60
    assert json.loads(capsys.readouterr().out)["release"]["status"] == "published"

    there, refused = indexed(file), quarantined(file)
    assert there | refused.keys() == {*traps, *good, "huge.txt"}
    assert not there & refused.keys()
    assert good.keys() <= there
    assert {"line.txt", "pages.pdf"} <= there
    assert refused["huge.txt"] == "DocumentTooLarge"
    assert refused["base64.txt"] in {"DocumentTimedOut", "DocumentTooLarge"}
    assert refused["password.pdf"] == "EncryptedDocument"
    unreadable = {"bomb.docx", "deep.html", "deep.md", "entities.xml", *(f"noise{suffix}" for suffix in PARSERS)}
    assert {refused[name] for name in unreadable} == {"UnreadableDocument"}


def test_documents_around_one_that_kills_its_readers_are_indexed(
    write: Callable[..., str], hostile: ModuleType, struck: Any
) -> None:
    file = write({"a.txt": GOOD, "fatal.txt": hostile.prose(8_000_000), "z.md": "# Boat\n\nIt is white.\n"})
    with struck(signal.SIGKILL, times=2):
        ingest.build(file)
    assert (indexed(file), quarantined(file)) == ({"a.txt", "z.md"}, {"fatal.txt": "WorkerDied"})
    assert ingest.build(file)[0].still_quarantined == 1


def test_higher_limits_give_a_document_another_try(write: Callable[..., str], hostile: ModuleType) -> None:
    files = {"a.txt": GOOD, "long.txt": hostile.prose(120_000)}
    file = write(files, parse={"max_file_mb": 0.1})
    ingest.build(file)
    assert quarantined(file) == {"long.txt": "DocumentTooLarge"}
    assert ingest.build(file)[1] is None
    write({}, parse={"max_file_mb": 0.2})
    ingest.build(file)
    assert (indexed(file), quarantined(file)) == (files.keys(), {})


def test_a_file_that_changes_after_it_was_listed_is_read_again_in_the_next_run(
    write: Callable[..., str], root: Path
) -> None:
    file = write({"a.txt": GOOD, "b.txt": GOOD})
    run = ingest.open_run(file, "r1")
    shards = ingest.plan(run).shards
    (root / "docs" / "a.txt").write_text(f"{GOOD}Ben: One more thing.\n")
    finish(run, shards)
    store = open_store(config.load(file))
    texts = dict(store.snapshot(store.release()).frame("documents", ["path", "text"]).itertuples(index=False))
    assert texts["a.txt"].endswith("One more thing.\n")
    planned, release = ingest.build(file)
    assert [[listed.path for listed in shard] for shard in planned.files] == [["a.txt"]]
    assert release
    assert release.metrics["embedded"] == 0
    assert ingest.build(file)[1] is None


def test_a_file_that_is_away_for_a_moment_is_read_in_the_next_run(write: Callable[..., str], root: Path) -> None:
    file = write({"a.txt": GOOD, "b.txt": GOOD, "c.txt": GOOD})
    for name in ("b.txt", "c.txt"):
        os.utime(root / "docs" / name, (1_700_000_000, 1_700_000_000))
    run = ingest.open_run(file, "r1")
    shards = ingest.plan(run).shards
    for name in ("b.txt", "c.txt"):
        (root / "docs" / name).rename(root / name)
    finish(run, shards)
    assert (indexed(file), quarantined(file)) == ({"a.txt"}, dict.fromkeys(["b.txt", "c.txt"], "SourceUnreachable"))
    (root / "b.txt").rename(root / "docs" / "b.txt")
    ingest.build(file)
    assert (indexed(file), quarantined(file)) == ({"a.txt", "b.txt"}, {})


def test_a_shard_of_one_file_that_cannot_be_read_fails_only_where_the_source_is_away(
    write: Callable[..., str], root: Path
) -> None:
    file = write({"a.txt": GOOD})
    run = ingest.open_run(file, "r1")
    ingest.plan(run)
    (root / "docs" / "a.txt").unlink()
    assert ingest.shape(run, 0) == {"shard": 0, "documents": 0, "reused": 0, "quarantined": 1}
    (root / "docs").rename(root / "away")
    with pytest.raises(SourceUnreachable):
        ingest.shape(run, 0)
