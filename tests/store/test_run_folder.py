"""The folder of a run: whole files or none, on a local path and on an fsspec URL."""

import os
import uuid
from collections.abc import Iterator
from pathlib import Path

import fsspec
import numpy as np
import pyarrow.parquet as pq
import pytest
from store_samples import AS_OF, make_corpus, make_document, make_file, shape

from tailgate import ids
from tailgate.config import Corpus
from tailgate.errors import StoreUnreachable
from tailgate.store import RunFolder, ShardWriter
from tailgate.store import shards as shards_module

GUIDE = "# Priming\nClose the valve.\n# Faults\nClose the valve."


@pytest.fixture(params=["path", "file", "memory"])
def corpus(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Corpus]:
    """A corpus whose store is a path, a file:// URL, or lies on a file system that is no disk."""
    name = uuid.uuid4().hex
    yield make_corpus(
        {"path": str(tmp_path), "file": f"file://{tmp_path}", "memory": f"memory://{name}"}[request.param]
    )
    memory = fsspec.filesystem("memory")
    if memory.exists(f"/{name}"):
        memory.rm(f"/{name}", recursive=True)


def test_json_is_read_back_as_it_was_written(corpus: Corpus) -> None:
    folder = RunFolder(corpus, "manual__2026-03-04T05:06:07+00:00")
    value = {"files": ["ä.txt", "\udce4"], "n": 3, "none": None}
    folder.write_json("plan.json", {"old": 1})
    folder.write_json("plan.json", value)
    assert RunFolder(corpus, "manual__2026-03-04T05:06:07+00:00").read_json("plan.json") == value
    assert (folder.exists("plan.json"), folder.exists("load.json")) == (True, False)


def test_file_of_a_step_that_has_not_run_is_named(corpus: Corpus) -> None:
    with pytest.raises(StoreUnreachable, match=r"load\.json"):
        RunFolder(corpus, "n1").read_json("load.json")


def test_shards_are_read_together(corpus: Corpus) -> None:
    folder = RunFolder(corpus, "n1")
    shape(corpus, folder, {"a.md": GUIDE}, shard=0)
    shape(corpus, folder, {"b.md": "One.\nTwo."}, shard=1)
    assert folder.arrow("documents", ["path", "n_sentences"]).to_pydict() == {
        "path": ["a.md", "b.md"],
        "n_sentences": [4, 2],
    }
    assert folder.frame("parents", ["heading_path"])["heading_path"].map(list).to_list() == [
        ["Priming"],
        ["Faults"],
        [],
    ]


def test_folder_without_shards_has_no_rows(corpus: Corpus) -> None:
    folder = RunFolder(corpus, "n1")
    assert folder.frame("sentences", ["text"]).empty
    assert folder.texts(0, 1) == {}


def test_each_different_text_is_in_one_part(corpus: Corpus) -> None:
    folder = RunFolder(corpus, "n1")
    shape(corpus, folder, {"a.md": GUIDE, "b.md": GUIDE, "c.txt": "\n".join(f"Line {i}." for i in range(30))})
    parts = [folder.texts(part, 3) for part in range(3)]
    assert sum(map(len, parts)) == 33
    merged = {key: text for part in parts for key, text in part.items()}
    assert all(ids.text_hash(text) == key for key, text in merged.items())
    assert all(parts)


def test_vectors_are_read_back_in_order(corpus: Corpus) -> None:
    folder, vectors = RunFolder(corpus, "n1"), np.arange(12, dtype=np.float32).reshape(3, 4)
    folder.write_vectors("0-0", ["a", "b", "c"], vectors)
    (batch,) = folder.vectors()
    assert batch.column("text_hash").to_pylist() == ["a", "b", "c"]
    assert np.array(batch.column("vector").to_pylist(), dtype=np.float32).tolist() == vectors.tolist()


def test_cleared_folder_holds_nothing(corpus: Corpus) -> None:
    folder = RunFolder(corpus, "n1")
    folder.clear()
    shape(corpus, folder, {"a.md": GUIDE})
    folder.write_json("plan.json", {})
    folder.discard_shards()
    assert (folder.frame("documents", ["path"]).empty, folder.exists("plan.json")) == (True, True)
    folder.clear()
    assert not folder.exists("plan.json")


def test_shard_that_fails_half_way_leaves_no_file(corpus: Corpus) -> None:
    folder = RunFolder(corpus, "n1")
    writer = ShardWriter(folder, 0, corpus, AS_OF)
    writer.__enter__()
    writer.add(make_file("a.md"), "hash", make_document(GUIDE, corpus))
    writer.__exit__(KeyboardInterrupt, KeyboardInterrupt(), None)
    assert folder.fs.find(folder.path) == []


def test_rows_that_cannot_be_written_leave_no_file(corpus: Corpus) -> None:
    folder = RunFolder(corpus, "n1")
    with pytest.raises(UnicodeEncodeError), ShardWriter(folder, 0, corpus, AS_OF) as writer:
        writer.add(make_file("a.md"), "hash", make_document("Half a pair \ud800.", corpus))
    assert folder.fs.find(folder.path) == []


def test_second_try_of_a_shard_replaces_the_first(corpus: Corpus) -> None:
    folder = RunFolder(corpus, "n1")
    shape(corpus, folder, {"a.md": GUIDE, "b.md": GUIDE})
    shape(corpus, folder, {"a.md": GUIDE})
    assert folder.arrow("documents", ["path"]).to_pydict() == {"path": ["a.md"]}


def test_what_a_killed_writer_left_is_not_read(tmp_path: Path) -> None:
    corpus = make_corpus(tmp_path)
    folder = RunFolder(corpus, "n1")
    shape(corpus, folder, {"a.md": GUIDE})
    (Path(folder.path) / "shards" / "documents-1.parquet.abc.part").write_bytes(b"PAR1 half")
    assert folder.frame("documents", ["path"])["path"].to_list() == ["a.md"]


def test_folder_whose_name_looks_like_a_pattern_is_read(tmp_path: Path) -> None:
    corpus = make_corpus(tmp_path / "data [prod]*?")
    folder = RunFolder(corpus, "[1]*")
    shape(corpus, folder, {"a.md": GUIDE})
    assert folder.frame("documents", ["path"])["path"].to_list() == ["a.md"]


def test_long_documents_are_written_before_there_are_many(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shards_module, "CHARS", 1000)
    corpus = make_corpus(tmp_path)
    folder = RunFolder(corpus, "n1")
    shape(corpus, folder, {f"{i}.txt": "x" * 400 for i in range(9)})
    assert pq.ParquetFile(folder.shard_path("documents", 0)).num_row_groups == 3
    assert len(folder.frame("documents", ["text"])) == 9


def test_heading_path_is_embedded_where_the_corpus_says_so(tmp_path: Path) -> None:
    corpus = make_corpus(tmp_path, embed={"model": "hashing:16", "context": "heading_path"})
    folder = RunFolder(corpus, "n1")
    shape(corpus, folder, {"a.md": GUIDE, "b.txt": "Close the valve."})
    texts = folder.texts(0, 1)
    assert {"Priming\nClose the valve.", "Faults\nClose the valve.", "Close the valve."} <= set(texts.values())
    assert all(ids.text_hash(text) == key for key, text in texts.items())
    assert folder.frame("sentences", ["text"])["text"].to_list().count("Close the valve.") == 3


@pytest.mark.skipif(os.geteuid() == 0, reason="the superuser may write anywhere")
def test_folder_that_may_not_be_written_is_named(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    with pytest.raises(StoreUnreachable, match="Permission denied"):
        RunFolder(make_corpus(tmp_path), "n1").write_json("plan.json", {})


def test_store_below_a_file_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("not a folder")
    with pytest.raises(StoreUnreachable, match="notes/runs/n1/plan"):
        RunFolder(make_corpus(tmp_path / "file"), "n1").write_json("plan.json", {})


def test_only_a_local_folder_has_a_path(tmp_path: Path) -> None:
    assert RunFolder(make_corpus(tmp_path), "a/b:c").local() == tmp_path / "notes" / "runs" / "a_b_c"
    assert RunFolder(make_corpus("memory://elsewhere"), "n1").local() is None
