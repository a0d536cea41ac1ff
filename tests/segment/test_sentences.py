import re
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from segment_samples import ANY_TEXT, FLOWS, numbered, parsed, prose, segment

from tailgate.models import Kind, SegmentedDocument
from tailgate.segment import splitter
from tailgate.segment.splitter import SentencexSplitter

TURN = Kind.TURN


def texts(document: SegmentedDocument) -> list[str]:
    return [sentence.text for sentence in document.sentences]


def split(text: str, language: str = "en") -> list[str]:
    return [text[start:end] for start, end in SentencexSplitter().split(text, language)]


@given(FLOWS | ANY_TEXT | st.text(max_size=60), st.sampled_from(["en", "de", "zh", "ja", "ar", "hi", "th", "xx", ""]))
def test_splitting_loses_no_character(text: str, language: str):
    position = 0
    for start, end in SentencexSplitter().split(text, language):
        assert position <= start < end <= len(text)
        assert not text[position:start].strip()
        assert text[start:end] == text[start:end].strip()
        position = end
    assert not text[position:].strip()


@pytest.mark.parametrize(
    ("text", "language", "sentences"),
    [
        ("So uh good morning . Morning . Okay ?", "en", ["So uh good morning .", "Morning .", "Okay ?"]),
        ("Yes . {disfmarker} I mean , no .", "en", ["Yes .", "{disfmarker} I mean , no ."]),
        ("Dr. Lee paid 3.50 to Smith Inc. in May. Why?", "en", ["Dr. Lee paid 3.50 to Smith Inc. in May.", "Why?"]),
        ("A line that was\nwrapped. Another one.", "en", ["A line that was\nwrapped.", "Another one."]),
        ("今天天气很好。我们去公园！2010年再来。", "zh", ["今天天气很好。", "我们去公园！", "2010年再来。"]),
        ("おはよう。😀元気ですか？", "ja", ["おはよう。", "😀元気ですか？"]),
        ("1. Open the lid. 2. Close it.", "en", ["1. Open the lid.", "2. Close it."]),
        ("(a) The tenant pays. (b) The owner repairs.", "en", ["(a) The tenant pays.", "(b) The owner repairs."]),
        ("Really? !!! Yes.", "en", ["Really? !!!", "Yes."]),
        ("The\xa0end. J.\xa0R. Smith\u2028came. It rained.", "en", None),
        ("...", "en", ["..."]),
        ("?! ... —", "en", ["?! ... —"]),
        (" \n\t ", "en", []),
        ("", "en", []),
    ],
)
def test_sentences_end_where_a_reader_ends_them(text: str, language: str, sentences: list[str] | None):
    found = split(text, language)
    assert found == sentences if sentences is not None else len(found) > 1


def test_a_long_quotation_is_split_inside():
    quoted = 'She said: "' + " ".join(f"The {i}th pier was closed in spring." for i in range(12)) + '" Then she left.'
    assert len(split(quoted)) == 13
    assert len(split('She said: "It is closed. Go home." Then she left.')) == 2


@given(
    st.lists(st.sampled_from(["a", "Mr", "I", "no", "Yes", "Thanks", "1", "x-y", ",", " ", "-", "Dear", "'", "Ann"])),
    st.sampled_from(["", ".", "?", " !", " .  "]),
    st.sampled_from(["en", "de", "zh", "hi", "el"]),
)
def test_what_is_seen_to_be_one_sentence_is_one_by_all_rules(words: list[str], end: str, language: str):
    text = " ".join(words) + end
    seen = SentencexSplitter().split(text, language)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(splitter, "_ONE", re.compile(r"(?!)"))
        assert SentencexSplitter().split(text, language) == seen


def test_white_space_that_sentencex_panics_at_is_harmless():
    text = "r«(.).…!;\n\xa0A{.\xa0 r..»M.\u200b\u3000M\u2028.\r'\ta«?{.)'漢é)"
    assert "".join("".join(split(text)).split()) == "".join(text.split())


def test_a_failing_splitter_falls_back_to_plain_rules(monkeypatch: pytest.MonkeyPatch):
    class PanicException(BaseException):
        pass

    def panics(language: str, text: str) -> None:
        raise PanicException

    monkeypatch.setattr("sentencex.get_sentence_boundaries", panics)
    assert split("One is here. Two is there! 三。四。") == ["One is here.", "Two is there!", "三。", "四。"]


def test_lone_surrogates_are_split_like_other_characters():
    assert split("One \ud800 here. Two there.") == ["One \ud800 here.", "Two there."]


def test_stretches_give_the_sentences_of_the_whole(monkeypatch: pytest.MonkeyPatch):
    text = " ".join(f"Sentence {i} of this — somewhat long — text says little." for i in range(400))
    by_stretch = split(text)
    monkeypatch.setattr(splitter, "STRETCH", 10**9)
    assert len(by_stretch) == 400
    assert by_stretch == split(text)


@pytest.mark.parametrize(
    "text",
    [
        "你好。" * 60_000,
        "(word word. " * 20_000,
        "“word word. " * 20_000,
        "。 " * 50_000,
        "a" * 1_000_000,
        '"a b. ' * 40_000,
    ],
    ids=["ideographs", "brackets", "quotes", "stops", "one word", "quotation"],
)
def test_hostile_texts_are_split_in_seconds(text: str):
    begin = time.monotonic()
    SentencexSplitter().split(text, "en")
    assert time.monotonic() - begin < 10


def test_a_speaker_is_part_of_the_first_sentence():
    document = segment(parsed((TURN, "Dr. B. Lee: No. It broke . Again .", {"speaker": "Dr. B. Lee", "start_s": 4.0})))
    assert texts(document) == ["Dr. B. Lee: No.", "It broke .", "Again ."]
    assert {(s.kind, s.speaker, s.start_s) for s in document.sentences} == {(Kind.PROSE, "Dr. B. Lee", 4.0)}


def test_a_turn_without_words_is_one_sentence():
    turns = [(TURN, text, {"speaker": "Ana"}) for text in ("Ana:", "Ana: {vocalsound}", "Ana: .")]
    assert texts(segment(parsed(*turns, gap="\n"))) == ["Ana:", "Ana: {vocalsound}", "Ana: ."]


def test_list_items_are_sentences_of_their_own_kind():
    document = segment(parsed((Kind.LIST_ITEM, "- tea"), (Kind.LIST_ITEM, "- milk. Cold."), gap="\n"))
    assert texts(document) == ["- tea", "- milk.", "Cold."]
    assert {sentence.kind for sentence in document.sentences} == {Kind.LIST_ITEM}


@pytest.mark.parametrize("kind", [Kind.CODE, Kind.JSON, Kind.LOG])
def test_lines_that_are_no_prose_are_a_sentence_each(kind: Kind):
    document = segment(parsed((kind, "if x:\n    y = 1. + 2.\n\n \nz()\r\nend")))
    assert texts(document) == ["if x:", "y = 1. + 2.", "z()", "end"]
    assert {sentence.kind for sentence in document.sentences} == {kind}


def test_a_heading_is_one_sentence():
    assert texts(segment(parsed((Kind.HEADING, "1. Scope. What is\nit for?", {"level": 1})))) == [
        "1. Scope. What is\nit for?"
    ]


def test_a_line_of_a_table_knows_the_header_above_it():
    table = (Kind.TABLE, "id | name\nint | text\n1 | Ana\n2 | Ben", {"header_rows": 2})
    document = segment(parsed(prose("Before."), table, (Kind.TABLE, "3 | Cy")))
    assert [(s.kind, s.header, s.header_end) for s in document.sentences] == [
        (Kind.PROSE, None, None),
        (Kind.TABLE_HEADER, None, None),
        (Kind.TABLE_HEADER, 1, 1),
        (Kind.TABLE_ROW, 1, 2),
        (Kind.TABLE_ROW, 1, 2),
        (Kind.TABLE_ROW, None, None),
    ]


def test_one_sentence_a_hundred_times_has_a_hundred_places():
    document = segment(parsed(prose(" ".join(["It is the same."] * 100))))
    starts = [sentence.char_start for sentence in document.sentences]
    assert len(starts) == 100
    assert all(one < other for one, other in zip(starts, starts[1:], strict=False))


def test_an_empty_document_has_no_unit():
    document = segment(parsed())
    units = document.sentences, document.windows, document.parents, document.children
    assert [len(made) for made in units] == [0, 0, 0, 0]
    assert document.tokens == 0


def test_sentences_are_cut_at_white_space_below_the_cap():
    document = segment(parsed(prose("one two three four five six seven eight nine ten")), sentence_max_tokens=4)
    assert texts(document) == ["one two three four", "five six seven eight", "nine ten"]
    assert [(s.piece, s.pseudo, s.raw_tokens) for s in document.sentences] == [(i, True, 10) for i in range(3)]


def test_where_there_is_no_white_space_the_cap_cuts_at_punctuation():
    pieces = texts(segment(parsed((Kind.JSON, '{"pier":[1,2,3],"name":"quay"}' * 8)), sentence_max_tokens=10))
    assert all(not piece[-1].isalnum() for piece in pieces)


@pytest.mark.parametrize(
    "text",
    ["a" * 1_000_000, "word " * 200_000, "漢" * 300_000, "x" + " " * 1_000_000 + "y", '{"a":1,"b":"c"},' * 60_000],
    ids=["letters", "words", "ideographs", "blanks", "json"],
)
def test_one_line_of_a_megabyte_is_cut_in_seconds(text: str):
    begin = time.monotonic()
    document = segment(parsed(prose(text)))
    assert time.monotonic() - begin < 30
    assert max(sentence.tokens for sentence in document.sentences) <= 256
    assert "".join("".join(texts(document)).split()) == "".join(text.split())


def test_sentence_ordinals_count_from_nought():
    assert [sentence.ordinal for sentence in segment(numbered(5)).sentences] == [0, 1, 2, 3, 4]
