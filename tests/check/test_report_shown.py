"""What a person sees: 80 columns, no colour needed, ASCII where that is all there is; and a page that needs nothing."""

import io
import json
import re
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest
from check_folders import CALL, GUIDE, corpus, folder
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

from tailgate import cli, glyphs, render, report
from tailgate.check import CheckReport, check
from tailgate.records import to_json

DOCS = Path(__file__).resolve().parents[2] / "docs" / "check.md"
HOSTILE = '<script>alert(1)</script> & "co".txt'


@pytest.fixture(scope="module")
def mixed(tmp_path_factory: pytest.TempPathFactory) -> CheckReport:
    files = {
        "calls/a-call-with-a-name-that-is-far-too-long-to-stand-in-a-table-of-eighty-columns.txt": CALL * 30,
        "guide.md": GUIDE + "\n## Long\n\n" + "One more sentence stands here. " * 1500,
        "asr.txt": "WORDS WITHOUT ANY STOP " * 300,
        "[bold]markup[/bold].txt": "Ann: [red]Is it red?[/red]\nBob: No.\n",
        "old.doc": b"\xd0\xcf\x11\xe0",
        "blank.txt": " ",
        HOSTILE.replace("/", "-"): "A <b>bold</b> & hostile text.",
        "page.html": "<nav>Home</nav><p>It is behind the house.</p>",
    }
    return check([folder(tmp_path_factory.mktemp("mixed"), files)], corpus(parse={"isolate": False}))


@pytest.fixture(scope="module")
def nothing(tmp_path_factory: pytest.TempPathFactory) -> CheckReport:
    return check([folder(tmp_path_factory.mktemp("nothing"), {"blank.txt": " "})], corpus(parse={"isolate": False}))


def shown(value: object, width: int) -> str:
    console = Console(file=io.StringIO(), width=width)
    with console.capture() as held:
        console.print(value)
    return held.get()


@pytest.mark.parametrize("width", [60, 80, 120])
def test_no_line_is_wider_than_the_terminal_and_nothing_is_cut(mixed: CheckReport, width: int) -> None:
    text = shown(report.whole(mixed, files=True), width)
    assert max(map(len, text.splitlines())) <= width
    assert "\x1b" not in text
    for words in ("Sentence lengths", "Section sizes", "Longest sentences", "guide.md:", "FAIL", "quarantined"):
        assert words in text
    assert "[bold]markup[/bold].txt" in text.replace("\n", "")


def test_bounds_and_verdicts_can_be_told_without_colour(mixed: CheckReport) -> None:
    text = shown(report.whole(mixed), 80)
    assert re.search(r" \*\n", text) or " * " in text
    assert "* reaches above the bound, 2,000" in text
    assert "Would not be published: " in text


def test_the_advice_alone_shows_what_it_was_decided_from(mixed: CheckReport) -> None:
    text = shown(report.advice_only(mixed), 80)
    assert "Sentence lengths" in text
    assert "Computed, so true for every query" in text
    assert "To be measured" in text
    assert "Gates" not in text


def test_a_folder_of_which_nothing_could_be_read_is_reported_too(nothing: CheckReport) -> None:
    assert "holds only white space" in shown(report.whole(nothing), 80)
    assert "holds only white space" in report.page(nothing)


def test_a_terminal_that_knows_no_utf8_gets_ascii(mixed: CheckReport, monkeypatch: pytest.MonkeyPatch) -> None:
    raw = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(raw, encoding="ascii"))
    render.out(report.whole(mixed))
    sys.stdout.flush()
    text = raw.getvalue().decode("ascii")
    assert "####" in text
    assert "?" not in text.partition("Longest")[0]


@given(st.text())
def test_any_text_has_an_ascii_form(text: str) -> None:
    assert glyphs.ascii_of(text).isascii()


@given(st.floats(0, 1), st.integers(1, 40))
def test_a_bar_is_as_long_as_its_part_and_never_hides_something(part: float, width: int) -> None:
    bar = glyphs.bar(part, width)
    assert bool(bar) == (part > 0)
    assert abs(len(bar) - part * width) <= 1
    assert len(bar) <= width


def test_the_page_is_whole_by_itself(mixed: CheckReport, nothing: CheckReport) -> None:
    for one in (mixed, nothing):
        page = report.page(one)
        assert not re.search(r"(?: src=|href|url\(|@import|<script|<link|https?:)", page)
        assert "prefers-color-scheme: dark" in page
        assert "@media print" in page
        assert page == report.page(one)


def test_the_page_is_well_formed_and_everything_from_outside_is_escaped(mixed: CheckReport) -> None:
    page = report.page(mixed)
    tree = ElementTree.fromstring(re.sub(r"<meta [^>]*>", "", page.partition("\n")[2]))
    assert '<script>alert(1)<-script> & "co".txt' in "".join(tree.itertext())
    assert len(tree.findall(".//svg")) >= 4
    drawn = [float(rect.get(side, "0")) for rect in tree.iter("rect") for side in ("x", "y", "width", "height")]
    assert min(drawn) >= 0


def test_every_key_of_the_json_is_documented(mixed: CheckReport) -> None:
    written = set(re.findall(r"`([a-z_0-9.]+)`", DOCS.read_text(encoding="utf-8")))
    free = {"settings", "shapes"}
    missing = {key for key in keys(to_json(mixed), free) if key not in written and not key.endswith(".txt")}
    assert missing == set()


def keys(tree: object, free: set[str]) -> set[str]:
    if isinstance(tree, list):
        return {key for item in tree for key in keys(item, free)}
    if not isinstance(tree, dict):
        return set()
    found = set(tree)
    for key, value in tree.items():
        if key not in free or isinstance(value, list):
            found |= keys(value, free)
    return found


def test_commands_write_page_and_json_and_end_with_their_code(
    root: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path, html = folder(root / "in", {"a.txt": CALL, "guide.md": GUIDE}), root / "report.html"
    assert run(monkeypatch, "check", path, "--html", str(html), "--json") == 0
    assert json.loads(capsys.readouterr().out)["documents"] == 2
    assert html.read_text(encoding="utf-8").startswith("<!doctype html>")
    folder(root / "in", {"asr.txt": "WORDS WITHOUT ANY STOP " * 300})
    assert run(monkeypatch, "check", path) == 1
    assert run(monkeypatch, "advise", path) == 0
    assert "Advice" in capsys.readouterr().out
    assert run(monkeypatch, "advise", "nowhere") == 2
    assert run(monkeypatch, "check", path, "--html", str(root / "away" / "report.html")) == 2
    assert "cannot be written" in capsys.readouterr().err


def run(monkeypatch: pytest.MonkeyPatch, *words: str) -> int:
    monkeypatch.setattr(sys, "argv", ["tailgate", *words])
    try:
        cli.main()
    except SystemExit as end:
        return int(end.code or 0)
    return 0
