"""Publishing is one row: of two publishers one wins, and what was rejected is seen by no reader."""

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from published import small_corpus

from tailgate.config import Corpus
from tailgate.errors import PublishConflict
from tailgate.models import GateResult, Offender, Release
from tailgate.publish import publish, reject
from tailgate.store import Store, open_store

AS_OF = datetime(2026, 3, 4, tzinfo=UTC)
VERSIONS = {"documents": 4, "sentences": 9}
GATES = (GateResult("parent_tokens_max", 9000.0, 6000.0, False, "fail", "", (Offender("a.md", "Intro", 9000.0),)),)


@pytest.fixture
def corpus(tmp_path: Path) -> Corpus:
    return small_corpus(tmp_path)


def put(
    store: Store, corpus: Corpus, run_id: str, base: Release | None, versions: dict[str, int] = VERSIONS
) -> Release:
    return publish(
        store, corpus, run_id=run_id, as_of=AS_OF, base=base, versions=versions, metrics={"documents": 2.0}, gates=GATES
    )


def turn_down(store: Store, corpus: Corpus, run_id: str) -> Release:
    return reject(store, corpus, run_id=run_id, as_of=AS_OF, reason="parents are too long", gates=GATES)


class Interrupted(Store):
    """The real store, on which somebody else acts just before its call number `at` (reading the list, or appending)."""

    def __init__(self, corpus: Corpus, act: Callable[[], object], *, at: int) -> None:
        super().__init__(corpus)
        self._act = act
        self._left = at
        self.acted = False

    def releases(self) -> list[Release]:
        self._count()
        return super().releases()

    def append(self, release: Release) -> bool:
        self._count()
        return super().append(release)

    def _count(self) -> None:
        if self._left == 0 and not self.acted:
            self.acted = True
            self._act()
        self._left -= 1


def test_first_release_is_what_readers_see(corpus: Corpus) -> None:
    store = open_store(corpus)
    release = put(store, corpus, "n1", None)
    assert (release.release_id, release.sequence, release.status) == ("r000001", 1, "published")
    assert (release.table_versions, release.gates, release.created_at) == (VERSIONS, GATES, AS_OF)
    assert release.config_fingerprint == corpus.fingerprint
    assert store.release() == release


def test_rejected_run_changes_nothing_that_readers_see(corpus: Corpus) -> None:
    store = open_store(corpus)
    first = put(store, corpus, "n1", None)
    rejected = turn_down(store, corpus, "n2")
    assert (rejected.release_id, rejected.status, rejected.reason) == ("r000002", "rejected", "parents are too long")
    assert store.release() == first
    assert put(store, corpus, "n3", first).release_id == "r000003"


def test_run_that_was_rejected_first_can_publish_later(corpus: Corpus) -> None:
    store = open_store(corpus)
    turn_down(store, corpus, "n1")
    assert put(store, corpus, "n1", None).sequence == 2


def test_publishing_again_gives_the_same_release(corpus: Corpus) -> None:
    store = open_store(corpus)
    first = put(store, corpus, "n1", None)
    assert put(store, corpus, "n1", None) == first
    second = put(store, corpus, "n2", first, {"documents": 5})
    assert put(store, corpus, "n1", None) == first
    assert store.releases() == [second, first]


def test_run_that_started_before_the_newest_release_is_told(corpus: Corpus) -> None:
    store = open_store(corpus)
    first = put(store, corpus, "n1", None)
    second = put(store, corpus, "n2", first)
    for base in (None, first):
        with pytest.raises(PublishConflict, match="release 2 was published by another run"):
            put(store, corpus, "late", base, {"documents": 6})
    assert store.releases() == [second, first]


def test_release_that_vanished_cannot_be_followed(corpus: Corpus) -> None:
    store = open_store(corpus)
    gone = replace(put(store, corpus, "n1", None), release_id="r000009")
    with pytest.raises(PublishConflict):
        put(store, corpus, "n2", gone)


@pytest.mark.parametrize("first_ever", [True, False])
@pytest.mark.parametrize("at", range(5))
def test_publisher_that_is_overtaken_at_any_moment_is_told(corpus: Corpus, first_ever: bool, at: int) -> None:
    base = None if first_ever else put(open_store(corpus), corpus, "n0", None)
    store = Interrupted(corpus, lambda: put(open_store(corpus), corpus, "quick", base), at=at)
    try:
        assert put(store, corpus, "slow", base) == open_store(corpus).latest()
        overtaken = False
    except PublishConflict:
        overtaken = True
    assert overtaken == store.acted
    assert open_store(corpus).release().run_id == ("quick" if overtaken else "slow")


def test_number_taken_by_a_rejected_run_is_passed_over(corpus: Corpus) -> None:
    store = Interrupted(corpus, lambda: turn_down(open_store(corpus), corpus, "other"), at=1)
    release = put(store, corpus, "n1", None)
    assert (release.sequence, store.release()) == (2, release)


def test_rejection_never_loses_to_a_publisher(corpus: Corpus) -> None:
    store = Interrupted(corpus, lambda: put(open_store(corpus), corpus, "n1", None), at=1)
    assert turn_down(store, corpus, "bad").sequence == 2
    assert store.release().run_id == "n1"


def test_second_try_of_a_run_that_published_meanwhile_gives_its_release(corpus: Corpus) -> None:
    first: list[Release] = []
    store = Interrupted(corpus, lambda: first.append(put(open_store(corpus), corpus, "n1", None)), at=1)
    assert [put(store, corpus, "n1", None)] == first == store.releases()


def test_of_publishers_at_once_one_wins_and_the_others_are_told(corpus: Corpus) -> None:
    base, barrier = put(open_store(corpus), corpus, "n0", None), threading.Barrier(6)

    def compete(number: int) -> Release | PublishConflict:
        store = open_store(corpus)
        barrier.wait()
        try:
            return put(store, corpus, f"n{number + 1}", base)
        except PublishConflict as conflict:
            return conflict

    with ThreadPoolExecutor(6) as pool:
        outcomes = list(pool.map(compete, range(6)))
    assert sum(isinstance(outcome, Release) for outcome in outcomes) == 1
    assert [row.sequence for row in open_store(corpus).releases()] == [2, 1]


@settings(max_examples=10, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.tuples(st.sampled_from(["publish", "stale", "reject"]), st.sampled_from("abc")), max_size=7))
def test_numbers_rise_by_one_and_readers_see_the_last_published(
    tmp_path_factory: pytest.TempPathFactory, steps: list[tuple[str, str]]
) -> None:
    corpus = small_corpus(tmp_path_factory.mktemp("store"))
    store, newest = open_store(corpus), None
    for number, (what, run) in enumerate(steps):
        if what == "reject":
            turn_down(store, corpus, run)
        elif what == "publish":
            newest = put(store, corpus, run, newest, {"documents": number})
        elif newest:
            with pytest.raises(PublishConflict):
                put(store, corpus, run, None, {"documents": number})
        assert store.latest() == newest
    rows = store.releases()
    assert [row.sequence for row in rows] == list(range(len(rows), 0, -1))
    assert len({row.release_id for row in rows}) == len(rows)
