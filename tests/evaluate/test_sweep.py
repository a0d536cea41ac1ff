"""The laws of the radius table: the mean is exact, the median is not, and the ceiling holds."""

import random

import pytest
from published import publish, small_corpus

from tailgate.config import Corpus
from tailgate.evaluate import SweepReport, sweep
from tailgate.evaluate.lengths import layouts
from tailgate.evaluate.sweep import measure
from tailgate.models import Hit
from tailgate.retrieve import Radius, expand
from tailgate.segment.tokens import open_tokenizer
from tailgate.store import open_store

SAME = "".join("Bob: Yes it is so.\n" for _ in range(200))
TABLE = "\n".join(["| code | meaning |", "| --- | --- |", *(f"| E{i} | number {i} |" for i in range(30))])


def skewed(seed: int) -> str:
    """Mostly short sentences, a few very long ones."""
    draw = random.Random(seed)
    lengths = [draw.choice([2, 3, 3, 4, 4, 5, 6, 40]) for _ in range(150)]
    return " ".join("Alpha " + "word " * (length - 1) + "end." for length in lengths) + "\n"


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    made = small_corpus(tmp_path_factory.mktemp("store"))
    publish(made, {"a.txt": skewed(1), "b.txt": skewed(2), "short.txt": "One. Two.\n", "t.md": f"# T\n\n{TABLE}\n"})
    return made


@pytest.fixture(scope="module")
def report(corpus: Corpus) -> SweepReport:
    return sweep(corpus)


def test_the_table_has_a_row_for_each_radius(report: SweepReport) -> None:
    assert [(row.radius, row.sentences) for row in report.rows] == [(0, 1), (1, 3), (2, 5), (4, 9), (8, 17)]
    assert report.documents == 4
    assert all(row.unit.count == report.sentence.count for row in report.rows)


def test_the_mean_is_the_law_less_clamping_and_joins(report: SweepReport) -> None:
    for row in report.rows:
        assert row.unit.mean == pytest.approx(row.law_mean - row.clamping + row.headers + row.joins)
        assert abs(row.joins) <= 2 * (row.sentences - 1) + 1, "more than a token or two a joint"
    assert [row.clamping for row in report.rows] == sorted(row.clamping for row in report.rows)
    assert report.rows[0].clamping == pytest.approx(0)


def test_radius_zero_is_the_sentence_and_its_header(report: SweepReport) -> None:
    row = report.rows[0]
    assert row.unit.mean == pytest.approx(report.sentence.mean + row.headers + row.joins)
    assert row.headers > 0
    assert row.law_mean == pytest.approx(report.sentence.mean)


def test_the_median_drifts_above_the_product_where_lengths_are_skewed(report: SweepReport) -> None:
    assert report.sentence.mean > report.sentence.median
    assert report.rows[-1].residual > report.rows[-1].product / 4


def test_prompt_and_ceiling_are_multiples_of_k(report: SweepReport) -> None:
    for row in report.rows:
        assert row.prompt_tokens == report.k * row.unit.median
        assert row.ceiling_tokens == report.k * row.unit.max
        assert row.residual == row.unit.median - row.product


def test_sentences_of_one_length_lose_to_clamping_what_positions_say(tmp_path_factory: pytest.TempPathFactory) -> None:
    corpus = small_corpus(tmp_path_factory.mktemp("store"))
    publish(corpus, {"same.txt": SAME})
    report = sweep(corpus, radii=(0, 2))
    one, five = report.rows
    # At each end of 200 sentences the two outermost windows lose 2 and 1 of their sentences: 6 in all.
    assert five.clamping == pytest.approx(6 / 200 * report.sentence.mean)
    assert one.residual == 0
    assert five.headers == 0


@pytest.mark.parametrize("radius", [Radius(2, 2), Radius(3, 1), Radius(0, 5), Radius(1, 6, "section")])
def test_measured_lengths_are_those_that_a_search_would_send(corpus: Corpus, radius: Radius) -> None:
    store, tokenizer = open_store(corpus), open_tokenizer("cl100k_base")
    snapshot = store.snapshot(store.release())
    rows = snapshot.arrow("sentences", ["sentence_id", "document_id", "ordinal", "text"]).to_pylist()
    hits = [Hit("sentence", r["sentence_id"], r["document_id"], r["ordinal"], r["text"], 0.0) for r in rows]
    found = expand(snapshot, sorted(hits, key=lambda hit: hit.unit_id), "window", radius, tokenizer)
    sizes = [passage.tokens for passage in found.passages]
    assert measure(layouts(snapshot), radius, tokenizer).measured.tolist() == sizes


def test_a_section_clamps_more_than_a_document(corpus: Corpus, report: SweepReport) -> None:
    within = corpus.model_copy(update={"window": corpus.window.model_copy(update={"within": "section"})})
    assert sweep(within).rows[-1].clamping >= report.rows[-1].clamping
