"""What `stage` leaves: the base's rows less what goes plus what came, whatever happened to the tables before."""

import shutil
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from store_samples import AS_OF, embed, everything, load, make_corpus, night, rows, shape

from tailgate import ids
from tailgate.errors import ConfigError, MissingVectors, StoreConflict, StoreUnreachable
from tailgate.publish import publish
from tailgate.store import Changes, RunFolder, ShardWriter, open_store
from tailgate.store.lance import Database

PUMP = "# Priming\nClose the valve.\nOpen it again.\n# Faults\nA knocking pump sucks air."
CALL = "How can I help?\nThe pump knocks.\nTighten the clamp."
TEN = "\n".join(f"Line number {i}." for i in range(10))
THREE = "\n".join(f"Line number {i}." for i in range(3))


def test_first_load_holds_every_document(tmp_path: Path) -> None:
    corpus = make_corpus(tmp_path)
    release, store = night(corpus, "n1", {"pump.md": PUMP, "call.txt": CALL}), open_store(corpus)
    counts = {table: store.snapshot(release).count(table) for table in release.table_versions}
    assert counts == {"documents": 2, "parents": 3, "sentences": 8, "children": 8}


def test_shortened_document_leaves_no_tail(tmp_path: Path) -> None:
    corpus = make_corpus(tmp_path)
    night(corpus, "n1", {"list.txt": TEN, "call.txt": CALL})
    release = night(corpus, "n2", {"list.txt": THREE})
    name = ids.document_id(corpus.name, "list.txt")
    for table in ("sentences", "children"):
        mine = [row for row in rows(open_store(corpus), release, table) if row["document_id"] == name]
        assert [row["ordinal"] for row in mine] == [0, 1, 2]


def test_dropped_document_is_in_no_table(tmp_path: Path) -> None:
    corpus = make_corpus(tmp_path)
    night(corpus, "n1", {"pump.md": PUMP, "call.txt": CALL})
    release = night(corpus, "n2", {}, drop=["pump.md"])
    held = everything(open_store(corpus), release)
    assert {row["document_id"] for table in held.values() for row in table} == {
        ids.document_id(corpus.name, "call.txt")
    }


def test_other_documents_are_untouched_by_an_update(tmp_path: Path) -> None:
    corpus = make_corpus(tmp_path)
    first = night(corpus, "n1", {"pump.md": PUMP, "call.txt": CALL})
    second, store = night(corpus, "n2", {"pump.md": THREE}), open_store(corpus)
    name = ids.document_id(corpus.name, "call.txt")
    for table in first.table_versions:
        before, after = (
            [r for r in rows(store, release, table) if r["document_id"] == name] for release in (first, second)
        )
        assert before == after


def test_two_documents_with_one_section_have_two_parents(tmp_path: Path) -> None:
    corpus = make_corpus(tmp_path)
    release = night(corpus, "n1", {"a.md": PUMP, "b.md": PUMP})
    parents = rows(open_store(corpus), release, "parents")
    assert len({row["parent_id"] for row in parents}) == 4
    children = rows(open_store(corpus), release, "children")
    assert all(row["parent_id"].startswith(row["document_id"]) for row in children)


def test_staged_tables_are_invisible_and_an_open_reader_keeps_its_release(tmp_path: Path) -> None:
    corpus = make_corpus(tmp_path)
    first, store = night(corpus, "n1", {"pump.md": PUMP}), open_store(corpus)
    reader, before = store.snapshot(first), everything(store, first)
    assert reader.count("sentences") == 5
    versions = load(corpus, "n2", {"pump.md": THREE, "call.txt": CALL})
    assert store.latest() == first
    assert everything(store, first) == before
    publish(store, corpus, run_id="n2", as_of=AS_OF, base=first, versions=versions, metrics={}, gates=())
    assert sorted(reader.frame("sentences", ["text"])["text"]) == sorted(PUMP.split("\n"))
    assert everything(store, first) == before
    assert store.snapshot(store.release()).count("sentences") == 6


def test_reader_keeps_its_release_while_everything_is_built_anew(tmp_path: Path) -> None:
    corpus = make_corpus(tmp_path)
    first, store = night(corpus, "n1", {"pump.md": PUMP}), open_store(corpus)
    before = everything(store, first)
    wider = make_corpus(tmp_path, embed={"model": "hashing:32"})
    second = night(wider, "n2", {"call.txt": CALL})
    assert everything(store, first) == before
    assert [row["path"] for row in rows(store, second, "documents")] == ["call.txt"]
    assert store.snapshot(second).dimension("sentences") == 32


def test_load_after_one_that_was_never_published_starts_from_the_release(tmp_path: Path) -> None:
    corpus = make_corpus(tmp_path)
    night(corpus, "n1", {"pump.md": PUMP})
    load(corpus, "lost", {"pump.md": TEN, "never.txt": CALL})
    release = night(corpus, "n2", {"call.txt": CALL})
    paths = [row["path"] for row in rows(open_store(corpus), release, "documents")]
    assert sorted(paths) == ["call.txt", "pump.md"]


@pytest.mark.parametrize("table", ["documents", "parents", "sentences", "children"])
def test_writer_killed_before_its_first_commit_is_passed_over(tmp_path: Path, table: str) -> None:
    corpus = make_corpus(tmp_path)
    data = Path(corpus.folder) / "tables" / f"{table}.lance" / "data"
    data.mkdir(parents=True)
    (data / "half.lance").write_bytes(b"half a file")
    release = night(corpus, "n1", {"call.txt": CALL})
    assert open_store(corpus).snapshot(release).count("sentences") == 3


@settings(max_examples=8, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    steps=st.lists(
        st.dictionaries(st.sampled_from(["a", "b", "c"]), st.sampled_from([PUMP, CALL, TEN, THREE]), max_size=3),
        min_size=1,
        max_size=3,
    ),
    killed=st.sampled_from([None, "restore", "delete", "add"]),
)
def test_rows_do_not_depend_on_history(
    tmp_path_factory: pytest.TempPathFactory, steps: list[dict[str, str]], killed: str | None
) -> None:
    """Night by night, with a load killed before the last one, against one build of what the source holds at the end."""
    grown = make_corpus(tmp_path_factory.mktemp("grown"))
    night(grown, "n0", {"z": CALL})
    held = {"z": CALL}
    for number, documents in enumerate(steps, start=1):
        if killed and number == len(steps):
            _leave_behind(grown, killed)
        release = night(grown, f"n{number}", documents)
        held |= documents
    fresh = make_corpus(tmp_path_factory.mktemp("fresh"))
    built = night(fresh, "all", dict(sorted(held.items())))
    assert everything(open_store(grown), release, without=["run_id"]) == everything(
        open_store(fresh), built, without=["run_id"]
    )


def _leave_behind(corpus: object, instruction: str) -> None:
    """Every second table as a load leaves it when it is killed after that instruction."""
    database = Database(f"{corpus.folder}/tables")
    for table in ("documents", "sentences"):
        opened = database.find(table)
        assert opened is not None
        if instruction == "restore":
            opened.restore(1)
        elif instruction == "delete":
            opened.delete("true")
        else:
            opened.add(opened.search().limit(1).to_arrow())


def test_same_input_gives_the_same_rows_twice(tmp_path: Path) -> None:
    releases = []
    for place in ("one", "two"):
        corpus = make_corpus(tmp_path / place)
        releases.append(everything(open_store(corpus), night(corpus, "n1", {"pump.md": PUMP, "call.txt": CALL})))
    assert releases[0] == releases[1]


def test_texts_of_the_base_are_not_embedded_again(tmp_path: Path) -> None:
    corpus = make_corpus(tmp_path)
    first, store = night(corpus, "n1", {"call.txt": CALL}), open_store(corpus)
    folder = RunFolder(corpus, "n2")
    shape(corpus, folder, {"call.txt": CALL.replace("knocks", "rattles"), "copy.txt": CALL})
    assert embed(corpus, folder, known=store.known_hashes(first)) == ["The pump rattles."]
    versions = store.stage(first, folder, Changes())
    sentences = store.candidate(versions).frame("sentences", ["text", "vector"])
    same = sentences[sentences["text"] == "How can I help?"]["vector"].to_list()
    assert [len(same), (same[0] == same[1]).all()] == [2, True]


def test_other_units_keep_their_vectors_when_only_the_segmenting_changed(tmp_path: Path) -> None:
    first = night(make_corpus(tmp_path), "n1", {"call.txt": CALL})
    corpus = make_corpus(tmp_path, segment={"child_tokens": 50})
    store, folder = open_store(corpus), RunFolder(corpus, "n2")
    shape(corpus, folder, {"call.txt": CALL})
    assert store.candidate(store.stage(first, folder, Changes())).count("sentences") == 3


def test_text_without_a_vector_is_told_by_its_number(tmp_path: Path) -> None:
    corpus = make_corpus(tmp_path)
    folder = RunFolder(corpus, "n1")
    shape(corpus, folder, {"call.txt": CALL})
    with pytest.raises(MissingVectors, match="3 texts have no vector"):
        open_store(corpus).stage(None, folder, Changes())
    assert not (Path(corpus.folder) / "tables").exists()


def test_model_of_another_size_under_the_same_name_is_told(tmp_path: Path) -> None:
    first = night(make_corpus(tmp_path), "n1", {"call.txt": CALL})
    corpus, other = make_corpus(tmp_path), make_corpus(tmp_path, embed={"model": "hashing:8"})
    folder = RunFolder(corpus, "n2")
    shape(corpus, folder, {"pump.md": PUMP})
    embed(other, folder)
    with pytest.raises(ConfigError, match="vectors of 8 numbers, and gave 16"):
        open_store(corpus).stage(first, folder, Changes())


def test_release_without_a_document_can_be_followed(tmp_path: Path) -> None:
    corpus = make_corpus(tmp_path)
    empty = night(corpus, "n1", {})
    assert open_store(corpus).snapshot(empty).count("documents") == 0
    release = night(corpus, "n2", {"call.txt": CALL})
    assert open_store(corpus).snapshot(release).dimension("children") == 16


@pytest.mark.parametrize(
    ("design", "tables"),
    [("window", ["documents", "sentences"]), ("parent", ["documents", "parents", "sentences", "children"])],
)
def test_one_design_pays_for_one(tmp_path: Path, design: str, tables: list[str]) -> None:
    corpus = make_corpus(tmp_path, designs=[design])
    release, store = night(corpus, "n1", {"pump.md": PUMP}), open_store(corpus)
    snapshot = store.snapshot(release)
    assert list(release.table_versions) == tables
    assert snapshot.dimension("sentences") == (16 if design == "window" else 0)
    windows = snapshot.frame("sentences", ["window_text", "text_hash"])
    assert windows.notna().all().all() == (design == "window")
    assert store.known_hashes(release)


def test_design_added_later_is_built_for_all(tmp_path: Path) -> None:
    night(make_corpus(tmp_path, designs=["window"]), "n1", {"pump.md": PUMP})
    corpus = make_corpus(tmp_path)
    release = night(corpus, "n2", {"pump.md": PUMP})
    assert open_store(corpus).snapshot(release).count("children") == 5


def test_two_writers_at_once_are_told_apart(tmp_path: Path) -> None:
    """One adds a row between two commits of the other: nobody gets a version that holds both by accident."""
    corpus = make_corpus(tmp_path)
    first, store = night(corpus, "n1", {"call.txt": CALL}), open_store(corpus)
    load(corpus, "lost", {"pump.md": PUMP})
    folder = RunFolder(corpus, "n2")
    shape(corpus, folder, {"call.txt": THREE})
    embed(corpus, folder)
    database = Database(f"{corpus.folder}/tables")
    real = folder.batches

    def batches(table, columns=None):
        for batch in real(table, columns):
            if table == "documents" and columns is None:
                interloper: Any = database.find("documents")
                interloper.add(interloper.search().limit(1).to_arrow())
            yield batch

    folder.batches = batches
    with pytest.raises(StoreConflict, match="documents"):
        store.stage(first, folder, Changes())
    assert store.snapshot(first).count("documents") == 1


def test_table_that_vanished_is_named(tmp_path: Path) -> None:
    corpus = make_corpus(tmp_path)
    first = night(corpus, "n1", {"call.txt": CALL})
    folder = RunFolder(corpus, "n2")
    shape(corpus, folder, {"pump.md": PUMP})
    embed(corpus, folder)
    shutil.rmtree(Path(corpus.folder) / "tables" / "parents.lance")
    with pytest.raises(StoreUnreachable, match="parents"):
        open_store(corpus).stage(first, folder, Changes())


def test_quote_in_a_path_harms_nothing(tmp_path: Path) -> None:
    corpus = make_corpus(tmp_path / "it's [prod] *")
    night(corpus, "it's", {"o'brien.txt": CALL, "a.txt": THREE})
    release = night(corpus, "2", {"o'brien.txt": PUMP}, drop=["a.txt"])
    assert [row["path"] for row in rows(open_store(corpus), release, "documents")] == ["o'brien.txt"]


def test_many_documents_go_in_several_commits(tmp_path: Path) -> None:
    corpus = make_corpus(tmp_path, designs=["window"])
    many = {f"{i}.txt": f"Only line {i}." for i in range(1203)}
    night(corpus, "n1", many)
    release = night(corpus, "n2", {"1.txt": CALL}, drop=[path for path in many if path not in {"0.txt", "1.txt"}])
    assert [row["path"] for row in rows(open_store(corpus), release, "documents")] in (
        ["0.txt", "1.txt"],
        ["1.txt", "0.txt"],
    )


def test_shards_that_were_written_side_by_side_are_one_load(tmp_path: Path) -> None:
    corpus = make_corpus(tmp_path)
    folder = RunFolder(corpus, "n1")
    with ShardWriter(folder, 0, corpus, AS_OF):
        pass
    shape(corpus, folder, {"call.txt": CALL}, shard=1)
    shape(corpus, folder, {"pump.md": PUMP}, shard=12)
    embed(corpus, folder)
    assert open_store(corpus).candidate(open_store(corpus).stage(None, folder, Changes())).count("documents") == 2
