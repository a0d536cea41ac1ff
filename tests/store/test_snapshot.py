"""Reading a release: whole tables, parts of them, and the nearest units."""

from pathlib import Path

import numpy as np
import pytest
from store_samples import make_corpus, make_file, night, rows, shape, unit

from tailgate import ids
from tailgate.errors import StoreUnreachable
from tailgate.models import Hit
from tailgate.store import RunFolder, Snapshot, open_store
from tailgate.store.schema import table_schema

MANY = "\n".join(f"Line {i} of many." for i in range(57))
TWINS = "\n".join(["The same words."] * 40)


def make_snapshot(place: Path, documents: dict[str, str]) -> Snapshot:
    corpus = make_corpus(place)
    return open_store(corpus).snapshot(night(corpus, "n1", documents))


def test_every_row_is_read_and_not_the_first_ten(tmp_path: Path) -> None:
    snapshot = make_snapshot(tmp_path, {"many.txt": MANY})
    assert snapshot.count("sentences") == 57
    assert len(snapshot.frame("sentences", ["ordinal"])) == 57
    assert snapshot.arrow("sentences", ["ordinal"], "ordinal >= 20").num_rows == 37
    assert sum(batch.num_rows for batch in snapshot.batches("sentences", ["ordinal"])) == 57


def test_columns_come_as_asked_and_all_where_none_is_named(tmp_path: Path) -> None:
    snapshot = make_snapshot(tmp_path, {"many.txt": MANY})
    assert list(snapshot.frame("children", ["tokens", "child_id"]).columns) == ["tokens", "child_id"]
    assert snapshot.arrow("children").schema.names == table_schema("children", make_corpus(tmp_path), 16).names
    assert [batch.schema.names for batch in snapshot.batches("children", ["text", "vector"])] == [["text", "vector"]]


def test_condition_picks_rows(tmp_path: Path) -> None:
    snapshot = make_snapshot(tmp_path, {"a.txt": MANY, "b.txt": "Other."})
    name = ids.document_id("notes", "b.txt")
    assert snapshot.frame("sentences", ["text"], f"document_id = '{name}'")["text"].to_list() == ["Other."]


def test_nearest_unit_is_itself_with_a_cosine_of_one(tmp_path: Path) -> None:
    corpus = make_corpus(tmp_path)
    store, release = open_store(corpus), night(corpus, "n1", {"many.txt": MANY})
    row = rows(store, release, "children")[31]
    hit = store.snapshot(release).nearest("child", np.array(row["vector"], dtype=np.float32), 3)[0]
    assert hit == Hit("child", row["child_id"], row["document_id"], 31, "Line 31 of many.", hit.score)
    assert hit.score == pytest.approx(1.0, abs=1e-6)


def test_scores_are_cosines_best_first(tmp_path: Path) -> None:
    corpus = make_corpus(tmp_path)
    store, release = open_store(corpus), night(corpus, "n1", {"many.txt": MANY})
    held, vector = rows(store, release, "sentences"), unit(1, -1, 0.5, 2)
    cosines = {row["sentence_id"]: float(np.dot(row["vector"], vector)) for row in held}
    hits = store.snapshot(release).nearest("sentence", vector, 57)
    assert [hit.score for hit in hits] == pytest.approx(sorted(cosines.values(), reverse=True), abs=1e-5)
    assert all(hit.score == pytest.approx(cosines[hit.unit_id], abs=1e-5) for hit in hits)


@pytest.mark.parametrize("k", [1, 5, 40, 79])
def test_equal_scores_go_by_id_however_many_there_are(tmp_path: Path, k: int) -> None:
    corpus = make_corpus(tmp_path)
    store, release = open_store(corpus), night(corpus, "n1", {"b.txt": TWINS, "a.txt": TWINS})
    held = rows(store, release, "sentences")
    hits = store.snapshot(release).nearest("sentence", np.array(held[0]["vector"], dtype=np.float32), k)
    assert [hit.unit_id for hit in hits] == [row["sentence_id"] for row in held][:k]


def test_fewer_units_than_asked_for_are_all_there_are(tmp_path: Path) -> None:
    snapshot = make_snapshot(tmp_path, {"a.txt": "One.\nTwo."})
    assert len(snapshot.nearest("sentence", unit(1), 50)) == 2


def test_release_without_a_unit_has_no_nearest(tmp_path: Path) -> None:
    assert make_snapshot(tmp_path, {}).nearest("sentence", unit(1), 5) == []


def test_snapshot_knows_which_tables_it_has(tmp_path: Path) -> None:
    corpus = make_corpus(tmp_path, designs=["window"])
    snapshot = open_store(corpus).snapshot(night(corpus, "n1", {"a.txt": "One."}))
    assert (snapshot.has("sentences"), snapshot.has("children")) == (True, False)
    assert (snapshot.dimension("sentences"), snapshot.dimension("children")) == (16, 0)


def test_version_that_is_gone_is_told_in_words(tmp_path: Path) -> None:
    corpus = make_corpus(tmp_path)
    night(corpus, "n1", {"a.txt": "One."})
    with pytest.raises(StoreUnreachable, match=r"Version 99 no longer exists[^/]*\Z"):
        open_store(corpus).candidate({"documents": 99}).count("documents")


def test_document_row_says_where_it_came_from(tmp_path: Path) -> None:
    corpus = make_corpus(tmp_path)
    run_id = "scheduled__2026-03-04T02:00:00+00:00"
    release, file = night(corpus, run_id, {"a b.txt": MANY}), make_file("a b.txt")
    (row,) = rows(open_store(corpus), release, "documents")
    assert row | {"text": ""} == {
        "document_id": ids.document_id("notes", "a b.txt"),
        "path": "a b.txt",
        "uri": file.uri,
        "fingerprint": file.fingerprint,
        "modified": file.modified,
        "content_hash": ids.content_hash(MANY.encode()),
        "config_fingerprint": corpus.fingerprint,
        "media_type": "text/plain",
        "language": "en",
        "shape": "prose",
        "text": "",
        "n_chars": len(MANY),
        "n_tokens": 285,
        "n_sentences": 57,
        "n_parents": 1,
        "warnings": ["one table skipped"],
        "run_id": run_id,
        "indexed_at": release.created_at,
    }
    assert row["text"] == MANY


def test_document_without_a_sentence_has_its_row(tmp_path: Path) -> None:
    corpus = make_corpus(tmp_path)
    shape(corpus, RunFolder(corpus, "n0"), {"blank.txt": "\n \n"})
    snapshot = make_snapshot(tmp_path, {"blank.txt": "\n \n", "a.txt": "One."})
    assert (snapshot.count("documents"), snapshot.count("sentences")) == (2, 1)
