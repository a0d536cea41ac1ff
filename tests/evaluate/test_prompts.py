"""Prompt sizes are measured on the sum, and a share is reported with what it proves."""

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from published import publish, small_corpus

from tailgate.config import Corpus
from tailgate.errors import ConfigError
from tailgate.evaluate import PromptsReport, prompts, read_questions, upper_bound
from tailgate.evaluate.questions import sample_questions
from tailgate.evaluate.tail import tail
from tailgate.records import from_json, to_json
from tailgate.search import Searcher
from tailgate.store import open_store

CALL = "".join(f"{'Ann' if i % 2 else 'Bob'}: Remark {i} is about parcel {i % 7}.\n" for i in range(80))
GIANT = "# Book\n\n## Small\n\nParcel rules are short.\n\n## Giant\n\n" + "".join(
    f"Rule {i} says that parcel {i} is weighed and then sent on. " for i in range(200)
)
QUESTIONS = [f"What about parcel {i}?" for i in range(7)] + ["Which rule says that?", "remark"]


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    search = {"k": 4, "budget_tokens": 2500, "reserve_tokens": 500}
    made = small_corpus(tmp_path_factory.mktemp("store"), search=search)
    publish(made, {"call.txt": CALL, "book.md": GIANT})
    return made


@pytest.fixture(scope="module")
def report(corpus: Corpus) -> PromptsReport:
    return prompts(corpus, QUESTIONS)


def test_each_design_has_its_column(report: PromptsReport) -> None:
    assert [column.expand for column in report.columns] == ["window", "parent"]
    assert (report.queries, report.drawn, report.seed, report.k) == (len(QUESTIONS), "questions", None, 4)


def test_the_columns_are_what_searches_send(corpus: Corpus, report: PromptsReport) -> None:
    searcher = Searcher(corpus)
    for column in report.columns:
        sent = [searcher.search(q, expand=column.expand, budget_tokens=10**6) for q in QUESTIONS]
        assert column.prompt == tail([prompt.tokens for prompt in sent])
        assert column.passages == tail([len(prompt.passages) for prompt in sent])
        before = sum(prompt.tokens_before_merge for prompt in sent)
        assert column.saving_share == pytest.approx(1 - sum(prompt.tokens for prompt in sent) / before)
        assert column.over == sum(prompt.tokens + 500 > 2500 for prompt in sent)


def test_no_prompt_exceeds_its_computed_ceiling(report: PromptsReport) -> None:
    for column in report.columns:
        assert column.prompt.max <= column.ceiling_tokens
        assert column.hit.max <= column.unit.max
        assert column.margin_tokens == 2000 - column.prompt.p99
        assert not column.missing


def test_a_giant_section_shows_in_the_tail_and_in_the_margin(report: PromptsReport) -> None:
    window, parent = report.columns
    assert window.over == 0
    assert window.margin_tokens > 0
    assert parent.over > 0
    assert parent.margin_tokens < 0
    assert parent.share_over_upper > parent.share_over > 0


def test_a_prompt_that_just_fits_is_not_over(corpus: Corpus, report: PromptsReport) -> None:
    largest = report.columns[1].prompt.max
    for spare, over in ((0, False), (-1, True)):
        search = corpus.search.model_copy(update={"budget_tokens": largest + 500 + spare})
        [_, parent] = prompts(corpus.model_copy(update={"search": search}), QUESTIONS).columns
        assert (parent.over > 0) is over


def test_several_children_of_one_parent_bring_it_once(report: PromptsReport) -> None:
    parent = report.columns[1]
    assert parent.saving_share > 0
    assert parent.passages.median < 4


def test_without_questions_sentences_are_drawn_by_a_seed(corpus: Corpus) -> None:
    first, second = prompts(corpus, k=2), prompts(corpus, k=2)
    assert first == second
    assert (first.drawn, first.k) == ("sampled sentences", 2)
    assert first.seed is not None


def test_a_draw_repeats_and_is_of_different_sentences(corpus: Corpus) -> None:
    store = open_store(corpus)
    snapshot = store.snapshot(store.release())
    drawn = sample_questions(snapshot, count=20, seed=1)
    assert drawn == sample_questions(snapshot, count=20, seed=1)
    assert drawn != sample_questions(snapshot, count=20, seed=2)
    assert len(set(drawn)) == 20


def test_only_built_designs_have_columns(tmp_path: Path) -> None:
    corpus = small_corpus(tmp_path, designs=["window"])
    publish(corpus, {"call.txt": CALL})
    assert [column.expand for column in prompts(corpus, QUESTIONS).columns] == ["window"]


def test_a_report_survives_json(report: PromptsReport) -> None:
    assert from_json(PromptsReport, json.loads(json.dumps(to_json(report)))) == report


def test_questions_are_read_in_order(tmp_path: Path) -> None:
    path = tmp_path / "questions.jsonl"
    path.write_text('{"question": "Why?\u2028Really?", "doc": "a"}\n\n{"question": "When?"}\n', encoding="utf-8")
    assert read_questions(path) == ["Why?\u2028Really?", "When?"]


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        ("", "holds no question"),
        ('{"question": "Why?"}\n{"answer": "x"}\n', "line 2: it is no JSON object with a `question`"),
        ("Why?\n", "line 1"),
        ('["Why?"]\n', "line 1"),
        ('{"question": " "}\n', "line 1: its `question` is empty"),
        ('{"question": 3}\n', "line 1: its `question` is empty or no text"),
    ],
)
def test_a_questions_file_that_cannot_be_used_is_named(tmp_path: Path, content: str, complaint: str) -> None:
    path = tmp_path / "questions.jsonl"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(ConfigError, match=complaint):
        read_questions(path)


def test_a_questions_file_that_is_missing_is_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="nowhere.jsonl"):
        read_questions(tmp_path / "nowhere.jsonl")


def test_zero_seen_in_two_hundred_proves_under_one_and_a_half_per_cent() -> None:
    assert upper_bound(0, 200) == pytest.approx(0.01487, abs=1e-5)
    assert upper_bound(0, 0) == upper_bound(3, 3) == 1.0


@settings(deadline=None)
@given(st.integers(1, 3000).flatmap(lambda of: st.tuples(st.integers(0, of), st.just(of))))
def test_the_bound_is_the_one_of_clopper_and_pearson(case: tuple[int, int]) -> None:
    from scipy.stats import beta

    seen, of = case
    exact = 1.0 if seen == of else float(beta.ppf(0.95, seen + 1, of - seen))
    assert upper_bound(seen, of) == pytest.approx(exact, abs=1e-6)


def test_percentiles_are_sizes_of_real_units() -> None:
    spread = tail([1, 2, 3, 400])
    assert (spread.median, spread.p95, spread.max, spread.mean) == (3, 400, 400, 101.5)
    assert tail([]).count == 0
