import pandas as pd
import pytest
from gate_frames import broken, corpus, parents, result, sentences, units
from hypothesis import given
from hypothesis import strategies as st

from tailgate.gates import check_shape, failed, sentence_of, tail
from tailgate.models import Offender


def test_good_material_passes_every_gate():
    report = check_shape(corpus(), "run", units(), None)
    assert broken(report) == set()
    assert report.place == "shape"
    assert {result.gate for result in report.results} == {
        "sentence_tokens_p95",
        "sentence_tokens_p95[transcript]",
        "pseudo_sentence_share",
        "unsegmentable_share",
        "window_ceiling",
        "parent_tokens_p99",
        "parent_tokens_max",
        "synthetic_parent_share",
        "parent_ceiling",
        "quarantined_share",
        "documents_lost_share",
        "sentences_lost_share",
    }


def test_p95_exactly_at_its_bound_passes():
    report = check_shape(corpus(), "run", units(sentences([120] * 19 + [9000])), None)
    assert result(report, "sentence_tokens_p95").passed
    assert result(report, "sentence_tokens_p95").value == 120


def test_one_more_long_sentence_breaks_p95():
    said = sentences([120] * 18 + [121, 9000])
    seen = result(check_shape(corpus(), "run", units(said, largest_window_tokens=9), None), "sentence_tokens_p95")
    assert (seen.passed, seen.value, seen.bound) == (False, 121, 120)
    assert seen.offenders == (Offender("a.txt", "sentence 19, the largest of 2 above the bound", 9000),)
    assert sentence_of(seen) == (
        "sentence_tokens_p95 is 121 (bound 120); above it: 2 of 20 sentences; worst: a.txt sentence 19, the largest "
        "of 2 above the bound (9,000 tokens)"
    )


def test_capped_pieces_count_once_with_their_raw_length():
    piece = sentences([400] * 2).assign(piece=[0, 1], pseudo=True, chars=200)
    said = pd.concat([sentences([10] * 98), piece])
    report = check_shape(corpus(gates={"pseudo_sentence_share": {"max": 0.01}}), "run", units(said), None)
    share = result(report, "pseudo_sentence_share")
    assert share.value == pytest.approx(1 / 99)
    assert not share.passed
    assert share.offenders[0].value == 400


def test_a_shape_of_its_own_breaks_where_the_whole_passes():
    said = pd.concat([
        sentences([10] * 500),
        sentences([200] * 20, shape="dump", document="b.log"),
        sentences([300] * 19, shape="wiki", document="c.html"),
    ])
    report = check_shape(corpus(gates={"sentence_tokens_p95": {"max": 250}}), "run", units(said), None)
    assert broken(report) & {gate for gate in broken(report) if gate.startswith("sentence")} == set()
    report = check_shape(corpus(gates={"sentence_tokens_p95": {"max": 199}}), "run", units(said), None)
    assert "sentence_tokens_p95[dump]" in broken(report)
    assert "sentence_tokens_p95[wiki]" not in {seen.gate for seen in report.results}


def test_p95_reads_sentences_of_all_kinds():
    said = pd.concat([sentences([10] * 20), sentences([500] * 20, kind="code")])
    assert "sentence_tokens_p95" in broken(check_shape(corpus(), "run", units(said), None))


def test_log_lines_break_the_unsegmentable_share():
    said = pd.concat([sentences([10] * 79), sentences([10] * 21, kind="log", document="logs/app.log", shape="dump")])
    seen = result(check_shape(corpus(), "run", units(said), None), "unsegmentable_share")
    assert (seen.value, seen.passed) == (0.21, False)
    assert seen.offenders == (Offender("logs/app.log", "text without sentences", 840),)
    assert sentence_of(seen).startswith("unsegmentable_share is 21 % (bound 20 %)")


def test_unsegmentable_share_exactly_at_its_bound_passes():
    said = pd.concat([sentences([10] * 80), sentences([10] * 20, kind="json")])
    assert result(check_shape(corpus(), "run", units(said), None), "unsegmentable_share").passed


def test_giant_section_breaks_parent_max_and_is_named():
    held = pd.concat([parents([500] * 400), parents([11_200], document="b.md", heading_path=("Big", "Appendix"))])
    report = check_shape(corpus(), "run", units(held=held), None)
    assert "parent_tokens_p99" not in broken(report)
    seen = result(report, "parent_tokens_max")
    assert seen.offenders == (Offender("b.md", "Big > Appendix", 11_200),)
    assert "b.md Big > Appendix (11,200 tokens)" in sentence_of(seen)


def test_parents_are_gated_as_large_as_before_a_split():
    pieces = parents([2000] * 4).assign(origin="split", piece=range(4), raw_tokens=8000)
    report = check_shape(corpus(), "run", units(held=pieces), None)
    assert result(report, "parent_tokens_max").value == 8000


def test_synthetic_parents_are_counted_apart():
    held = pd.concat([parents([9000] * 6, origin="synthetic", heading_path=()), parents([100] * 4)])
    report = check_shape(corpus(), "run", units(held=held), None)
    assert result(report, "parent_tokens_max").value == 100
    share = result(report, "synthetic_parent_share")
    assert (share.value, share.passed, share.fails) == (0.6, False, False)


def test_only_synthetic_parents_pass_the_size_gates():
    report = check_shape(corpus(), "run", units(held=parents([9000] * 6, origin="synthetic", heading_path=())), None)
    seen = result(report, "parent_tokens_p99")
    assert (seen.value, seen.passed, seen.note) == (None, True, "no parent is authored")


def test_oversize_fail_refuses_any_parent_above_the_size():
    settings = corpus(segment={"oversize": "fail", "parent_max_tokens": 2000})
    report = check_shape(settings, "run", units(held=parents([100] * 500 + [2001])), None)
    assert "parent_tokens_oversize" in {seen.gate for seen in report.failures}
    report = check_shape(settings, "run", units(held=parents([100] * 500 + [2000])), None)
    assert "parent_tokens_oversize" not in broken(report)


def test_window_ceiling_is_a_guarantee_up_to_the_last_token():
    fits = corpus(search={"k": 8, "budget_tokens": 1000, "reserve_tokens": 200})
    assert "window_ceiling" not in broken(check_shape(fits, "run", units(largest_window_tokens=100), None))
    said = pd.concat([sentences([20] * 40), sentences([20], document="b.txt").assign(window_tokens=101)])
    seen = result(check_shape(fits, "run", units(said), None), "window_ceiling")
    assert (seen.value, seen.bound, seen.fails) == (1008, 1000, True)
    assert seen.offenders == (Offender("b.txt", "sentence 0", 101),)


def test_parent_ceiling_warns_only():
    seen = result(check_shape(corpus(), "run", units(held=parents([2000] * 8)), None), "parent_ceiling")
    assert (seen.value, seen.passed, seen.fails) == (18_000, False, False)


def test_losses_are_measured_against_the_last_release():
    lost = units(documents=89, quarantined=1, lost_documents=11, base_documents=100, base_sentences=45)
    report = check_shape(corpus(), "run", lost, None)
    assert result(report, "documents_lost_share").value == 0.11
    assert result(report, "documents_lost_share").fails
    assert result(report, "sentences_lost_share").value == pytest.approx(5 / 45)
    assert result(report, "quarantined_share").value == 1 / 90


def test_a_tenth_lost_is_still_within_bounds():
    lost = units(documents=90, lost_documents=10, base_documents=100, base_sentences=40)
    assert broken(check_shape(corpus(), "run", lost, None)) == set()


@pytest.mark.parametrize("designs", [["window", "parent"], ["window"], ["parent"]])
def test_empty_corpus_is_a_clean_failure(designs):
    nothing = units(sentences([]), parents([]), documents=0)
    report = check_shape(corpus(designs=designs), "run", nothing, None)
    assert report.failures
    assert all(seen.value is None for seen in report.failures)
    assert "could not be measured" in str(failed(report))


def test_parents_alone_have_no_window_gates():
    report = check_shape(corpus(designs=["parent"]), "run", units(sentences([9000] * 30)), None)
    assert broken(report) == set()
    assert {seen.gate for seen in report.results}.isdisjoint({"sentence_tokens_p95", "window_ceiling"})


def test_windows_alone_have_no_parent_gates():
    held = parents([90_000] * 30)
    report = check_shape(corpus(designs=["window"]), "run", units(held=held), None)
    assert broken(report) == set()
    assert all("parent" not in seen.gate for seen in report.results)


def test_warn_action_is_reported_and_does_not_fail():
    settings = corpus(gates={"sentence_tokens_p95": {"max": 5, "action": "warn"}})
    report = check_shape(settings, "run", units(), None)
    assert "sentence_tokens_p95" in broken(report)
    assert report.failures == ()


def test_the_worst_five_documents_are_named_in_a_stable_order():
    said = pd.concat([sentences([500] * (7 - n), document=f"{n}.log") for n in range(7)])
    forward = result(check_shape(corpus(), "run", units(said), None), "sentence_tokens_p95").offenders
    backward = result(check_shape(corpus(), "run", units(said[::-1]), None), "sentence_tokens_p95").offenders
    assert [place.document for place in forward] == ["0.log", "1.log", "2.log", "3.log", "4.log"]
    assert [place.document for place in backward] == [place.document for place in forward]


def test_data_docs_are_kept_in_the_runs_folder(tmp_path):
    for _ in range(2):
        check_shape(corpus(), "manual__2026-12-01T02:00:00+00:00", units(), tmp_path)
    pages = list((tmp_path / "data-docs" / "shape" / "validations").rglob("*.html"))
    assert (tmp_path / "data-docs" / "shape" / "index.html").is_file()
    assert len(pages) == 3
    assert not list(tmp_path.rglob("*.gif"))
    assert any("sentence_tokens_p95" in page.read_text() for page in pages)


def test_failed_names_every_failure():
    report = check_shape(corpus(), "run", units(sentences([500] * 30), parents([7000] * 3)), None)
    error = failed(report)
    assert len(error.failures) == len(report.failures) == 5
    assert "the shape gates failed" in str(error)


@given(
    values=st.lists(st.integers(0, 50), min_size=1, max_size=60),
    bound=st.integers(0, 50),
    per_cent=st.sampled_from([50, 95, 99, 100]),
)
def test_percentile_is_a_value_and_agrees_with_the_share_below_a_bound(values, bound, per_cent):
    seen = tail.percentile(pd.Series(values), per_cent)
    within = sum(value <= bound for value in values)
    assert seen in values
    assert (seen <= bound) == (within / len(values) >= per_cent / 100)
