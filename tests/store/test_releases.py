"""Releases are rows: appended by compare-and-swap, read back as they were."""

import threading
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import pytest
from store_samples import AS_OF, make_corpus, night

from tailgate.errors import ConfigError, NoRelease
from tailgate.models import GateResult, Offender, Release
from tailgate.store import open_store

GATES = (
    GateResult(
        "parent_tokens_max", 11200.0, 6000.0, False, "fail", "authored", (Offender("a.md", "Überblick", 11200.0),)
    ),
    GateResult("prompt_tokens_p99", None, None, True, "warn"),
)


def make_release(sequence: int, *, status: str = "published", run_id: str = "n") -> Release:
    return Release(
        release_id=f"r{sequence:06d}",
        sequence=sequence,
        created_at=AS_OF,
        run_id=run_id,
        status=status,
        reason="",
        config_fingerprint="a.b.c",
        table_versions={"documents": 3, "sentences": 7},
        metrics={"documents": 2.0, "share": 0.125},
        gates=GATES,
    )


def test_release_is_read_back_as_it_was_written(tmp_path: Path) -> None:
    store = open_store(make_corpus(tmp_path))
    release = make_release(1)
    assert store.append(release)
    assert store.releases() == [release]


def test_newest_published_release_is_the_latest(tmp_path: Path) -> None:
    store = open_store(make_corpus(tmp_path))
    for sequence, status in ((1, "published"), (2, "published"), (3, "rejected"), (4, "rolled_back")):
        assert store.append(make_release(sequence, status=status))
    assert [release.sequence for release in store.releases()] == [4, 3, 2, 1]
    assert store.latest() == make_release(2) == store.release()
    assert store.release("r000001") == make_release(1)


def test_rejected_or_unknown_release_cannot_be_opened_and_known_ones_are_named(tmp_path: Path) -> None:
    store = open_store(make_corpus(tmp_path))
    store.append(make_release(1))
    store.append(make_release(2, status="rejected"))
    for name in ("r000002", "r9"):
        with pytest.raises(ConfigError, match="r000001"):
            store.release(name)


def test_asking_before_the_first_build_says_so_and_creates_no_folder(tmp_path: Path) -> None:
    store = open_store(make_corpus(tmp_path / "store"))
    assert (store.latest(), store.releases(), store.quarantined()) == (None, [], [])
    for name in (None, "r000001"):
        with pytest.raises(NoRelease, match="tailgate build notes"):
            store.release(name)
    assert list(tmp_path.iterdir()) == []


def test_number_that_is_taken_is_refused(tmp_path: Path) -> None:
    store = open_store(make_corpus(tmp_path))
    assert store.append(make_release(1, run_id="first"))
    assert not store.append(make_release(1, run_id="second"))
    assert [release.run_id for release in store.releases()] == ["first"]


@pytest.mark.parametrize("existing", [False, True], ids=["first release ever", "later release"])
def test_of_many_threads_that_ask_for_one_number_one_gets_it(tmp_path: Path, existing: bool) -> None:
    corpus, sequence = make_corpus(tmp_path), 2 if existing else 1
    if existing:
        open_store(corpus).append(make_release(1))
    barrier = threading.Barrier(8)

    def ask(number: int) -> bool:
        store = open_store(corpus)
        barrier.wait()
        return store.append(make_release(sequence, run_id=str(number)))

    with ThreadPoolExecutor(8) as pool:
        _exactly_one(tmp_path, sequence, list(pool.map(ask, range(8))))


@pytest.mark.parametrize("existing", [False, True], ids=["first release ever", "later release"])
def test_of_processes_that_ask_for_one_number_one_gets_it(tmp_path: Path, existing: bool) -> None:
    sequence = 2 if existing else 1
    if existing:
        open_store(make_corpus(tmp_path)).append(make_release(1))
    with ProcessPoolExecutor(3, mp_context=get_context("spawn")) as pool:
        _exactly_one(
            tmp_path, sequence, list(pool.map(ask_in_a_process, [(str(tmp_path), sequence, i) for i in range(3)]))
        )


def ask_in_a_process(asked: tuple[str, int, int]) -> bool:
    place, sequence, number = asked
    ready = Path(place) / "ready"
    ready.mkdir(exist_ok=True)
    store = open_store(make_corpus(place))
    store.releases()
    (ready / str(number)).touch()
    while len(list(ready.iterdir())) < 3:
        pass
    return store.append(make_release(sequence, run_id=str(number)))


def _exactly_one(place: Path, sequence: int, won: list[bool]) -> None:
    mine = [release for release in open_store(make_corpus(place)).releases() if release.sequence == sequence]
    assert sum(won) == 1
    assert [release.run_id for release in mine] == [str(won.index(True))]


def test_open_store_sees_what_another_published(tmp_path: Path) -> None:
    corpus = make_corpus(tmp_path)
    reader = open_store(corpus)
    assert reader.latest() is None
    first = night(corpus, "n1", {"a.txt": "One line."})
    assert reader.latest() == first
    assert reader.latest() == first != night(corpus, "n2", {"b.txt": "Another line."}) == reader.latest()


def test_killed_before_the_first_row_leaves_a_store_that_can_publish(tmp_path: Path) -> None:
    corpus = make_corpus(tmp_path)
    (Path(corpus.folder) / "tables" / "releases.lance" / "data").mkdir(parents=True)
    with pytest.raises(NoRelease):
        open_store(corpus).release()
    assert open_store(corpus).append(make_release(1))
