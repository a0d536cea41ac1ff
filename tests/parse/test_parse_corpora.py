"""The parsers on real documents."""

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from tailgate.errors import DocumentError, UnreadableDocument, UnsupportedDocument
from tailgate.models import Kind
from tailgate.parse.registry import PARSERS

pytestmark = pytest.mark.corpora
_FENCE = re.compile(r"\s*(```+|~~~+)")
_HEADING = re.compile(r" {0,3}(#{1,6})[ \t]+(.*?)\s*#*\s*$")


def written_headings(text: str) -> Iterator[tuple[int, str]]:
    """Level and letters of each `#` line outside front matter, comments and fences."""
    text = re.sub(r"\A---\n.*?\n---\n", "", text, flags=re.DOTALL)
    text = re.sub(r"<!--.*?-->", "", text, flags=re.DOTALL)
    fence = ""
    for line in text.splitlines():
        if opening := _FENCE.match(line):
            fence = "" if fence and opening[1].startswith(fence) else fence or opening[1]
        elif not fence and (heading := _HEADING.match(line)):
            yield len(heading[1]), letters(re.sub(r"\]\([^)]*\)", "", heading[2]))


def letters(text: str) -> str:
    return re.sub(r"[\W_]+", "", text).lower()


@pytest.mark.parametrize("name", ["anthropic_docs", "handbook_18f", "prometheus_docs"])
def test_markdown_is_covered_and_its_headings_are_found(parsed, corpora, name):
    wanted, missed, extra = 0, 0, 0
    for file in sorted(corpora(name).rglob("*.md")):
        document = parsed(file.name, file.read_bytes())
        expected = Counter(written_headings(file.read_text(encoding="utf-8")))
        if name == "anthropic_docs":
            # Every heading of this set has two signs; a line with one is a comment in code that lacks its fence.
            expected = Counter({heading: count for heading, count in expected.items() if heading[0] == 2})
        found = Counter(
            (element.level, letters(document.text[element.char_start : element.char_end]))
            for element in document.elements
            if element.kind is Kind.HEADING
        )
        wanted += expected.total()
        missed += (expected - found).total()
        extra += (found - expected).total()
        assert all(element.level for element in document.elements if element.kind is Kind.HEADING)
    assert wanted > 230
    assert missed <= wanted * 0.005
    assert extra <= wanted * (0.005 if name == "anthropic_docs" else 0.02)


def test_every_good_or_broken_file_gives_a_document_or_a_reason(parsed, corpora):
    folder = corpora("binary_fixtures") / "docs"
    files = sorted(path for path in folder.rglob("*") if path.is_file() and path.stat().st_size < 300_000)
    outcomes = [(file, outcome(parsed, file)) for file in files]
    counts = Counter(type(error) for _, error in outcomes)
    assert all(error is None or error.reason for _, error in outcomes)
    assert all(file.suffix.lower() not in PARSERS for file, error in outcomes if isinstance(error, UnsupportedDocument))
    assert counts[type(None)] > 320
    assert counts[UnreadableDocument] < 10


def outcome(parsed, file: Path) -> DocumentError | None:
    try:
        parsed(file.name, file.read_bytes())
    except DocumentError as error:
        return error
    return None


def test_meetings_are_turns_and_contracts_are_not(parsed, corpora):
    for file in sorted(corpora("qmsum_product").glob("docs/*.txt"))[::10]:
        assert {element.kind for element in parsed(file.name, file.read_bytes()).elements} == {Kind.TURN}
    for file in sorted(corpora("cuad").glob("docs/*.txt"))[::10]:
        assert Kind.TURN not in {element.kind for element in parsed(file.name, file.read_bytes()).elements}


def test_unpunctuated_speech_stays_prose_and_payloads_stay_json(parsed, corpora):
    kinds: dict[str, set[Kind]] = {"asr_unpunctuated": set(), "webhook_json": set()}
    for name, seen in kinds.items():
        for file in _some(corpora(name)):
            seen.update(element.kind for element in parsed(file.name, file.read_bytes()).elements)
    assert kinds == {"asr_unpunctuated": {Kind.PROSE}, "webhook_json": {Kind.JSON}}


def _some(folder: Path) -> list[Path]:
    return sorted(path for path in (folder / "docs").rglob("*") if path.is_file())[::5]
