"""The write path on real tables: what is published, what is kept, what a failed run leaves alone."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
import yaml

from tailgate import config, ingest
from tailgate.errors import ConfigError, EmptyCorpus, GateFailed, SourceUnreachable
from tailgate.models import Release
from tailgate.scope import Scope
from tailgate.search import search
from tailgate.store import open_store

Corpus = Callable[..., str]

GUIDE = """# Pump guide

## Priming

Close the valve before priming. Open it again when the gauge shows two bar.

## Faults

A knocking pump sucks air. Tighten the inlet clamp and prime again.
"""
CALL = (
    "Agent: How can I help?\nCaller: The pump knocks at night.\nAgent: Then it sucks air, please tighten the clamp.\n"
)


@pytest.fixture
def corpus(root: Path) -> Corpus:
    """Writes a corpus file for the folder `docs` (two good documents in it) and gives its path."""
    docs = root / "docs"
    docs.mkdir()
    (docs / "guide.md").write_text(GUIDE)
    (docs / "call.txt").write_text(CALL)

    def write(**more: Any) -> str:
        path = root / "include" / "corpora" / "pumps.yaml"
        tree = {"name": "pumps", "source": {"uri": "docs"}, "embed": {"model": "hashing:64"}, **more}
        path.write_text(yaml.safe_dump(tree))
        return str(path)

    return write


def _build(corpus: str, **more: Any) -> Release:
    _, release = ingest.build(corpus, **more)
    assert release is not None
    return release


def _rows(corpus: str, table: str = "sentences") -> list[dict[str, Any]]:
    store = open_store(config.load(corpus))
    snapshot = store.snapshot(store.release())
    key = {"sentences": "sentence_id", "documents": "document_id", "parents": "parent_id", "children": "child_id"}[
        table
    ]
    rows = snapshot.arrow(table).to_pylist()
    return sorted(rows, key=lambda row: str(row[key]))


def _paths(corpus: str) -> list[str]:
    store = open_store(config.load(corpus))
    return sorted(store.snapshot(store.release()).frame("documents", ["path"])["path"])


def test_first_build_publishes_what_search_then_finds(corpus: Corpus) -> None:
    file = corpus()
    release = _build(file)
    assert (release.sequence, release.status, release.metrics["documents"]) == (1, "published", 2)
    prompt = search(config.load(file), "knocking pump sucks air", expand="window")
    assert "sucks air" in prompt.passages[0].text


def test_second_build_of_the_same_corpus_has_nothing_to_do(corpus: Corpus) -> None:
    file = corpus()
    _build(file)
    plan, release = ingest.build(file)
    assert (plan.shards, release) == ((), None)
    assert len(open_store(config.load(file)).releases()) == 1


def test_changed_sentence_embeds_only_that_sentence(corpus: Corpus, root: Path) -> None:
    file = corpus(designs=["window"])
    _build(file)
    (root / "docs" / "call.txt").write_text(CALL.replace("at night", "every single morning"))
    assert _build(file).metrics["embedded"] == 1


def test_new_radius_embeds_nothing_and_changes_no_hit(corpus: Corpus) -> None:
    file = corpus()
    _build(file)
    before = search(config.load(file), "tighten the clamp", expand="none", k=3)
    release = _build(corpus(window={"before": 0, "after": 4}))
    after = search(config.load(file), "tighten the clamp", expand="none", k=3)
    assert release.metrics["embedded"] == 0
    assert [p.hits for p in before.passages] == [p.hits for p in after.passages]


def test_deleted_document_goes_and_shortened_one_leaves_no_tail(corpus: Corpus, root: Path) -> None:
    file = corpus(gates={"documents_lost_share": {"max": 1}, "sentences_lost_share": {"max": 1}})
    _build(file)
    (root / "docs" / "guide.md").unlink()
    (root / "docs" / "call.txt").write_text(CALL.splitlines()[0] + "\n")
    release = _build(file)
    assert (release.metrics["documents"], release.metrics["sentences"]) == (1, 1)


def test_half_the_documents_gone_fails_the_gate_by_default(corpus: Corpus, root: Path) -> None:
    file = corpus()
    _build(file)
    (root / "docs" / "guide.md").unlink()
    with pytest.raises(GateFailed, match="documents_lost_share"):
        ingest.build(file)
    assert _paths(file) == ["call.txt", "guide.md"]


def test_interval_run_never_deletes(corpus: Corpus, root: Path) -> None:
    file = corpus()
    _build(file)
    (root / "docs" / "guide.md").unlink()
    (root / "docs" / "note.txt").write_text("A new note arrived. It is short.")
    now = datetime.now(UTC)
    _build(file, scope=Scope(start=now - timedelta(days=1), end=now, full=False))
    assert _paths(file) == ["call.txt", "guide.md", "note.txt"]


def test_interval_run_after_a_change_of_model_asks_for_a_full_one(corpus: Corpus) -> None:
    _build(corpus())
    file = corpus(embed={"model": "hashing:32"})
    with pytest.raises(ConfigError, match="in full"):
        ingest.build(file, scope=Scope(start=None, end=datetime.now(UTC), full=False))
    assert _build(file).metrics["embedded"] > 0


@pytest.mark.parametrize(
    ("name", "data", "error"),
    [
        ("zero.txt", b"", "EmptyDocument"),
        ("broken.pdf", b"%PDF-1.4 nothing", "UnreadableDocument"),
        ("data.xyz", b"whatever", "UnsupportedDocument"),
        ("broken.docx", b"PK\x03\x04 no zip", "UnreadableDocument"),
        ("noise.txt", bytes(range(256)) * 8, "UnreadableDocument"),
    ],
)
def test_bad_file_is_quarantined_with_its_reason_and_the_others_are_indexed(
    corpus: Corpus, root: Path, name: str, data: bytes, error: str
) -> None:
    (root / "docs" / name).write_bytes(data)
    file = corpus()
    assert _build(file).metrics["documents"] == 2
    (entry,) = open_store(config.load(file)).quarantined()
    assert entry.error == error
    assert name in entry.message


def test_mended_file_leaves_the_quarantine(corpus: Corpus, root: Path) -> None:
    (root / "docs" / "late.txt").write_bytes(b"")
    file = corpus()
    _build(file)
    assert ingest.build(file)[0].still_quarantined == 1
    (root / "docs" / "late.txt").write_text("It has words now.")
    assert _build(file).metrics["documents"] == 3
    assert open_store(config.load(file)).quarantined() == []


def test_removed_file_leaves_the_quarantine(corpus: Corpus, root: Path) -> None:
    (root / "docs" / "late.txt").write_bytes(b"")
    file = corpus()
    _build(file)
    (root / "docs" / "late.txt").unlink()
    assert ingest.build(file)[1] is None
    assert open_store(config.load(file)).quarantined() == []


def test_known_bad_corpus_fails_before_anything_is_embedded(corpus: Corpus, root: Path) -> None:
    file = corpus()
    served = _build(file)
    (root / "docs" / "asr.txt").write_text("WORDS WITHOUT ANY STOP AT ALL " * 2000)
    with pytest.raises(GateFailed, match=r"sentence_tokens_p95.*asr\.txt") as caught:
        ingest.build(file)
    assert caught.value.place == "shape"
    store = open_store(config.load(file))
    assert store.release().release_id == served.release_id
    assert [row.status for row in store.releases()] == ["rejected", "published"]
    assert not list((root / "data" / "pumps" / "runs").rglob("vectors*"))[1:]


def test_failed_run_changes_nothing_that_a_reader_sees(corpus: Corpus, root: Path) -> None:
    file = corpus()
    _build(file)
    before = {table: _rows(file, table) for table in ("documents", "sentences", "parents", "children")}
    (root / "docs" / "giant.md").write_text("# One\n\n" + "A plain sentence of the giant section. " * 2000)
    with pytest.raises(GateFailed, match="parent_tokens_max"):
        ingest.build(file)
    assert {table: _rows(file, table) for table in before} == before
    (root / "docs" / "giant.md").unlink()
    assert ingest.build(file)[1] is None


def test_same_input_gives_the_same_rows_whatever_the_history(corpus: Corpus, root: Path) -> None:
    file = corpus()
    _build(file)
    (root / "docs" / "guide.md").write_text(GUIDE + "\n## More\n\nAnother section came.\n")
    _build(file)
    grown = _rows(file)
    config_of_fresh = Path(file).parents[2] / "fresh.yaml"
    config_of_fresh.write_text(Path(file).read_text() + "store: {uri: elsewhere}\n")
    _build(str(config_of_fresh))
    assert _rows(str(config_of_fresh)) == grown


def test_missing_folder_and_empty_folder_say_what_to_correct(root: Path, corpus: Corpus) -> None:
    missing = corpus(source={"uri": "nowhere"})
    with pytest.raises(SourceUnreachable, match="nowhere"):
        ingest.build(missing)
    (root / "bare").mkdir()
    with pytest.raises(EmptyCorpus, match="bare"):
        ingest.build(corpus(source={"uri": "bare"}))
    assert not (root / "data").exists()


@pytest.mark.parametrize(("design", "table"), [("window", "children"), ("parent", "children")])
def test_corpus_pays_only_for_the_designs_it_builds(corpus: Corpus, design: str, table: str) -> None:
    file = corpus(designs=[design])
    _build(file)
    store = open_store(config.load(file))
    assert store.snapshot(store.release()).has(table) == (design == "parent")
