import json
import sys
import zipfile
from io import BytesIO
from pathlib import Path

import pytest

from tailgate import config
from tailgate.models import Kind, ParsedDocument
from tailgate.parse import parse
from tailgate.sources import list_source, read

ROOT = Path(__file__).resolve().parents[1]
INCLUDE = ROOT / "include"
FORMATS = {".txt", ".md", ".html", ".docx", ".pdf"}
HANDBOOK = "handbook/operations-handbook.pdf"
CONTRACT = "contracts/supply-and-operation-agreement.docx"
QUESTIONS = [json.loads(line) for line in (INCLUDE / "samples-questions.jsonl").read_text("utf-8").splitlines()]


@pytest.fixture(scope="module")
def documents() -> dict[str, ParsedDocument]:
    corpus = config.parse({"name": "sample", "source": {"uri": str(INCLUDE / "samples")}}, where="test")
    files = [file for file in list_source(corpus).files if not file.path.startswith("bad-night/")]
    return {file.path: parse(read(file, corpus), file) for file in files}


@pytest.fixture(scope="module")
def made() -> dict[str, bytes]:
    sys.path.insert(0, str(ROOT / "benchmarks"))
    try:
        import make_samples
    finally:
        sys.path.remove(str(ROOT / "benchmarks"))
    files: dict[str, bytes] = make_samples.make()
    return files


def headings(document: ParsedDocument) -> list[tuple[int | None, str]]:
    found = (element for element in document.elements if element.kind is Kind.HEADING)
    return [(element.level, document.text[element.char_start : element.char_end]) for element in found]


def test_sample_has_every_format_and_a_readable_size(documents: dict[str, ParsedDocument]) -> None:
    assert {Path(path).suffix for path in documents} == FORMATS
    assert 18 <= len(documents) <= 22
    assert 120_000 <= sum(len(document.text) for document in documents.values()) <= 200_000


def test_parsers_lose_nothing_of_the_sample_but_navigation(documents: dict[str, ParsedDocument]) -> None:
    warnings = {path: document.warnings for path, document in documents.items() if document.warnings}
    assert set(warnings) <= {"wiki/refunds-deposits-goodwill.html"}
    assert all("navigation" in warning for found in warnings.values() for warning in found)


def test_sample_holds_a_language_besides_english(documents: dict[str, ParsedDocument]) -> None:
    assert "Betonplatte" in documents["de/aufstellhinweise.md"].text


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda question: question["question"])
def test_evidence_is_verbatim_in_its_document(
    question: dict[str, object], documents: dict[str, ParsedDocument]
) -> None:
    assert set(question) == {"question", "answer", "doc", "evidence"}
    text = documents[str(question["doc"])].text
    evidence = question["evidence"]
    assert isinstance(evidence, list)
    assert evidence
    assert [part for part in evidence if part not in text] == []


def test_questions_differ_and_ask_in_many_places() -> None:
    assert len({question["question"] for question in QUESTIONS}) == len(QUESTIONS) == 25
    assert len({question["doc"] for question in QUESTIONS}) >= 10


def test_calls_are_transcripts_of_60_turns_or_more(documents: dict[str, ParsedDocument]) -> None:
    calls = {path: document for path, document in documents.items() if path.startswith("calls/")}
    assert len(calls) == 4
    for document in calls.values():
        turns = [element for element in document.elements if element.kind is Kind.TURN]
        assert 60 <= len(turns) <= 150
        assert len(turns) == len(document.elements)


def test_handbook_has_pages_and_an_outline(documents: dict[str, ParsedDocument]) -> None:
    handbook = documents[HANDBOOK]
    chapters = [entry for entry in handbook.outline if entry.level == 1]
    assert handbook.pages == "page"
    assert [entry.page for entry in chapters] == list(range(1, 11))
    assert {entry.level for entry in handbook.outline} == {1, 2}
    assert all(entry.title in handbook.text for entry in handbook.outline)


def test_contract_has_articles_as_headings_and_numbered_clauses(documents: dict[str, ParsedDocument]) -> None:
    contract = documents[CONTRACT]
    articles = [title for level, title in headings(contract) if level == 2 and title.startswith("Article ")]
    assert len(articles) == 14
    assert all(f"\n{number}.1 " in contract.text for number in range(1, 15))


def test_tables_stand_in_markdown_html_and_word(documents: dict[str, ParsedDocument]) -> None:
    for path in ("prices/spare-parts.md", "prices/price-list-2026.html", CONTRACT):
        tables = [element for element in documents[path].elements if element.kind is Kind.TABLE]
        assert tables
        assert all(table.header_rows == 1 for table in tables)


def test_committed_files_are_what_the_generator_makes(made: dict[str, bytes]) -> None:
    for path, data in made.items():
        held = (INCLUDE / path).read_bytes()
        if path.endswith(".docx"):  # how well a package is compressed differs between builds of zlib
            assert parts(data) == parts(held)
        else:
            assert data == held


def test_sample_corpus_file_holds_defaults_only() -> None:
    corpus = config.load("sample")
    plain = config.parse({"name": "sample", "source": {"uri": "include/samples"}}, where="test")
    assert corpus == plain.model_copy(update={"schedule": "0 2 * * *"})


def parts(package: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(BytesIO(package)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def failing(*folders: Path) -> set[str]:
    from tailgate.check import check

    settings = config.parse({"name": "check", "source": {"uri": "."}}, where="test")
    return {result.gate for result in check([str(folder) for folder in folders], settings).gates.failures}


def test_good_sample_passes_every_gate_with_default_bounds(tmp_path: Path) -> None:
    for path in (INCLUDE / "samples").iterdir():
        if path.name != "bad-night":
            (tmp_path / path.name).symlink_to(path)
    assert failing(*tmp_path.iterdir()) == set()


def test_bad_night_breaks_the_gates_of_both_designs() -> None:
    broken = failing(INCLUDE / "samples", INCLUDE / "samples-bad-night")
    sentences = {"sentence_tokens_p95", "sentence_tokens_p95[dump]", "unsegmentable_share"}
    assert sentences | {"parent_tokens_p99", "parent_tokens_max"} <= broken
