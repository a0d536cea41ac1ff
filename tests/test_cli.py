"""The command line: exit codes, one sentence for a mistake, JSON for machines, never a traceback."""

import json
import sys
from pathlib import Path

import pytest
import yaml

from tailgate import cli

Captured = pytest.CaptureFixture[str]


def _run(monkeypatch: pytest.MonkeyPatch, *words: str) -> int:
    monkeypatch.setattr(sys, "argv", ["tailgate", *words])
    try:
        cli.main()
    except SystemExit as end:
        return int(end.code or 0)
    return 0


@pytest.fixture
def corpus(root: Path) -> str:
    (root / "docs").mkdir()
    (root / "docs" / "call.txt").write_text("Ann: Where is the key?\nBob: It hangs by the door.\nAnn: Thanks.\n")
    path = root / "include" / "corpora" / "keys.yaml"
    path.write_text(yaml.safe_dump({"name": "keys", "source": {"uri": "docs"}, "embed": {"model": "hashing:64"}}))
    return "keys"


def test_build_search_and_releases_work_by_name(corpus: str, monkeypatch: pytest.MonkeyPatch, capsys: Captured) -> None:
    assert _run(monkeypatch, "build", corpus, "--json") == 0
    assert json.loads(capsys.readouterr().out)["release"]["release_id"] == "r000001"
    assert _run(monkeypatch, "search", corpus, "where is the key", "--expand", "parent", "--json") == 0
    found = json.loads(capsys.readouterr().out)
    assert "by the door" in found["passages"][0]["text"]
    assert found["tokens"] + found["reserve_tokens"] <= found["budget_tokens"]
    assert _run(monkeypatch, "releases", corpus) == 0
    assert "served" in capsys.readouterr().out


def test_build_takes_only_the_documents_that_are_named(
    corpus: str, root: Path, monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    for name in ("a.txt", "b.txt", "c.txt"):
        (root / "docs" / name).write_text("A short note. It has two sentences.")
    assert _run(monkeypatch, "build", corpus, "--documents", "[ab].txt", "--documents", "call.txt", "--json") == 0
    assert "3 documents new, 0 changed, 0 unchanged, 0 gone" in json.loads(capsys.readouterr().out)["plan"]


def test_budget_below_the_reserve_is_refused(corpus: str, monkeypatch: pytest.MonkeyPatch, capsys: Captured) -> None:
    _run(monkeypatch, "build", corpus)
    capsys.readouterr()
    assert _run(monkeypatch, "search", corpus, "key", "--budget", "100") == 2
    assert "reserve" in capsys.readouterr().err


@pytest.mark.parametrize("expand", ["none", "window", "parent"])
def test_search_shows_passages_and_their_sum(
    corpus: str, monkeypatch: pytest.MonkeyPatch, capsys: Captured, expand: str
) -> None:
    _run(monkeypatch, "build", corpus)
    capsys.readouterr()
    assert _run(monkeypatch, "search", corpus, "key", "--expand", expand) == 0
    shown = capsys.readouterr().out
    assert "call.txt" in shown
    assert "reserved" in shown


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (["search", "keys", "door"], 1, "tailgate build"),
        (["search", "keyz", "door"], 2, "Did you mean `keys`"),
        (["search", "keys", "door", "--expand", "all"], 2, "Invalid value"),
        (["build", "keys", "--since", "soon"], 2, "ISO 8601"),
        (["build", "keys", "--since", "2026-01-01"], 2, "the source is not dated"),
        (["build", "keys", "--full", "--since", "2026-01-01"], 2, "--full"),
        (["build", "keys", "--full", "--documents", "call.txt"], 2, "--full is given with --documents"),
        (["build", "keys", "--documents", "cal.txt"], 2, "no document of the source is named by cal.txt"),
        (["check", "nowhere"], 3, "nowhere"),
        (["frobnicate"], 2, "No such command"),
        (["releases", "keys"], 0, ""),
    ],
)
def test_mistake_gives_its_exit_code_and_one_sentence(
    corpus: str, monkeypatch: pytest.MonkeyPatch, capsys: Captured, words: list[str], code: int, message: str
) -> None:
    assert _run(monkeypatch, *words) == code
    captured = capsys.readouterr()
    assert message in captured.err
    assert "Traceback" not in captured.err


def test_check_reads_a_folder_without_a_store_and_fails_on_a_bad_one(
    root: Path, monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    good = root / "good"
    good.mkdir()
    (good / "call.txt").write_text("Ann: Where is the key?\nBob: It hangs by the door.\n")
    assert _run(monkeypatch, "check", str(good)) == 0
    assert "would pass" in capsys.readouterr().out
    (good / "asr.txt").write_text("WORDS WITHOUT ANY STOP " * 3000)
    assert _run(monkeypatch, "check", str(good), "--json") == 1
    report = json.loads(capsys.readouterr().out)
    broken = [result for result in report["gates"]["results"] if not result["passed"]]
    assert "asr.txt" in json.dumps(broken)
    assert not (root / "data").exists()


def test_usage_error_is_json_where_json_is_asked_for(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert _run(monkeypatch, "search", "calls", "x", "--expand", "sentence", "--json") == 2
    assert "'sentence' is not one of" in json.loads(capsys.readouterr().out)["error"]
    assert _run(monkeypatch, "search", "calls", "--json") == 2
    assert "query" in json.loads(capsys.readouterr().out)["error"]


@pytest.mark.parametrize("path", ["~nobody-of-that-name/x", "loop", "nothing/here"])
@pytest.mark.parametrize("command", ["check", "advise"])
def test_paths_that_lead_nowhere_are_said_to(
    command: str, path: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    monkeypatch.chdir(tmp_path)
    assert _run(monkeypatch, command, path) in {2, 3}
    assert path.rpartition("/")[2] in capsys.readouterr().err


def test_the_folder_above_a_link_is_that_of_what_it_leads_to(
    tmp_path: Path, root: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    target = tmp_path / "far" / "deep"
    target.mkdir(parents=True)
    (tmp_path / "far" / "call.txt").write_text("Where is the key? It hangs by the door.\n", encoding="utf-8")
    (tmp_path / "link").symlink_to(target)
    monkeypatch.chdir(tmp_path)
    assert _run(monkeypatch, "check", "link/../call.txt", "--json") == 0
    assert json.loads(capsys.readouterr().out)["subject"] == "link/../call.txt"
