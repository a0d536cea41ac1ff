"""Kinds of boundary that a rule-based splitter misses or invents, each with the right value."""

import pytest

from tailgate.segment.splitter import SentencexSplitter


def _sentences(text: str, language: str = "en") -> list[str]:
    return [text[start:end] for start, end in SentencexSplitter().split(text, language)]


@pytest.mark.parametrize(
    ("language", "sentences"),
    [
        ("en", ["He paused.", "(Laughter.)", "This went on for a while."]),
        ("en", ["That is denied.", "See Gray v. Stone, 24 Vet. App. 428, 433 (2011).", "The rest stands."]),
        ("en", ["It was reversed, 410 U.S. 113, at once.", "Nobody objected."]),
        ("en", ["He left at 6 P.M.", "Mr. Gray stayed."]),
        ("en", ["The train left late.", "12 people missed it."]),
        ("en", ["There were approx. 20 of them.", "All came."]),
        ("en", ["That made my day :)", "Now it is your turn."]),
        ("en", ["1. The first item", "2. The second item", "3. The third item"]),
        ("en", ["1.) The first item.", "2.) The second item."]),
        ("en", ["a. The first item", "b. The second item", "c. The third item"]),
        ("de", ["Die Messe aus dem 18. Jahrhundert steht noch.", "Sie ist offen."]),
        ("de", ["Im 6. Stock ist Licht.", "Dort wird gearbeitet."]),
        ("de", ["Wir waren zufrieden.", "17.45 Uhr kam die Ware."]),
        ("de", ["Niemand war da.", "``Wir warten noch, sagte sie."]),
    ],
)
def test_kinds_of_boundary(language: str, sentences: list[str]) -> None:
    assert _sentences(" ".join(sentences), language) == sentences


def test_rule_of_dashes_ends_what_is_above_it() -> None:
    assert _sentences("Best wishes, Ann ________ Do you need a bicycle?")[-1] == "Do you need a bicycle?"


def test_number_in_running_text_is_no_list() -> None:
    text = "Of the two I prefer no. 1. The other is no. 2. Both are fine."
    assert "".join(_sentences(text)).replace(" ", "") == text.replace(" ", "")
    assert len(_sentences(text)) <= 3


@pytest.mark.timeout(60)
@pytest.mark.parametrize("unit", ["`` a ", "a.) ", "1. a ", "a!!!! ", "-", "\" ' ( "])
def test_megabyte_of_one_pattern_is_split_in_seconds(unit: str) -> None:
    text = unit * (1_000_000 // len(unit))
    spans = SentencexSplitter().split(text, "en")
    assert sum(len(text[start:end].split()) for start, end in spans) == len(text.split())
