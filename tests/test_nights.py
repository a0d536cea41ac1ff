"""Night after night: a run costs what changed, and what it leaves is what a first build would make."""

import shutil
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
import yaml

from tailgate import config, ingest
from tailgate.config import Corpus
from tailgate.errors import ConfigError, GateFailed, NoRelease, PublishConflict, StoreUnreachable
from tailgate.models import Release
from tailgate.scope import Scope
from tailgate.search import search
from tailgate.store import open_store

HISTORY = ("run_id", "indexed_at")
"""What a row says about when it was written, and nothing else does."""
KEYS = {"documents": "document_id", "parents": "parent_id", "sentences": "sentence_id", "children": "child_id"}
GUIDE = "# Pump\n\n## Priming\n\nClose the valve. Prime twice. Open it again.\n\n| part | torque |\n| --- | --- |\n"
GUIDE += "".join(f"| bolt {number} | {number} Nm |\n" for number in range(12))
CALL = "Agent: How can I help?\nCaller: The pump knocks. It does so at night.\nAgent: Then it sucks air.\n"
NOTE = "The gauge shows two bar. The hose was replaced in March. Nobody has seen a leak since."

Write = Callable[..., str]


@pytest.fixture
def corpus(root: Path) -> Write:
    """Writes the corpus file of the folder `docs` (three documents) and gives its path."""
    docs = root / "docs"
    docs.mkdir()
    for name, text in {"guide.md": GUIDE, "call.txt": CALL, "note.txt": NOTE}.items():
        (docs / name).write_text(text)
    return lambda **more: _corpus_file(root, "pumps", **more)


def _corpus_file(root: Path, name: str, **more: Any) -> str:
    path = root / "include" / "corpora" / f"{name}.yaml"
    gates = {gate: {"max": 1} for gate in ("documents_lost_share", "sentences_lost_share", "quarantined_share")}
    tree = {"name": name, "source": {"uri": "docs"}, "embed": {"model": "hashing:32"}, "gates": gates}
    path.write_text(yaml.safe_dump(tree | {"parse": {"isolate": False}} | more))
    return str(path)


def _build(corpus: str) -> Release:
    _, release = ingest.build(corpus)
    assert release is not None
    return release


def _served(corpus: str) -> dict[str, list[dict[str, Any]]]:
    store = open_store(config.load(corpus))
    return _rows(config.load(corpus), store.release())


def _rows(corpus: Corpus, release: Release) -> dict[str, list[dict[str, Any]]]:
    snapshot = open_store(corpus).snapshot(release)
    found = {}
    for table, key in KEYS.items():
        if snapshot.has(table):
            columns = [name for name in snapshot.arrow(table).column_names if name not in HISTORY]
            found[table] = sorted(snapshot.arrow(table, columns).to_pylist(), key=lambda row: str(row[key]))
    return found


def _as_first_built(root: Path, corpus: str, **more: Any) -> dict[str, list[dict[str, Any]]]:
    """The rows that a new store would hold now."""
    written = Path(corpus).read_text()
    fresh = _corpus_file(root, "pumps", store={"uri": "fresh"}, **more)
    _build(fresh)
    rows = _served(fresh)
    Path(corpus).write_text(written)
    return rows


def test_file_that_was_only_written_again_is_neither_parsed_nor_embedded(corpus: Write, root: Path) -> None:
    file = corpus()
    _build(file)
    (root / "docs" / "note.txt").write_text(NOTE)
    run = ingest.open_run(file, "again")
    ingest.plan(run)
    assert ingest.shape(run, 0)["documents"] == 1
    assert run.folder.frame("documents", ["path"]).empty
    assert _build(file).metrics["embedded"] == 0
    assert ingest.build(file)[1] is None
    assert _served(file) == _as_first_built(root, file)


@pytest.mark.parametrize("window", [{"before": 0, "after": 4}, {"before": 1, "after": 1, "within": "section"}])
def test_new_radius_writes_what_a_first_build_would_and_reads_no_document(
    corpus: Write, root: Path, window: dict[str, Any]
) -> None:
    _build(corpus())
    file = corpus(window=window)
    plan, release = ingest.build(file)
    assert release is not None
    assert ([list(shard) for shard in plan.files], plan.windows, release.metrics["texts"]) == ([[]], 3, 0)
    assert _served(file) == _as_first_built(root, file, window=window)
    assert ingest.build(corpus(window=window))[1] is None


def test_new_radius_and_changed_documents_together(corpus: Write, root: Path) -> None:
    _build(corpus())
    (root / "docs" / "call.txt").write_text(CALL.replace("night", "noon"))
    (root / "docs" / "note.txt").unlink()
    file = corpus(window={"before": 1, "after": 0})
    _build(file)
    assert _served(file) == _as_first_built(root, file, window={"before": 1, "after": 0})


def test_document_that_broke_keeps_its_old_rows_with_windows_of_the_new_radius(corpus: Write, root: Path) -> None:
    file, note = corpus(), root / "docs" / "note.txt"
    _build(file)
    note.write_bytes(bytes(range(256)) * 4)
    file = corpus(window={"before": 1, "after": 0})
    release = _build(file)
    assert (release.metrics["documents"], [entry.uri for entry in open_store(config.load(file)).quarantined()]) == (
        3,
        [str(note)],
    )
    windows = [row["window_text"] for row in _served(file)["sentences"] if "two bar" in row["text"]]
    assert windows == ["The gauge shows two bar."]
    assert ingest.build(file)[1] is None


def test_radius_that_makes_windows_too_large_fails_before_anything_is_loaded(corpus: Write) -> None:
    _build(corpus())
    file = corpus(window={"before": 9, "after": 9}, search={"budget_tokens": 300, "reserve_tokens": 100})
    with pytest.raises(GateFailed, match="window_ceiling"):
        ingest.build(file)


def test_document_that_is_as_it_once_was_embeds_nothing(corpus: Write, root: Path) -> None:
    file, note = corpus(), root / "docs" / "note.txt"
    _build(file)
    note.write_text("Something else entirely. In two sentences.")
    assert _build(file).metrics["embedded"] > 0
    note.write_text(NOTE)
    assert _build(file).metrics["embedded"] == 0


def test_work_of_a_rejected_run_is_used_by_the_next(corpus: Write, root: Path) -> None:
    file = corpus(gates={"sentence_tokens_p95": {"max": 3}})
    with pytest.raises(GateFailed):
        ingest.build(file)
    mended = corpus()
    run = ingest.open_run(mended, "next")
    ingest.plan(run)
    assert ingest.shape(run, 0) == {"shard": 0, "documents": 3, "reused": 3, "quarantined": 0}
    _build(mended)
    assert _served(mended) == _as_first_built(root, mended)


def test_vectors_of_a_run_that_never_published_are_used_by_the_next(corpus: Write) -> None:
    file = corpus()
    plan, release = ingest.build(file, publish_it=False)
    assert (len(plan.shards), release) == (1, None)
    assert _build(file).metrics["embedded"] == 0


def test_renamed_document_embeds_nothing(corpus: Write, root: Path) -> None:
    file = corpus()
    _build(file)
    (root / "docs" / "note.txt").rename(root / "docs" / "renamed.txt")
    release = _build(file)
    assert (release.metrics["embedded"], release.metrics["documents"]) == (0, 3)
    assert _served(file) == _as_first_built(root, file)


def test_preview_writes_nothing(corpus: Write, root: Path) -> None:
    file = corpus()
    plan = ingest.preview(ingest.open_run(file, "dry"))
    assert (plan.new, plan.changed, plan.gone) == (3, 0, ())
    assert not (root / "data").exists()


def test_rollback_moves_readers_back_and_forth_in_one_row(corpus: Write, root: Path) -> None:
    file = corpus()
    first = _build(file)
    before = _served(file)
    (root / "docs" / "call.txt").write_text(CALL.replace("night", "noon"))
    second = _build(file)
    after = _served(file)
    back = ingest.rollback(file)
    assert (back.sequence, back.table_versions, _served(file)) == (3, first.table_versions, before)
    store = open_store(config.load(file))
    assert [row.status for row in store.releases()] == ["published", "rolled_back", "published"]
    with pytest.raises(ConfigError, match="no release before r000003"):
        ingest.rollback(file)
    forth = ingest.rollback(file, second.release_id)
    assert (forth.table_versions, _served(file)) == (second.table_versions, after)


def test_run_after_a_rollback_brings_the_source_back(corpus: Write, root: Path) -> None:
    file = corpus()
    _build(file)
    (root / "docs" / "call.txt").write_text(CALL.replace("night", "noon"))
    _build(file)
    ingest.rollback(file)
    release = _build(file)
    assert release.metrics["embedded"] == 0
    assert _served(file) == _as_first_built(root, file)


def test_rollback_without_releases_or_to_an_unknown_one_is_told(corpus: Write) -> None:
    file = corpus()
    with pytest.raises(NoRelease):
        ingest.rollback(file)
    _build(file)
    with pytest.raises(ConfigError, match="no published release `r000009`"):
        ingest.rollback(file, "r000009")


def test_only_what_retention_keeps_can_be_read_and_an_open_reader_goes_on(corpus: Write, root: Path) -> None:
    file = corpus(retention={"releases": 2, "days": 0})
    note = root / "docs" / "note.txt"
    releases = []
    for night in range(5):
        note.write_text(f"It is night {night}. Nothing has happened.")
        releases.append(_build(file))
    store = open_store(config.load(file))
    assert store.snapshot(releases[-2]).count("documents") == 3
    assert [store.holds(release) for release in releases[-2:]] == [True, True]
    assert len(store.releases()) == 5


def test_table_that_has_lost_its_files_is_noticed_and_the_remedy_works(corpus: Write, root: Path) -> None:
    file = corpus()
    _build(file)
    before = _served(file)
    tables = root / "data" / "pumps" / "tables"
    for lost in (tables / "sentences.lance" / "data").iterdir():
        lost.unlink()
    with pytest.raises(StoreUnreachable, match=f"remove {tables} and build again"):
        ingest.build(file)
    shutil.rmtree(tables)
    _build(file)
    assert _served(file) == before


def test_run_that_was_overtaken_loads_on_top_of_the_other(corpus: Write, root: Path) -> None:
    """Both have planned from one release; the later listing's version of a document that both have stays."""
    file, docs = corpus(), root / "docs"
    _build(file)
    (docs / "call.txt").write_text(CALL.replace("night", "noon"))
    early, late = (ingest.open_run(file, name, as_of=_moment(minute)) for minute, name in enumerate(["early", "late"]))
    _shaped(early)
    (docs / "call.txt").write_text(CALL.replace("night", "dawn"))
    (docs / "new.txt").write_text("Something that only the later run has seen.")
    _shaped(late)
    ingest.publish(late)
    ingest.publish(early)
    assert _served(file) == _as_first_built(root, file)


def test_overtaken_run_gives_up_where_readers_were_moved_back(corpus: Write, root: Path) -> None:
    file = corpus()
    for hour in ("noon", "dawn"):
        (root / "docs" / "call.txt").write_text(CALL.replace("night", hour))
        _build(file)
    (root / "docs" / "call.txt").write_text(CALL)
    run = ingest.open_run(file, "late")
    _shaped(run)
    ingest.rollback(file)
    with pytest.raises(PublishConflict):
        ingest.publish(run)


def test_interval_run_may_change_the_radius_of_every_document(corpus: Write, root: Path) -> None:
    _build(corpus(source={"uri": "docs", "dated": "modified"}))
    changed = {"source": {"uri": "docs", "dated": "modified"}, "window": {"before": 0, "after": 1}}
    file = corpus(**changed)
    ingest.build(file, scope=Scope(start=_moment(0), end=_moment(1)))
    assert _served(file) == _as_first_built(root, file, **changed)


def test_hits_are_the_same_after_any_history(corpus: Write, root: Path) -> None:
    _build(corpus())
    before = search(config.load(corpus()), "the pump knocks", expand="none", k=5)
    file = corpus(window={"before": 3, "after": 0})
    _build(file)
    after = search(config.load(file), "the pump knocks", expand="none", k=5)
    assert [passage.hits for passage in before.passages] == [passage.hits for passage in after.passages]


def _moment(minute: int) -> datetime:
    return datetime(2031, 5, 6, 7, tzinfo=UTC) + timedelta(minutes=minute)


def _shaped(run: ingest.Run) -> None:
    """Everything before publishing is done."""
    for shard in ingest.plan(run).shards:
        ingest.shape(run, shard)
        ingest.check_shape(run)
        ingest.embed(run, shard)
    ingest.load(run)
    ingest.check_index(run)
