"""A window is a slice of its document, a parent is the unit that encloses the child, and reads do not grow with k."""

import random
from collections import Counter
from pathlib import Path
from typing import Any, Literal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from published import publish, small_corpus

from tailgate.config import Corpus
from tailgate.models import Hit
from tailgate.retrieve import Radius, expand
from tailgate.retrieve.retrieve import Expand
from tailgate.segment.tokens import open_tokenizer
from tailgate.segment.windows import join_ranges
from tailgate.store import Snapshot, open_store

COUNTER = open_tokenizer("cl100k_base")
TABLE = "\n".join(["| code | meaning |", "| --- | --- |", *(f"| E{i:03d} | number {i} failed |" for i in range(12))])
SHARED = "## Limits\n\nOne call a second is allowed. More calls are refused with 429.\n"


def prose(seed: int, sentences: int) -> str:
    draw = random.Random(seed)
    words = ["ship", "river", "note", "señal", "日本", "late", "paper", "window"]
    made = (" ".join(draw.choices(words, k=draw.randint(2, 9))).capitalize() + "." for _ in range(sentences))
    return "".join(sentence + draw.choice([" ", " ", "\n", "\n\n"]) for sentence in made).strip() + "\n"


DOCUMENTS = {
    "one.txt": prose(1, 40),
    "two.txt": prose(2, 3),
    "single.txt": "Only this.\n",
    "call.txt": "".join(f"{'Ann' if i % 2 else 'Bob'}: Line {i} is said. And something more.\n" for i in range(15)),
    "api.md": f"# API\n\nBefore the table. It lists errors.\n\n{TABLE}\n\nAfter the table.\n\n{SHARED}",
    "other.md": f"# Other\n\nAn introduction of its own.\n\n{SHARED}\n## Last\n\nThe end of it. Really.\n",
}


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    made = small_corpus(tmp_path_factory.mktemp("store"))
    publish(made, DOCUMENTS)
    return made


@pytest.fixture(scope="module")
def snapshot(corpus: Corpus) -> Snapshot:
    store = open_store(corpus)
    return store.snapshot(store.release())


@pytest.fixture(scope="module")
def sentences(snapshot: Snapshot) -> list[dict[str, Any]]:
    columns = ["sentence_id", "document_id", "ordinal", "kind", "text", "char_start", "char_end", "parent_id"]
    stored = ["header", "header_end", "window_text", "window_first", "window_last", "window_tokens"]
    return sorted(snapshot.arrow("sentences", columns + stored).to_pylist(), key=lambda row: row["sentence_id"])


@pytest.fixture(scope="module")
def texts(snapshot: Snapshot) -> dict[str, dict[str, Any]]:
    rows = snapshot.arrow("documents", ["document_id", "path", "text"]).to_pylist()
    return {row["document_id"]: row for row in rows}


def hit_of(row: dict[str, Any], unit: Literal["sentence", "child"] = "sentence", score: float = 0.5) -> Hit:
    return Hit(unit, row[f"{unit}_id"], row["document_id"], row["ordinal"], row["text"], score)


def children(snapshot: Snapshot) -> list[dict[str, Any]]:
    columns = ["child_id", "document_id", "ordinal", "text", "parent_id", "char_start", "char_end"]
    return sorted(snapshot.arrow("children", columns).to_pylist(), key=lambda row: row["child_id"])


@settings(max_examples=60, deadline=None)
@given(data=st.data(), before=st.integers(0, 9), after=st.integers(0, 9))
def test_a_window_is_a_slice_of_its_document(
    snapshot: Snapshot,
    sentences: list[dict[str, Any]],
    texts: dict[str, dict[str, Any]],
    data: st.DataObject,
    before: int,
    after: int,
) -> None:
    row = data.draw(st.sampled_from(sentences))
    own = [other for other in sentences if other["document_id"] == row["document_id"]]
    first, last = max(0, row["ordinal"] - before), min(len(own) - 1, row["ordinal"] + after)

    [passage] = expand(snapshot, [hit_of(row)], "window", Radius(before, after), COUNTER).passages

    document = texts[row["document_id"]]
    assert (passage.first_sentence, passage.last_sentence) == (first, last)
    assert passage.ranges[-1] == (own[first]["char_start"], own[last]["char_end"])
    assert passage.text == join_ranges(document["text"], passage.ranges)
    assert passage.tokens == COUNTER.count(passage.text)
    assert passage.path == document["path"]


def test_a_section_ends_its_windows(snapshot: Snapshot, sentences: list[dict[str, Any]]) -> None:
    hits = [hit_of(row) for row in sentences]
    section = {(row["document_id"], row["ordinal"]): row["parent_id"] for row in sentences}
    for hit, passage in zip(
        hits, expand(snapshot, hits, "window", Radius(4, 1, "section"), COUNTER).passages, strict=True
    ):
        own = section[hit.document_id, hit.ordinal]
        wanted = range(hit.ordinal - 4, hit.ordinal + 2)
        inside = [i for i in wanted if section.get((hit.document_id, i)) == own]
        assert (passage.first_sentence, passage.last_sentence) == (inside[0], inside[-1])


def test_the_stored_window_is_the_one_made_at_query_time(
    corpus: Corpus, snapshot: Snapshot, sentences: list[dict[str, Any]]
) -> None:
    radius = Radius(corpus.window.before, corpus.window.after, corpus.window.within)
    passages = expand(snapshot, [hit_of(row) for row in sentences], "window", radius, COUNTER).passages
    for row, passage in zip(sentences, passages, strict=True):
        assert passage.text == row["window_text"]
        assert passage.tokens == row["window_tokens"]
        assert (passage.first_sentence, passage.last_sentence) == (row["window_first"], row["window_last"])


def test_a_row_brings_the_header_of_its_table(snapshot: Snapshot, sentences: list[dict[str, Any]]) -> None:
    row = next(row for row in sentences if "number 9 failed" in row["text"])
    [passage] = expand(snapshot, [hit_of(row)], "window", Radius(1, 1), COUNTER).passages
    lines = passage.text.splitlines()
    assert "meaning" in lines[0]
    assert [line.split()[0] for line in lines[1:]] == ["E008", "E009", "E010"]
    assert len(passage.ranges) == 2


def test_none_gives_the_matched_unit_alone(snapshot: Snapshot, sentences: list[dict[str, Any]]) -> None:
    passages = expand(snapshot, [hit_of(row) for row in sentences], "none", Radius(2, 2), COUNTER).passages
    assert [passage.text for passage in passages] == [row["text"] for row in sentences]
    assert [passage.ranges for passage in passages] == [((r["char_start"], r["char_end"]),) for r in sentences]


def test_a_parent_encloses_its_child(snapshot: Snapshot, texts: dict[str, dict[str, Any]]) -> None:
    rows = children(snapshot)
    found = expand(snapshot, [hit_of(row, "child") for row in rows], "parent", Radius(2, 2), COUNTER)
    assert not found.missing
    for row, passage in zip(rows, found.passages, strict=True):
        [(start, end)] = passage.ranges
        assert start <= row["char_start"]
        assert row["char_end"] <= end
        assert passage.text == texts[row["document_id"]]["text"][start:end]
        assert passage.tokens == COUNTER.count(passage.text)


def test_equal_sections_keep_their_own_documents(snapshot: Snapshot) -> None:
    rows = [row for row in children(snapshot) if "One call a second" in row["text"]]
    passages = expand(snapshot, [hit_of(row, "child") for row in rows], "parent", Radius(0, 0), COUNTER).passages
    assert sorted((p.path, p.heading_path) for p in passages) == [
        ("api.md", ("API", "Limits")),
        ("other.md", ("Other", "Limits")),
    ]


@pytest.mark.parametrize("how", ["none", "window", "parent"])
def test_reads_do_not_grow_with_the_hits(
    snapshot: Snapshot, sentences: list[dict[str, Any]], how: Expand, monkeypatch: pytest.MonkeyPatch
) -> None:
    reads: list[str] = []
    real = Snapshot.arrow

    def counted(self: Snapshot, table: Any, *args: Any, **kwargs: Any) -> Any:
        reads.append(table)
        return real(self, table, *args, **kwargs)

    monkeypatch.setattr(Snapshot, "arrow", counted)
    unit: Literal["sentence", "child"] = "child" if how == "parent" else "sentence"
    hits = [hit_of(row, unit) for row in (children(snapshot) if how == "parent" else sentences)]
    reads.clear()
    expand(snapshot, hits[:1], how, Radius(3, 1), COUNTER)
    for_one = Counter(reads)
    reads.clear()
    expand(snapshot, hits, how, Radius(3, 1), COUNTER)
    assert Counter(reads) == for_one
    assert max(for_one.values()) == 1, "a table is read more than once for a query"


@settings(max_examples=20, deadline=None)
@given(data=st.data(), before=st.integers(0, 6), after=st.integers(0, 6))
def test_the_radius_changes_no_hit_and_no_rank(
    snapshot: Snapshot, sentences: list[dict[str, Any]], data: st.DataObject, before: int, after: int
) -> None:
    hits = [hit_of(row) for row in data.draw(st.lists(st.sampled_from(sentences), max_size=6))]
    passages = expand(snapshot, hits, "window", Radius(before, after), COUNTER).passages
    assert [passage.hits for passage in passages] == [(hit.unit_id,) for hit in hits]


def test_a_missing_parent_is_named_and_the_others_are_there(tmp_path: Path) -> None:
    import lancedb

    corpus = small_corpus(tmp_path)
    publish(corpus, DOCUMENTS)
    store = open_store(corpus)
    before = store.snapshot(store.release())
    gone = next(row for row in children(before) if "One call a second" in row["text"])
    table = lancedb.connect(f"{corpus.folder}/tables").open_table("parents")
    table.delete(f"parent_id = '{gone['parent_id']}'")
    after = store.candidate(before.versions | {"parents": table.version})

    hits = [hit_of(row, "child") for row in children(after)]
    found = expand(after, hits, "parent", Radius(2, 2), COUNTER)
    lost = [row["child_id"] for row in children(after) if row["parent_id"] == gone["parent_id"]]
    assert sorted(found.missing) == sorted(lost)
    assert len(found.passages) == len(hits) - len(lost)


def test_a_hit_without_its_row_is_named(snapshot: Snapshot, sentences: list[dict[str, Any]]) -> None:
    ghost = Hit("sentence", "nowhere:s0000000", "nowhere", 0, "x", 1.0)
    found = expand(snapshot, [ghost, hit_of(sentences[0])], "window", Radius(1, 1), COUNTER)
    assert found.missing == ("nowhere:s0000000",)
    assert [passage.hits for passage in found.passages] == [(sentences[0]["sentence_id"],)]


def test_a_parent_cut_from_a_table_brings_the_header_of_its_table(tmp_path: Path) -> None:
    rows = "\n".join(f"| E{i:03d} | number {i} failed for a reason that is told at length |" for i in range(120))
    text = f"# Errors\n\nThey are these.\n\n| code | meaning |\n| --- | --- |\n{rows}\n"
    made = small_corpus(tmp_path, segment={"oversize": "split", "parent_max_tokens": 300, "child_tokens": 60})
    publish(made, {"errors.md": text})
    snapshot = open_store(made).snapshot(open_store(made).release())
    children = snapshot.arrow("children", ["child_id", "document_id", "ordinal", "text"]).to_pylist()
    hits = [Hit("child", c["child_id"], c["document_id"], c["ordinal"], c["text"], 1.0) for c in children]
    passages = expand(snapshot, hits, "parent", Radius(0, 0), COUNTER).passages
    assert len({passage.ranges for passage in passages}) > 5
    assert all("code | meaning" in passage.text for passage in passages)
    document = snapshot.arrow("documents", ["text"]).to_pylist()[0]["text"]
    assert all(passage.text == join_ranges(document, passage.ranges) for passage in passages)
