"""Numbered clauses are sections that an author made; a lone list is not."""

from collections.abc import Callable
from pathlib import Path

import pytest

from tailgate import config
from tailgate.models import Origin, SegmentedDocument, SourceFile
from tailgate.parse import parse
from tailgate.segment import open_segmenter
from tailgate.segment.clauses import clauses_of

FILLER = "The parties keep to what is written here and to nothing else. " * 12
CONTRACT = f"""SUPPLY AGREEMENT

This agreement is made between the supplier and the buyer.

1. DEFINITIONS

1.1 Goods. The goods are those in the schedule.

1.2 Price. The price is fixed for one year.

2. DELIVERY

2.1 Place. {FILLER}

(a) The supplier delivers to the yard.

(b) The buyer unloads within two days.

2.2 Risk. Risk passes at the gate. {FILLER}

3. TERMINATION

Either party may end this agreement in writing.
"""


def _segmented(text: str, **segment: int) -> SegmentedDocument:
    corpus = config.parse({"name": "t", "source": {"uri": "x"}, "segment": segment}, where="test")
    data = text.encode()
    return open_segmenter(corpus).segment(parse(data, SourceFile("t.txt", "t.txt", len(data), None)))


def _paths(document: SegmentedDocument) -> list[tuple[str, ...]]:
    return [parent.heading_path for parent in document.parents]


def test_clauses_are_authored_parents_under_the_clauses_above_them() -> None:
    document = _segmented(CONTRACT, block_tokens=150)
    assert {parent.origin for parent in document.parents} == {Origin.AUTHORED}
    assert _paths(document) == [
        (),
        ("1. DEFINITIONS",),
        ("2. DELIVERY", "2.1 Place"),
        ("2. DELIVERY", "2.1 Place", "(a) The supplier delivers to the yard"),
        ("2. DELIVERY", "2.1 Place", "(b) The buyer unloads within two days"),
        ("2. DELIVERY", "2.2 Risk"),
        ("3. TERMINATION",),
    ]


def test_clause_that_is_small_keeps_all_that_is_below_it() -> None:
    paths = _paths(_segmented(CONTRACT, block_tokens=2000))
    assert paths == [(), ("1. DEFINITIONS",), ("2. DELIVERY",), ("3. TERMINATION",)]


def test_caption_alone_goes_with_the_clause_after_it() -> None:
    document = _segmented(CONTRACT, block_tokens=150)
    assert document.parents[2].text.startswith("2. DELIVERY\n\n2.1 Place.")


def test_sentence_knows_its_clause() -> None:
    clauses = {sentence.text: sentence.clause for sentence in _segmented(CONTRACT).sentences}
    assert clauses["(b) The buyer unloads within two days."] == "2. 2.1 (b)"
    assert clauses["Either party may end this agreement in writing."] == "3."
    assert clauses["SUPPLY AGREEMENT"] is None


@pytest.mark.parametrize(
    ("upper", "lower"),
    [
        (["ARTICLE I", "ARTICLE II", "ARTICLE III"], ["Section 2.1", "Section 2.2", "Section 2.3"]),
        (["Article 1", "Article 2", "Article 3"], ["1.", "2.", "3."]),
        (["§ 1", "§ 2", "§ 3"], ["(1)", "(2)", "(3)"]),
        (["1.01.", "1.02.", "1.03."], ["(a)", "(b)", "(c)"]),
        (["1.", "2.", "3."], ["2.1", "2.2", "2.3"]),
        (["A.", "B.", "C."], ["(i)", "(ii)", "(iii)"]),
    ],
)
def test_lower_numbers_nest_in_upper_ones(upper: list[str], lower: list[str]) -> None:
    numbers = [*upper[:2], *lower, upper[2]]
    data = "\n\n".join(f"{number} Something is said here." for number in numbers).encode()
    found = clauses_of(parse(data, SourceFile("t.txt", "t.txt", len(data), None))).values()
    assert [clause.level for clause in found] == [1, 1, 2, 2, 2, 1]


def test_roman_number_behind_h_is_a_letter() -> None:
    items = "\n\n".join(f"({letter}) Point {letter} is made here." for letter in "abcdefghij")
    data = f"1. One.\n\n2. Two.\n\n3. Three.\n\n{items}".encode()
    found = clauses_of(parse(data, SourceFile("t.txt", "t.txt", len(data), None))).values()
    assert [clause.level for clause in found if clause.label == "(i)"] == [2]


def test_lone_list_in_running_text_makes_no_sections() -> None:
    text = "We need three things.\n\n1. A rope.\n\n2. A hook.\n\n3. A lamp.\n\nThen we go down."
    assert {parent.origin for parent in _segmented(text).parents} == {Origin.SYNTHETIC}


def test_clauses_whose_line_breaks_became_blanks_are_found() -> None:
    body = "Some words of the clause follow here and there. " * 5
    text = "   ".join(f"{number}. Clause{number}. {body}" for number in range(1, 9))
    assert len(_segmented(text, block_tokens=80).parents) == 8


@pytest.mark.corpora
@pytest.mark.parametrize("name", ["qmsum_product", "sgd_calls"])
def test_no_section_is_invented_in_a_transcript(corpora: Callable[[str], Path], name: str) -> None:
    for path in sorted(corpora(name).rglob("docs/**/*.txt"))[:40]:
        document = _segmented(path.read_text(encoding="utf-8"))
        assert {parent.origin for parent in document.parents} == {Origin.SYNTHETIC}
