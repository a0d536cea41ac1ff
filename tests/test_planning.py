"""A plan does what changed, and lets documents go only where the whole source was seen."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tailgate import config, ids, planning
from tailgate.errors import EmptyCorpus
from tailgate.models import Listing, QuarantineEntry, SourceFile
from tailgate.planning import KnownDocument, Plan
from tailgate.scope import Scope

NOON = datetime(2026, 11, 30, 12, tzinfo=UTC)
FULL = Scope(start=None, end=None, full=True)
INTERVAL = Scope(start=NOON - timedelta(days=1), end=NOON, full=False)
CORPUS = config.parse({"name": "calls", "source": {"uri": "docs"}}, where="test")
DATED = config.parse({"name": "calls", "source": {"uri": "docs", "dated": "modified"}}, where="test")


def _file(path: str, size: int = 10, modified: datetime = NOON) -> SourceFile:
    return SourceFile(uri=f"docs/{path}", path=path, size=size, modified=modified)


def _known(file: SourceFile, corpus: config.Corpus = CORPUS) -> KnownDocument:
    return KnownDocument(ids.document_id("calls", file.path), file.path, file.fingerprint, corpus.fingerprint)


def _plan(
    files: list[SourceFile],
    known: list[KnownDocument],
    *,
    scope: Scope = FULL,
    complete: bool = True,
    corpus: config.Corpus = CORPUS,
    quarantined: list[QuarantineEntry] | None = None,
) -> Plan:
    listing = Listing(files=tuple(files), complete=complete, seen=len(files))
    return planning.draw_up(
        corpus, listing, known, quarantined or [], run_id="r", as_of=NOON, scope=scope, base="r000001"
    )


def _paths(plan: Plan) -> list[str]:
    return sorted(file.path for shard in plan.files for file in shard)


def test_unchanged_corpus_gives_nothing_to_do() -> None:
    files = [_file("a"), _file("b")]
    plan = _plan(files, [_known(file) for file in files])
    assert (plan.files, plan.drop, plan.unchanged) == ((), (), 2)
    assert "nothing to do" in plan.summary


def test_new_and_changed_files_are_done_and_gone_documents_dropped() -> None:
    plan = _plan([_file("a", size=11), _file("c")], [_known(_file("a")), _known(_file("b"))])
    assert _paths(plan) == ["a", "c"]
    assert plan.drop == (ids.document_id("calls", "b"),)


def test_documents_that_only_go_still_make_a_run() -> None:
    plan = _plan([_file("a")], [_known(_file("a")), _known(_file("b"))])
    assert plan.shards == (0,)
    assert plan.files == ((),)


@pytest.mark.parametrize(("scope", "complete"), [(INTERVAL, True), (FULL, False), (INTERVAL, False)])
def test_only_a_full_run_over_a_complete_listing_deletes(scope: Scope, complete: bool) -> None:
    assert _plan([_file("a")], [_known(_file("b"))], scope=scope, complete=complete).drop == ()


def test_interval_of_a_dated_source_takes_its_own_files() -> None:
    inside, before, at_end = _file("in", modified=NOON - timedelta(hours=1)), NOON - timedelta(days=2), NOON
    files = [inside, _file("old", modified=before), _file("new", modified=at_end)]
    assert _paths(_plan(files, [], scope=INTERVAL, corpus=DATED)) == ["in"]


@pytest.mark.parametrize("scope", [INTERVAL, Scope(documents=("a",)), Scope(end=NOON + timedelta(days=1))])
def test_part_of_a_source_never_puts_an_older_version_over_a_newer_one(scope: Scope) -> None:
    held = replace(_known(_file("a")), modified=NOON)
    older = _file("a", size=9, modified=NOON - timedelta(hours=1))
    plan = _plan([older], [held], scope=scope)
    assert (plan.files, plan.drop, plan.unchanged) == ((), (), 1)
    assert "a is older now" in plan.problems[0]
    newer = _file("a", size=9, modified=NOON + timedelta(minutes=1))
    assert _paths(_plan([newer], [held], scope=Scope(documents=("a",)))) == ["a"]


def test_a_full_run_follows_a_source_that_has_gone_back_in_time() -> None:
    held = replace(_known(_file("a")), modified=NOON)
    assert _paths(_plan([_file("a", size=9, modified=NOON - timedelta(hours=1))], [held])) == ["a"]


def test_a_version_without_a_time_is_taken_for_the_newer_one() -> None:
    held = replace(_known(_file("a")), modified=NOON)
    nameless = SourceFile(uri="docs/a", path="a", size=9, modified=None, etag="x")
    assert _paths(_plan([nameless], [held], scope=INTERVAL)) == ["a"]


def test_days_without_documents_are_nothing_to_do() -> None:
    by_path = config.parse({"name": "calls", "source": {"uri": "docs/{date}", "dated": "path"}}, where="test")
    assert _plan([], [], scope=INTERVAL, corpus=by_path).shards == ()
    with pytest.raises(EmptyCorpus):
        _plan([], [], corpus=by_path)


def test_new_segmenting_does_every_document_again() -> None:
    shorter = config.parse({"name": "calls", "source": {"uri": "docs"}, "segment": {"child_tokens": 90}}, where="test")
    assert _paths(_plan([_file("a")], [_known(_file("a"))], corpus=shorter)) == ["a"]


def test_new_radius_reads_no_document_and_cuts_the_windows_of_all_that_stay() -> None:
    wider = config.parse({"name": "calls", "source": {"uri": "docs"}, "window": {"before": 3}}, where="test")
    plan = _plan([_file("a"), _file("b", size=11)], [_known(_file(path)) for path in "abc"], corpus=wider)
    assert (_paths(plan), plan.windows, plan.gone, plan.unchanged) == (["b"], 2, ("c",), 0)


def test_new_radius_is_nothing_to_a_corpus_without_windows() -> None:
    tree = {"name": "calls", "source": {"uri": "docs"}, "designs": ["parent"]}
    parents, wider = (config.parse(tree | more, where="test") for more in ({}, {"window": {"before": 3}}))
    assert _plan([_file("a")], [_known(_file("a"), parents)], corpus=wider).files == ()


def test_quarantined_file_is_tried_again_only_when_it_or_the_config_changed() -> None:
    file = _file("broken")
    entry = QuarantineEntry(file.uri, "E", "m", NOON, NOON, planning.quarantine_fingerprint(CORPUS, file))
    assert _plan([file], [], quarantined=[entry]).files == ()
    assert _plan([file], [], quarantined=[entry]).still_quarantined == 1
    assert _paths(_plan([_file("broken", size=11)], [], quarantined=[entry])) == ["broken"]


def test_source_that_never_held_anything_is_an_error() -> None:
    with pytest.raises(EmptyCorpus):
        _plan([], [])


@given(st.lists(st.integers(0, 3_000_000), min_size=1, max_size=40))
def test_shards_hold_every_file_once_and_none_is_empty(sizes: list[int]) -> None:
    files = [_file(f"{number:03}", size=size) for number, size in enumerate(sizes)]
    plan = _plan(files, [])
    assert _paths(plan) == [file.path for file in files]
    assert 1 <= len(plan.files) <= CORPUS.run.shards
    assert all(plan.files)
