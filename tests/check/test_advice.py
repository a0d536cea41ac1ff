"""DESIGN section 6: what fits, with reasons; and which figures are guarantees."""

import pytest
from check_folders import corpus, material
from hypothesis import given
from hypothesis import strategies as st

from tailgate.advise import advise
from tailgate.config.tree import Segment
from tailgate.models import Shape

LINES = [12] * 100
LONG = [400] * 100
SECTIONS = [300] * 40


@pytest.mark.parametrize(
    ("shape", "sizes", "verdict", "says"),
    [
        ("transcript", {"sentences": LINES, "synthetic": [500] * 3}, "window", "nobody made sections"),
        ("prose", {"sentences": LINES, "synthetic": [500] * 3}, "window", "from beginning to end"),
        ("reference", {"sentences": LINES, "authored": SECTIONS}, "parent", "sections that their authors made"),
        ("wiki", {"sentences": LINES, "authored": [9000, 200]}, "window", "bounded"),
        ("dump", {"sentences": LINES, "synthetic": [500] * 3}, "neither", "no context for one another"),
        ("dump", {"sentences": LINES, "authored": SECTIONS}, "parent", "under headings"),
        ("table", {"sentences": LINES, "authored": [800]}, "parent", "come whole"),
        ("table", {"sentences": LINES, "authored": [80_000]}, "window", "carry the header"),
        ("transcript", {"sentences": LONG, "synthetic": [500] * 3}, "neither", "full stops"),
        ("prose", {"sentences": LINES, "pseudo": range(50), "synthetic": [500]}, "neither", "full stops"),
        ("reference", {"sentences": LONG, "authored": SECTIONS}, "parent", "authors"),
    ],
)
def test_shape_and_figures_decide(shape: str, sizes: dict[str, list[int]], verdict: str, says: str) -> None:
    advice = advise(material({shape: sizes}), corpus())
    assert advice.verdict == verdict
    assert says in advice.shapes[0].reason
    assert advice.settings.get("designs", []) == ([] if verdict == "neither" else [verdict])


def test_a_mixed_folder_is_advised_by_shape_with_counts() -> None:
    mixed = {
        "transcript": {"sentences": LINES, "synthetic": [500] * 3},
        "reference": {"sentences": LINES * 2, "authored": SECTIONS},
    }
    advice = advise(material(mixed), corpus())
    assert advice.verdict == "by shape"
    assert "parent for 1 reference page (67 % of the text)" in advice.headline
    assert "window for 1 transcript (33 % of the text)" in advice.headline
    assert "If it must be one: parent" in advice.headline


def test_few_documents_of_another_kind_do_not_change_the_advice_for_all() -> None:
    mixed = {"transcript": {"sentences": LINES * 20, "synthetic": [500]}, "dump": {"sentences": LINES}}
    assert advise(material(mixed), corpus()).verdict == "window"


def test_sections_above_the_bound_are_to_be_cut_and_the_gate_that_remains_is_named() -> None:
    advice = advise(material({"reference": {"sentences": LINES, "authored": [*SECTIONS, 8000]}}), corpus())
    assert advice.settings == {"designs": ["parent"], "segment": {"oversize": "split"}}
    assert any("8,000" in caution and "gate" in caution for caution in advice.cautions)


def test_nothing_read_gives_nothing_to_advise() -> None:
    advice = advise(material({}), corpus())
    assert (advice.verdict, advice.costs, advice.settings) == ("nothing", (), {})


@given(
    windows=st.lists(st.integers(1, 4000), min_size=1, max_size=40),
    parents=st.lists(st.integers(1, 9000), min_size=1, max_size=40),
    k=st.integers(1, 12),
)
def test_a_guarantee_holds_for_any_k_units(windows: list[int], parents: list[int], k: int) -> None:
    settings = corpus(search={"k": k, "budget_tokens": 16_000, "reserve_tokens": 2000})
    seen = material({"reference": {"sentences": [10] * len(windows), "windows": windows, "authored": parents}})
    window, parent = advise(seen, settings).costs
    for cost, worst in ((window, k * max(windows)), (parent, sum(sorted(parents)[-k:]))):
        assert cost.prompt_ceiling == worst + 2000
        assert cost.guaranteed == (worst + 2000 <= 16_000)
        assert cost.prompt_typical <= cost.prompt_ceiling
        assert "no query can exceed it" in cost.reading or not cost.guaranteed


def test_every_shape_has_advice() -> None:
    for shape in Shape:
        assert advise(material({shape.value: {"sentences": LINES, "synthetic": [500]}}), corpus()).shapes


def test_text_without_sentences_names_the_splitters_that_are_not_in_use() -> None:
    seen = material({"dump": {"sentences": LONG, "pseudo": range(50), "synthetic": [500]}})
    thai = corpus().model_copy(update={"segment": Segment(splitter="thai")})
    assert "`segment.splitter` to `thai`" in advise(seen, corpus()).shapes[0].reason
    assert "segment.splitter" not in advise(seen, thai).shapes[0].reason
