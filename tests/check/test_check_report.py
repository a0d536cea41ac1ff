"""The report on real files: who is worst and where, what is refused, and the same figures from a release."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
import yaml
from check_folders import CALL, GUIDE, corpus, folder

from tailgate import ingest
from tailgate.check import CheckReport, check, check_release
from tailgate.config import Gates, load
from tailgate.errors import EmptyCorpus, SourceUnreachable
from tailgate.records import to_json
from tailgate.survey import folder as reading

LONG = "This sentence " + "goes on and on and " * 60 + "ends."
FILES = {
    "calls/a.txt": CALL,
    "calls/b.txt": f"{CALL}{CALL}Bob: {LONG}\n",
    "guide.md": f"{GUIDE}\n## The long one\n\n{LONG}\n\n## Last\n\nDone.\n",
    "page.html": "<html><body><nav>Home</nav><h1>Shed</h1><p>It is behind the house.</p></body></html>",
    "old.doc": b"\xd0\xcf\x11\xe0" + bytes(600),
    "blank.txt": "  \n",
    "data.json": json.dumps([{"id": n, "state": "open"} for n in range(30)], indent=1),
}


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> CheckReport:
    settings = corpus(parse={"isolate": False}, gates={"pseudo_sentence_share": {"max": 0}})
    return check([folder(tmp_path_factory.mktemp("mixed"), FILES)], settings)


def test_every_file_is_a_row_or_is_refused_with_its_reason(report: CheckReport) -> None:
    assert {row.document for row in report.rows} == FILES.keys() - {"old.doc", "blank.txt"}
    assert {entry.document for entry in report.refused} == {"old.doc", "blank.txt"}
    assert all(entry.message for entry in report.refused)
    assert sum(report.shapes.values()) == report.documents == 5


def test_the_longest_sentences_are_named_by_the_line_of_their_file(report: CheckReport) -> None:
    places = {worst.document: worst for worst in report.worst.sentences}
    assert places["calls/b.txt"].line == 7
    assert places["calls/b.txt"].words.startswith("Bob: This sentence goes on")
    assert places["guide.md"].line == 11
    assert places["guide.md"].heading_path == ("Keys", "The long one")
    assert (places["calls/b.txt"].above, places["calls/a.txt"].above) == (1, 0)


def test_the_largest_section_is_named_by_its_heading_and_how_it_begins_below(report: CheckReport) -> None:
    worst = report.worst.parents[0]
    assert (worst.document, worst.heading_path, worst.line) == ("guide.md", ("Keys", "The long one"), 9)
    assert worst.words.startswith("This sentence goes on")


def test_a_broken_gate_names_the_line_too(report: CheckReport) -> None:
    result = next(result for result in report.gates.results if result.gate == "pseudo_sentence_share")
    assert {(item.document, item.place) for item in result.offenders} >= {("calls/b.txt", "line 7")}


def test_warnings_are_counted_by_document(report: CheckReport) -> None:
    assert [(warned.documents, warned.example) for warned in report.warnings] == [(1, "page.html")]
    assert "navigation" in report.warnings[0].message


def test_frames_hold_what_the_documents_are_made_of(report: CheckReport) -> None:
    assert report.windows.count == sum(row.sentences for row in report.rows) >= report.sentences.count
    assert sum(row.parents for row in report.rows) == sum(spread.count for spread in report.parents.values())
    assert report.tokens == sum(row.tokens for row in report.rows)


def test_workers_change_nothing_but_the_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, report: CheckReport
) -> None:
    path = folder(tmp_path, FILES)
    monkeypatch.setattr(reading, "FILES_A_WORKER", 1)
    monkeypatch.setattr(os, "cpu_count", lambda: 3)
    seen = check([path], corpus(gates={"pseudo_sentence_share": {"max": 0}}))
    plain, isolated = (to_json(one) for one in (report, seen))
    for tree in (plain, isolated):
        tree.pop("subject")
        for entry in tree["refused"]:
            entry.pop("uri")
            entry.pop("message")
    assert isolated == plain


def test_files_of_several_paths_keep_apart_and_none_is_counted_twice(tmp_path: Path) -> None:
    path = folder(tmp_path, {"one/a.txt": CALL, "two/a.txt": CALL})
    seen = check([f"{path}/one", f"{path}/two", f"{path}/one/a.txt"], corpus(parse={"isolate": False}))
    assert [row.document for row in seen.rows] == ["one/a.txt", "two/a.txt"]


def test_nothing_to_read_is_said(tmp_path: Path) -> None:
    with pytest.raises(EmptyCorpus):
        check([str(tmp_path)], corpus())
    with pytest.raises(SourceUnreachable):
        check([str(tmp_path / "away")], corpus())
    only = check([folder(tmp_path, {"blank.txt": " "})], corpus(parse={"isolate": False}))
    assert (only.documents, only.advice.verdict, len(only.refused)) == (0, "nothing", 1)
    assert {result.gate for result in only.gates.failures} == {"sentence_tokens_p95", "parent_tokens_p99"}


@pytest.mark.parametrize("designs", [["window"], ["parent"]])
def test_one_design_is_reported_alone(tmp_path: Path, designs: list[str]) -> None:
    seen = check([folder(tmp_path, FILES)], corpus(designs=designs, parse={"isolate": False}))
    assert bool(seen.windows.count) == (designs == ["window"])
    assert any(result.gate == "window_ceiling" for result in seen.gates.results) == (designs == ["window"])


def test_a_release_gives_the_report_of_its_folder(root: Path) -> None:
    kept = {name: content for name, content in FILES.items() if name in {"calls/a.txt", "guide.md", "page.html"}}
    folder(root / "docs", kept)
    path = root / "include" / "corpora" / "mixed.yaml"
    bounds = {gate: {"max": 1} for gate in ("pseudo_sentence_share", "unsegmentable_share")}
    bounds["sentence_tokens_p95"] = {"max": 1000}
    tree = {"name": "mixed", "source": {"uri": "docs"}, "embed": {"model": "hashing:16"}, "gates": bounds}
    path.write_text(yaml.safe_dump(tree))
    ingest.build("mixed")
    built, read = check_release(load("mixed")), check([str(root / "docs")], load("mixed"))
    assert built.subject == "mixed, release r000001"
    for part in ("documents", "tokens", "shapes", "rows", "sentences", "windows", "sections", "parents", "advice"):
        assert getattr(built, part) == getattr(read, part), part
    assert built.worst.parents[0].words == read.worst.parents[0].words
    assert [(r.gate, r.value, r.passed) for r in built.gates.results] == [
        (r.gate, r.value, r.passed) for r in read.gates.results
    ]


def test_a_report_does_without_great_expectations_and_lancedb(tmp_path: Path) -> None:
    path = folder(tmp_path, {"a.txt": CALL})
    code = (
        "import sys; sys.argv = ['tailgate', 'check', sys.argv[1]]\n"
        "from tailgate import cli\n"
        "try: cli.main()\n"
        "except SystemExit: pass\n"
        "print({'great_expectations', 'lancedb', 'torch'} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code, path], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "set()"


def test_the_gates_are_those_of_the_pipeline_but_for_the_two_that_compare(report: CheckReport) -> None:
    names = {result.gate.partition("[")[0] for result in report.gates.results}
    bounds = set(Gates.model_fields) - {"truncated_share", "documents_lost_share", "sentences_lost_share"}
    assert names == bounds


@pytest.mark.corpora
@pytest.mark.parametrize(
    ("name", "pattern", "verdict"),
    [
        ("qmsum_product", "docs/ES20*.txt", "window"),
        ("sgd_calls", "docs/dev/1_*.txt", "window"),
        ("prometheus_docs", "docs/docs/practices/*.md", "parent"),
        ("webhook_json", "docs/issues/*.json", "neither"),
        ("asr_unpunctuated", "docs/rev_kaldi/*.txt", "neither"),
    ],
)
def test_real_documents_get_the_advice_of_their_kind(
    corpora: Callable[[str], Path], name: str, pattern: str, verdict: str
) -> None:
    paths = sorted(str(path) for path in corpora(name).glob(pattern))[:12]
    assert paths, pattern
    assert check(paths, corpus(parse={"isolate": False})).advice.verdict == verdict
