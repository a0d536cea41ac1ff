"""Merging changes no character of the union and keeps the order; the budget bounds the sum; nothing is lost."""

from dataclasses import dataclass

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tailgate.models import Passage
from tailgate.retrieve import fit, merge
from tailgate.segment.tokens import Tokenizer, open_tokenizer
from tailgate.segment.windows import join_ranges

Range = tuple[int, int]


@dataclass(frozen=True)
class Document:
    name: str
    text: str
    sentences: tuple[Range, ...]

    def window(self, first: int, last: int, hit: str, header: int | None = None) -> Passage:
        body = (self.sentences[first][0], self.sentences[last][1])
        ranges = (body,) if header is None or header >= first else (self.sentences[header], body)
        return self.passage("window", ranges, first, last, hit)

    def passage(self, kind: str, ranges: tuple[Range, ...], first: int, last: int, hit: str) -> Passage:
        text = join_ranges(self.text, ranges)
        return Passage(
            document_id=self.name,
            path=f"{self.name}.txt",
            kind=kind,  # type: ignore[arg-type]  # a test's helper: the callers pass literals
            ranges=ranges,
            first_sentence=first,
            last_sentence=last,
            heading_path=(),
            text=text,
            tokens=tokenizer().count(text),
            hits=(hit,),
        )


def tokenizer() -> Tokenizer:
    return open_tokenizer("cl100k_base")


@st.composite
def documents(draw: st.DrawFn, name: str) -> Document:
    words = draw(st.lists(st.sampled_from(["Yes.", "It is so.", "日本語。", "a | b", "Why?"]), min_size=1, max_size=25))
    gaps = draw(st.lists(st.sampled_from([" ", "\n", "\n\n", ""]), min_size=len(words), max_size=len(words)))
    text, spans = "", list[Range]()
    for word, gap in zip(words, gaps, strict=True):
        spans.append((len(text), len(text) + len(word)))
        text += word + gap
    return Document(name, text, tuple(spans))


@st.composite
def window_sets(draw: st.DrawFn) -> tuple[list[Document], list[Passage]]:
    made = [draw(documents(name)) for name in ("one", "two")]
    passages = []
    for number in range(draw(st.integers(0, 12))):
        document = draw(st.sampled_from(made))
        first = draw(st.integers(0, len(document.sentences) - 1))
        last = draw(st.integers(first, min(first + 5, len(document.sentences) - 1)))
        header = draw(st.none() | st.integers(0, first))
        passages.append(document.window(first, last, f"hit{number}", header))
    return made, passages


def characters(document: Document, passages: tuple[Passage, ...] | list[Passage]) -> list[int]:
    """Places of all non-blank characters that the passages hold, once for each time they are held."""
    spans = [span for passage in passages if passage.document_id == document.name for span in passage.ranges]
    return [place for start, end in spans for place in range(start, end) if document.text[place].strip()]


@settings(deadline=None)
@given(window_sets())
def test_merging_keeps_every_character_once(case: tuple[list[Document], list[Passage]]) -> None:
    made, passages = case
    merged = merge(passages, {d.name: d.text for d in made}, tokenizer())
    for document in made:
        held = characters(document, merged)
        assert len(held) == len(set(held)), "a character is sent twice"
        assert set(held) == set(characters(document, passages)), "the union has changed"


@settings(deadline=None)
@given(window_sets())
def test_merged_windows_are_verbatim_and_counted(case: tuple[list[Document], list[Passage]]) -> None:
    made, passages = case
    texts = {d.name: d.text for d in made}
    for passage in merge(passages, texts, tokenizer()):
        assert passage.text == join_ranges(texts[passage.document_id], passage.ranges)
        assert passage.tokens == tokenizer().count(passage.text)
        assert list(passage.ranges) == sorted(passage.ranges)


@settings(deadline=None)
@given(window_sets())
def test_merged_windows_do_not_touch(case: tuple[list[Document], list[Passage]]) -> None:
    made, passages = case
    merged = merge(passages, {d.name: d.text for d in made}, tokenizer())
    for document in made:
        own = [passage for passage in merged if passage.document_id == document.name]
        spans = sorted((span, place) for place, passage in enumerate(own) for span in passage.ranges)
        for (left, a), (right, b) in zip(spans, spans[1:], strict=False):
            assert a == b or document.text[left[1] : right[0]].strip()


@settings(deadline=None)
@given(window_sets())
def test_merging_keeps_the_order_of_the_best_hit(case: tuple[list[Document], list[Passage]]) -> None:
    made, passages = case
    merged = merge(passages, {d.name: d.text for d in made}, tokenizer())
    order = {passage.hits[0]: place for place, passage in enumerate(passages)}
    best = [order[passage.hits[0]] for passage in merged]
    assert best == sorted(best)
    assert all([order[hit] for hit in p.hits] == sorted(order[hit] for hit in p.hits) for p in merged)
    assert sorted(hit for p in merged for hit in p.hits) == sorted(order), "a hit is lost"


@settings(deadline=None)
@given(window_sets())
def test_merging_again_changes_nothing(case: tuple[list[Document], list[Passage]]) -> None:
    made, passages = case
    texts = {d.name: d.text for d in made}
    once = merge(passages, texts, tokenizer())
    assert merge(once, texts, tokenizer()) == once


@pytest.fixture
def ten() -> Document:
    text = " ".join(f"Sentence {i}." for i in range(10))
    starts = [text.index(f"Sentence {i}.") for i in range(10)]
    return Document("ten", text, tuple((start, start + len("Sentence 0.")) for start in starts))


def test_windows_that_only_touch_become_one(ten: Document) -> None:
    [merged] = merge([ten.window(4, 6, "b"), ten.window(1, 3, "a")], {"ten": ten.text}, tokenizer())
    assert merged.text == " ".join(f"Sentence {i}." for i in range(1, 7))
    assert (merged.first_sentence, merged.last_sentence, merged.hits) == (1, 6, ("b", "a"))


def test_a_third_window_joins_two_that_lay_apart(ten: Document) -> None:
    windows = [ten.window(0, 1, "a"), ten.window(8, 9, "b"), ten.window(3, 4, "c"), ten.window(2, 7, "d")]
    [merged] = merge(windows, {"ten": ten.text}, tokenizer())
    assert merged.text == ten.text
    assert merged.hits == ("a", "b", "c", "d")


def test_windows_of_different_documents_stay_apart(ten: Document) -> None:
    other = Document("other", ten.text, ten.sentences)
    merged = merge([ten.window(0, 3, "a"), other.window(0, 3, "b")], {"ten": ten.text, "other": ten.text}, tokenizer())
    assert [passage.document_id for passage in merged] == ["ten", "other"]


def test_a_table_header_is_sent_once_for_rows_far_apart(ten: Document) -> None:
    windows = [ten.window(3, 4, "a", header=0), ten.window(7, 8, "b", header=0)]
    [merged] = merge(windows, {"ten": ten.text}, tokenizer())
    assert merged.text == "Sentence 0.\nSentence 3. Sentence 4.\nSentence 7. Sentence 8."


def test_a_parent_that_comes_twice_is_sent_once(ten: Document) -> None:
    section, next_section = ((0, ten.sentences[4][1]),), ((ten.sentences[5][0], len(ten.text)),)
    parents = [
        ten.passage("parent", section, 0, 4, "a"),
        ten.passage("parent", next_section, 5, 9, "b"),
        ten.passage("parent", section, 0, 4, "c"),
    ]
    merged = merge(parents, {}, tokenizer())
    assert [passage.hits for passage in merged] == [("a", "c"), ("b",)]
    assert [passage.text for passage in merged] == [parents[0].text, parents[1].text]


def test_equal_parents_of_two_documents_are_both_sent(ten: Document) -> None:
    other = Document("other", ten.text, ten.sentences)
    section = ((0, ten.sentences[4][1]),)
    merged = merge([d.passage("parent", section, 0, 4, d.name) for d in (ten, other)], {}, tokenizer())
    assert [passage.document_id for passage in merged] == ["ten", "other"]


sized = st.lists(st.integers(0, 5000), max_size=20)


def of_size(tokens: int, place: int) -> Passage:
    return Passage("d", "d.txt", "parent", ((place, place + 1),), place, place, (), "x", tokens, (f"hit{place}",))


@settings(deadline=None)
@given(sized, st.integers(1, 20_000), st.integers(0, 20_000))
def test_passages_and_reserve_never_exceed_the_budget(sizes: list[int], budget: int, reserve: int) -> None:
    passages = [of_size(tokens, place) for place, tokens in enumerate(sizes)]
    kept, left_out = fit(passages, budget, reserve)
    assert not kept or sum(passage.tokens for passage in kept) + reserve <= budget
    assert sorted(kept + tuple(item.passage for item in left_out), key=lambda p: p.first_sentence) == passages
    assert list(kept) == sorted(kept, key=lambda p: p.first_sentence)
    assert all(item.reason for item in left_out)


@settings(deadline=None)
@given(sized, st.integers(1, 20_000))
def test_what_is_left_out_would_not_have_fitted(sizes: list[int], budget: int) -> None:
    passages = [of_size(tokens, place) for place, tokens in enumerate(sizes)]
    kept, left_out = fit(passages, budget, 0)
    for item in left_out:
        before = sum(p.tokens for p in kept if p.first_sentence < item.passage.first_sentence)
        assert before + item.passage.tokens > budget


def test_a_smaller_passage_may_still_come_after_one_that_does_not_fit() -> None:
    kept, [left_out] = fit([of_size(600, 0), of_size(3412, 1), of_size(400, 2)], 2000, 380)
    assert [passage.tokens for passage in kept] == [600, 400]
    assert left_out.reason == "3,412 tokens do not fit in the 1,020 left of the budget"
