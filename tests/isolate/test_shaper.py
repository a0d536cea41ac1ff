"""One document cannot hang, kill or fill the run: it ends in units or in a reason, and the next one is read."""

import os
import pickle
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from multiprocessing import get_context
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tailgate.config import Corpus, Source
from tailgate.errors import (
    DocumentTimedOut,
    DocumentTooLarge,
    EncryptedDocument,
    ModelUnavailable,
    SourceUnreachable,
    UnreadableDocument,
    UnsupportedDocument,
    WorkerDied,
    WorkerNotStarted,
)
from tailgate.isolate import Shaper, open_shaper
from tailgate.isolate.packing import CHUNK, packed, unpacked
from tailgate.models import SegmentedDocument, SourceFile
from tailgate.parse import parse
from tailgate.segment import open_segmenter

Corpora = Callable[..., Corpus]
Listed = Callable[..., SourceFile]
Workers = Callable[[], list[int]]

GOOD = "The crane lifts seven boxes. The quay is wet, and the crew waits.\n"
FORMATS = {
    "a.txt": "Ann: Did the boat leave?\nBen: It did. At 7 a.m.\nAnn: “Good.” 今天天气很好。\n",
    "a.md": "# Crane\n\nIt lifts. It turns.\n\n## Limits\n\n| load | reach |\n| --- | --- |\n| 5 t | 9 m |\n",
    "a.html": "<h1>Quay</h1><p>It is wet. Mind the step.</p><ul><li>north</li><li>south</li></ul>",
    "a.csv": "boat,length\nHeron,12\nTern,9\n",
    "a.json": '{"boat": "Heron", "crew": [1, 2, 3]}',
    "a.vtt": "WEBVTT\n\n00:01.000 --> 00:02.000\n<v Ann>It left. Early.\n",
    "a.eml": "From: ann@example.org\nSubject: boats\n\nThe Heron left.\n\n> And the Tern?\n",
}


def same(one: SegmentedDocument, other: SegmentedDocument) -> bool:
    """Whether every field is the same, and every unit."""
    units = [(getattr(one, name), getattr(other, name)) for name in ("sentences", "windows", "parents", "children")]
    rest = (one.parsed, one.shape, one.tokens) == (other.parsed, other.shape, other.tokens)
    return rest and all(tuple(mine) == tuple(others) for mine, others in units)


def round_trip(document: SegmentedDocument) -> SegmentedDocument:
    head, *frames = packed(document)
    left = iter(frames)
    again = unpacked(pickle.loads(head), lambda: next(left))
    assert next(left, None) is None
    return again


@pytest.mark.parametrize("name", FORMATS)
def test_units_are_the_same_as_without_a_worker(corpus: Corpora, listed: Listed, name: str) -> None:
    file = listed(name, FORMATS[name])
    with open_shaper(corpus()) as isolated, open_shaper(corpus(isolate=False)) as unguarded:
        there, here = isolated.shape(file), unguarded.shape(file)
    assert there.content_hash == here.content_hash
    assert same(there.document, here.document)


SEGMENTER = open_segmenter(Corpus(name="x", source=Source(uri=".")))


@given(st.sampled_from(["a.txt", "a.md", "a.csv"]), st.text(st.sampled_from("ab .!?\n|:#-,0“”é海👩\t"), max_size=200))
@settings(max_examples=60, deadline=None)
def test_packing_loses_nothing(name: str, text: str) -> None:
    data = f"{text}\nword".encode()
    document = SEGMENTER.segment(parse(data, SourceFile(name, name, len(data), None)))
    assert same(round_trip(document), document)


def test_what_has_arrived_can_be_asked_for_in_any_order() -> None:
    text = "".join(f"Sentence number {i} is here.\n\n" for i in range(CHUNK + 10))
    document = SEGMENTER.segment(parse(text.encode(), SourceFile("a.txt", "a.txt", len(text), None)))
    again = round_trip(document)
    places = [0, CHUNK, 1, CHUNK - 1, CHUNK + 9, -1, CHUNK]
    for name in ("sentences", "windows"):
        there, here = getattr(again, name), getattr(document, name)
        assert [there[place] for place in places] == [here[place] for place in places]
        assert there[CHUNK - 1 : CHUNK + 2] == tuple(here[CHUNK - 1 : CHUNK + 2])
        assert there == here
        with pytest.raises(IndexError):
            there[CHUNK + 10]


def test_a_document_travels_as_its_text_and_a_few_numbers_for_each_unit() -> None:
    text = "The crane lifts seven boxes before dawn, and the crew waits on the quay. " * 4_000
    document = SEGMENTER.segment(parse(text.encode(), SourceFile("a.txt", "a.txt", len(text), None)))
    assert sum(map(len, packed(document))) < len(text) + 60 * len(document.sentences)


def test_one_worker_reads_one_document_after_the_other_and_ends(
    corpus: Corpora, listed: Listed, workers: Workers
) -> None:
    files = [listed(name, text) for name, text in FORMATS.items()]
    before, seen = set(workers()), set[int]()
    with open_shaper(corpus()) as shaper:
        for file in files:
            shaper.shape(file)
            seen |= set(workers()) - before
    assert len(seen) == 1
    assert set(workers()) == before


def test_without_isolation_there_is_no_worker(corpus: Corpora, listed: Listed, workers: Workers) -> None:
    before = set(workers())
    with open_shaper(corpus(isolate=False)) as shaper:
        shaper.shape(listed("a.txt", GOOD))
        assert set(workers()) == before


def test_errors_of_a_document_are_those_of_the_parser(corpus: Corpora, listed: Listed, hostile: ModuleType) -> None:
    expected = {
        "a.xyz": (b"x", UnsupportedDocument),
        "a.pdf": (hostile.pdf(1, password="secret"), EncryptedDocument),
        "a.docx": (hostile.zip_bomb(), UnreadableDocument),
        "a.xml": (hostile.entity_bomb(), UnreadableDocument),
    }
    with open_shaper(corpus()) as shaper:
        for name, (content, kind) in expected.items():
            file = listed(name, content)
            with pytest.raises(kind, match=name.replace(".", r"\.")):
                shaper.shape(file)
        assert shaper.shape(listed("b.txt", GOOD)).document.sentences


def goes_on(shaper: Shaper, file: SourceFile) -> bool:
    return len(shaper.shape(file).document.sentences) == 2


def test_a_document_that_takes_too_long_is_given_up(corpus: Corpora, listed: Listed, hostile: ModuleType) -> None:
    long, good = listed("long.txt", hostile.prose(12_000_000)), listed("good.txt", GOOD)
    with open_shaper(corpus(timeout_s=1.5)) as shaper:
        assert goes_on(shaper, good)
        started = time.monotonic()
        with pytest.raises(DocumentTimedOut, match=r"longer than 1\.5 seconds \(`parse\.timeout_s`\)"):
            shaper.shape(long)
        assert time.monotonic() - started < 4
        assert goes_on(shaper, good)


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("big.txt", lambda hostile: hostile.prose(20_000_000)),
        ("big.xml", lambda hostile: b"<r>" + b"<a>1</a>" * 2_000_000 + b"</r>"),
    ],
)
def test_a_document_that_takes_too_much_memory_is_given_up(
    corpus: Corpora, listed: Listed, hostile: ModuleType, name: str, content: Any
) -> None:
    big, good = listed(name, content(hostile)), listed("good.txt", GOOD)
    with open_shaper(corpus(max_memory_mb=150)) as shaper, hostile.watched() as peaks:
        with pytest.raises(DocumentTooLarge, match=r"more than 150 MB of memory \(`parse\.max_memory_mb`\)"):
            shaper.shape(big)
        assert goes_on(shaper, good)
    assert peaks.worker < 200_000_000


@pytest.mark.parametrize("by", [signal.SIGKILL, signal.SIGSEGV, signal.SIGTERM], ids=lambda by: by.name)
def test_a_document_whose_workers_die_is_given_up(
    corpus: Corpora, listed: Listed, hostile: ModuleType, struck: Any, by: signal.Signals
) -> None:
    fatal, good = listed("fatal.txt", hostile.prose(12_000_000)), listed("good.txt", GOOD)
    with open_shaper(corpus()) as shaper:
        with struck(by, times=9) as hit, pytest.raises(WorkerDied, match=f"was ended by {by.name}"):
            shaper.shape(fatal)
        assert len(hit) == 2
        assert goes_on(shaper, good)


def test_a_worker_that_is_killed_once_costs_no_document(
    corpus: Corpora, listed: Listed, hostile: ModuleType, struck: Any
) -> None:
    file = listed("a.txt", hostile.prose(6_000_000))
    with open_shaper(corpus()) as shaper, struck(signal.SIGKILL, times=1) as hit:
        assert len(shaper.shape(file).document.sentences) > 10_000
    assert len(hit) == 1


def test_a_worker_that_stands_still_is_given_up(
    corpus: Corpora, listed: Listed, hostile: ModuleType, struck: Any
) -> None:
    file = listed("a.txt", hostile.prose(12_000_000))
    with open_shaper(corpus(timeout_s=2)) as shaper, struck(signal.SIGSTOP, times=1):
        with pytest.raises(DocumentTimedOut):
            shaper.shape(file)
        assert goes_on(shaper, listed("good.txt", GOOD))


def test_a_large_file_is_refused_unread(corpus: Corpora, listed: Listed, tmp_path: Path) -> None:
    listed("huge.txt", "")
    os.truncate(tmp_path / "in" / "huge.txt", 1 << 40)
    file = SourceFile(str(tmp_path / "in" / "huge.txt"), "huge.txt", 1 << 40, None)
    for isolate in (True, False):
        refused = pytest.raises(DocumentTooLarge, match=r"1,099,511,627,776 bytes, more than 2 MB")
        with open_shaper(corpus(max_file_mb=2, isolate=isolate)) as shaper, refused:
            shaper.shape(file)


def test_a_file_that_has_grown_since_it_was_listed_is_not_read_to_its_end(corpus: Corpora, listed: Listed) -> None:
    file = listed("log.txt", GOOD)
    os.truncate(file.uri, 1 << 40)
    with open_shaper(corpus(max_file_mb=2)) as shaper, pytest.raises(DocumentTooLarge, match="it has grown"):
        shaper.shape(file)


def test_a_file_that_has_grown_a_little_is_read_as_it_is(corpus: Corpora, listed: Listed) -> None:
    file = listed("log.txt", GOOD)
    Path(file.uri).write_text(GOOD * 2)
    with open_shaper(corpus()) as shaper:
        assert len(shaper.shape(file).document.sentences) == 4


def test_a_file_that_is_gone_says_so_and_the_next_is_read(corpus: Corpora, listed: Listed) -> None:
    gone, good = listed("gone.txt", GOOD), listed("good.txt", GOOD)
    Path(gone.uri).unlink()
    with open_shaper(corpus()) as shaper:
        with pytest.raises(SourceUnreachable, match="the file is gone"):
            shaper.shape(gone)
        assert goes_on(shaper, good)


def test_what_a_worker_cannot_start_without_is_named(corpus: Corpora, listed: Listed) -> None:
    file = listed("a.txt", GOOD)
    settings = corpus().model_copy(update={"tokens": corpus().tokens.model_copy(update={"encoding": "nonesuch"})})
    with open_shaper(settings) as shaper, pytest.raises(ModelUnavailable, match="nonesuch"):
        shaper.shape(file)


def test_a_worker_that_cannot_start_is_nobodys_fault(
    corpus: Corpora, listed: Listed, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = listed("a.txt", GOOD)
    monkeypatch.setenv("PYTHONHOME", "/nonexistent")
    with open_shaper(corpus()) as shaper, pytest.raises(WorkerNotStarted, match="could not be started"):
        shaper.shape(file)


def test_files_where_a_person_stands_are_no_modules(
    corpus: Corpora, listed: Listed, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("json", "csv", "tailgate", "struct"):
        (tmp_path / f"{name}.py").write_text("raise SystemExit('this is not the module')")
    monkeypatch.chdir(tmp_path)
    with open_shaper(corpus()) as shaper:
        assert goes_on(shaper, listed("a.txt", GOOD))


def _shape_in_a_daemon(corpus: Corpus, file: SourceFile, answers: Any) -> None:
    with open_shaper(corpus) as shaper:
        answers.put(len(shaper.shape(file).document.sentences))


@pytest.mark.parametrize("method", ["spawn", "fork"])
def test_daemonic_processes_can_have_a_worker(corpus: Corpora, listed: Listed, method: str) -> None:
    context: Any = get_context(method)
    answers = context.Queue()
    arguments = (corpus(), listed("a.txt", GOOD), answers)
    daemon = context.Process(target=_shape_in_a_daemon, args=arguments, daemon=True)
    daemon.start()
    assert answers.get(timeout=60) == 2
    daemon.join(10)
    assert daemon.exitcode == 0


KILLED = """
import sys
from tailgate.config import Corpus
from tailgate.isolate import open_shaper
from tailgate.sources import list_source
corpus = Corpus.model_validate_json(sys.argv[1])
with open_shaper(corpus) as shaper:
    for file in list_source(corpus).files:
        shaper.shape(file)
        print("read", file.path, flush=True)
"""


@pytest.mark.parametrize("at", ["between documents", "while it reads"])
def test_no_worker_outlives_a_run_that_is_killed(corpus: Corpora, listed: Listed, hostile: ModuleType, at: str) -> None:
    listed("a.txt", GOOD)
    listed("b.txt", hostile.prose(12_000_000))
    command = [sys.executable, "-c", KILLED, corpus(timeout_s=1).model_dump_json()]
    run = subprocess.Popen(command, stdout=subprocess.PIPE)
    assert run.stdout
    assert run.stdout.readline() == b"read a.txt\n"
    (worker,) = map(int, Path(f"/proc/{run.pid}/task/{run.pid}/children").read_text().split())
    time.sleep(0.5 if at == "while it reads" else 0)
    run.kill()
    run.communicate()
    for _ in range(150):
        if not Path(f"/proc/{worker}").exists():
            return
        time.sleep(0.1)
    os.kill(worker, signal.SIGKILL)
    pytest.fail("the worker is still there")
