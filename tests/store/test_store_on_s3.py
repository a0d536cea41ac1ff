"""Whole builds whose documents and whose store are in a bucket, on a real S3 server on loopback."""

import json
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
import yaml
from loopback_s3 import Request, Server
from store_samples import AS_OF, night

from tailgate import config, ingest
from tailgate.config import Corpus
from tailgate.errors import GateFailed, PublishConflict, SourceUnreachable, StoreUnreachable
from tailgate.models import Release
from tailgate.publish import publish
from tailgate.search import search
from tailgate.store import open_store
from tailgate.store.lance import open_database
from tailgate.store.releases import TABLE
from tailgate.store.schema import release_schema

GUIDE = "# Pump guide\n\n## Priming\n\nClose the valve before priming.\n\n## Faults\n\nA knocking pump sucks air.\n"
CALL = "Agent: How can I help?\nCaller: The pump knocks at night.\nAgent: Then it sucks air.\n"
Build = Callable[..., str]


@pytest.fixture
def bucket(s3: Server) -> str:
    return s3.bucket({"docs/guide.md": GUIDE, "docs/call.txt": CALL})


@pytest.fixture
def corpus(root: Path, bucket: str) -> Build:
    """Writes a corpus file whose source and store are in the bucket, and gives its path."""

    def write(**more: Any) -> str:
        tree = {
            "name": "pumps",
            "source": {"uri": f"s3://{bucket}/docs", "connection": "bucket"},
            "store": {"uri": f"s3://{bucket}/store", "connection": "bucket"},
            "embed": {"model": "hashing:64"},
            "parse": {"isolate": False},
            "gates": {"documents_lost_share": {"max": 1}, "sentences_lost_share": {"max": 1}},
        }
        path = root / "include" / "corpora" / "pumps.yaml"
        path.write_text(yaml.safe_dump(tree | more))
        return str(path)

    return write


def build(file: str, **more: Any) -> Release:
    release = ingest.build(file, **more)[1]
    assert release is not None
    return release


def indexed(file: str) -> list[str]:
    store = open_store(config.load(file))
    return sorted(store.snapshot(store.release()).frame("documents", ["path"])["path"])


def test_a_build_is_found_by_search_and_a_second_one_does_only_what_changed(
    s3: Server, bucket: str, corpus: Build, root: Path
) -> None:
    file = corpus()
    assert build(file).metrics["documents"] == 2
    assert "sucks air" in search(config.load(file), "knocking pump sucks air", expand="window").passages[0].text
    assert ingest.build(file)[1] is None
    s3.client.put_object(Bucket=bucket, Key="docs/call.txt", Body=CALL.replace("at night", "all day").encode())
    second = build(file)
    assert (second.sequence, second.metrics["documents"]) == (2, 2)
    assert second.metrics["embedded"] < 6
    assert [row.status for row in open_store(config.load(file)).releases()] == ["published", "published"]
    assert not (root / "data").exists()


def test_a_run_leaves_its_reports_and_data_docs_and_none_of_its_shards(s3: Server, bucket: str, corpus: Build) -> None:
    build(corpus())
    keys = s3.keys(bucket, "store/pumps/runs/")
    names = {key.split("/", 4)[4] for key in keys}
    assert {"plan.json", "gates-shape.json", "gates-index.json", "data-docs/shape/index.html"} <= names
    assert not [key for key in keys if "/shards/" in key or key.endswith(".part")]


def test_a_broken_file_is_quarantined_and_a_rejected_release_changes_nothing(
    s3: Server, bucket: str, corpus: Build
) -> None:
    file = corpus()
    build(file)
    s3.client.put_object(Bucket=bucket, Key="docs/broken.pdf", Body=b"%PDF-1.4 nothing")
    s3.client.put_object(Bucket=bucket, Key="docs/asr.txt", Body=b"WORDS WITHOUT ANY STOP AT ALL " * 2000)
    with pytest.raises(GateFailed, match=r"asr\.txt"):
        ingest.build(file)
    store = open_store(config.load(file))
    assert [row.status for row in store.releases()] == ["rejected", "published"]
    assert [(entry.uri, entry.error) for entry in store.quarantined()] == [
        (f"s3://{bucket}/docs/broken.pdf", "UnreadableDocument")
    ]
    assert indexed(file) == ["call.txt", "guide.md"]


def test_an_object_that_vanishes_meanwhile_deletes_nothing_and_is_tried_again(
    s3: Server, bucket: str, corpus: Build
) -> None:
    file = corpus()
    build(file)
    s3.client.put_object(Bucket=bucket, Key="docs/call.txt", Body=CALL.replace("night", "noon").encode())
    s3.client.put_object(Bucket=bucket, Key="docs/new.txt", Body=b"A new note arrived. It is short.")

    def vanish(request: Request) -> None:
        if request.method == "GET" and request.path.endswith("/docs/call.txt"):
            s3.client.delete_object(Bucket=bucket, Key="docs/call.txt")

    s3.before = vanish
    build(file)
    s3.reset()
    assert indexed(file) == ["call.txt", "guide.md", "new.txt"]
    (entry,) = open_store(config.load(file)).quarantined()
    assert (entry.error, entry.fingerprint) == ("SourceUnreachable", "")
    build(file)  # gone from a complete listing: now it goes
    assert indexed(file) == ["guide.md", "new.txt"]
    assert open_store(config.load(file)).quarantined() == []


def test_a_folder_that_cannot_be_listed_deletes_nothing(s3: Server, bucket: str, corpus: Build) -> None:
    s3.client.put_object(Bucket=bucket, Key="docs/more/note.txt", Body=b"A note in a folder. It is short.")
    file = corpus()
    build(file)
    s3.client.delete_object(Bucket=bucket, Key="docs/call.txt")
    s3.slow = lambda request: "prefix=docs%2Fmore" in request.query
    plan, release = ingest.build(file)
    assert (plan.drop, release) == ((), None)
    assert "more cannot be listed" in plan.problems[0]


def test_a_source_that_is_refused_ends_the_run_and_changes_nothing(s3: Server, bucket: str, corpus: Build) -> None:
    file = corpus()
    build(file)
    s3.denied = lambda request: "docs" in request.query or "/docs" in request.path
    with pytest.raises(SourceUnreachable, match="connection `bucket`"):
        ingest.build(file)
    s3.reset()
    assert indexed(file) == ["call.txt", "guide.md"]


@pytest.mark.parametrize("what", ["the bucket", "the key"])
def test_a_store_that_cannot_be_used_says_so(s3: Server, bucket: str, corpus: Build, what: str) -> None:
    if what == "the bucket":
        file = corpus(store={"uri": "s3://no-such-bucket/store", "connection": "bucket"})
    else:
        file = corpus()
        s3.denied = lambda request: "store" in request.query or "/store" in request.path
    with pytest.raises(StoreUnreachable, match="s3://"):
        ingest.build(file)


def in_bucket(bucket: str) -> Corpus:
    tree = {
        "name": "notes",
        "source": {"uri": "in"},
        "embed": {"model": "hashing:16"},
        "store": {"uri": f"s3://{bucket}/store", "connection": "bucket"},
    }
    return Corpus.model_validate(tree)


def put(corpus: Corpus, run: str, base: Release | None) -> Release:
    versions = {"documents": 1, "sentences": 1}
    return publish(
        open_store(corpus), corpus, run_id=run, as_of=AS_OF, base=base, versions=versions, metrics={}, gates=()
    )


@pytest.mark.parametrize("first_ever", [True, False])
def test_of_several_publishers_one_wins_and_the_others_are_told(bucket: str, first_ever: bool) -> None:
    corpus = in_bucket(bucket)
    base, barrier = None if first_ever else put(corpus, "n0", None), threading.Barrier(5)

    def compete(number: int) -> bool:
        barrier.wait()
        try:
            put(corpus, f"n{number}", base)
        except PublishConflict:
            return False
        return True

    with ThreadPoolExecutor(5) as pool:
        won = list(pool.map(compete, range(1, 6)))
    assert won.count(True) == 1
    winner = f"n{won.index(True) + 1}"
    assert [row.run_id for row in open_store(corpus).releases()] == [winner] + ["n0"] * (not first_ever)


def test_a_table_made_by_two_at_once_keeps_what_the_first_has_written(s3: Server, bucket: str) -> None:
    """The slower one has found no table; before its own is in place, the other has made one and published."""
    corpus, published = in_bucket(bucket), list[Release]()

    def overtake(request: Request) -> None:
        at_last = request.conditional and f"tables/{TABLE}.lance/_versions" in request.path
        if at_last and not published:
            published.append(None)  # type: ignore[arg-type]  # only once
            published[0] = put(corpus, "quick", None)

    s3.before = overtake
    open_database(corpus).create_once(TABLE, release_schema())
    assert [row.run_id for row in open_store(corpus).releases()] == ["quick"]
    assert not [key for key in s3.keys(bucket, "store/notes/") if not key.startswith("store/notes/tables/")]


def test_tables_are_the_same_as_in_a_folder(bucket: str, tmp_path: Path) -> None:
    far = in_bucket(bucket)
    near = far.model_copy(update={"store": config.StorePlace(uri=str(tmp_path))})
    documents = {"pump.md": "# Pump\nIt knocks.\nIt sucks air.", "call.txt": "Hello.\nGood bye."}
    rows = []
    for corpus in (far, near):
        release = night(corpus, "n1", documents)
        snapshot = open_store(corpus).snapshot(release)
        rows.append({table: snapshot.arrow(table).to_pylist() for table in release.table_versions})
    assert rows[0] == rows[1]


def test_the_journal_of_alerts_is_in_the_bucket(s3: Server, bucket: str) -> None:
    from tailgate.alert import compose, send

    corpus = in_bucket(bucket)
    alert = compose("notes", "n1", at=AS_OF, error="it broke")
    assert send(alert, corpus, config.from_environment) == []
    body = s3.client.get_object(Bucket=bucket, Key="store/notes/alerts.jsonl")["Body"].read()
    assert json.loads(body)["run_id"] == "n1"
