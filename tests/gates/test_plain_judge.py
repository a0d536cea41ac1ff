"""Two judges, one verdict: what is decided without Great Expectations is what it decides."""

import pandas as pd
from gate_frames import corpus, parents, sentences, units
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tailgate.gates import check_shape, plain, preview_shape
from tailgate.gates.checks import AtMost, Check, Faultless, NotEmpty, Unique
from tailgate.gates.judge import judge

NUMBERS = st.none() | st.integers(0, 40) | st.floats(0, 40)
ROWS = st.lists(
    st.tuples(NUMBERS, st.sampled_from("xyz"), st.none() | st.sampled_from(["broken", "torn"])), max_size=40
)
RULES = st.one_of(
    st.builds(
        AtMost,
        st.just("n"),
        st.integers(0, 40).map(float),
        st.sampled_from([0.5, 0.9, 0.95, 0.99, 1.0]) | st.floats(0, 1),
        st.none() | st.tuples(st.just("kind"), st.sampled_from("xyzw")),
    ),
    st.builds(Unique, st.sampled_from(["n", "kind"])),
    st.just(Faultless("fault")),
    st.just(NotEmpty()),
    st.just(AtMost("nowhere", 1.0)),
)


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(rows=ROWS, rules=st.lists(RULES, min_size=1, max_size=12))
def test_both_judges_agree_on_any_frame(rows: list[tuple[object, str, object]], rules: list[object]) -> None:
    frame = pd.DataFrame(rows, columns=["n", "kind", "fault"])
    frame["n"] = frame["n"].astype(float)
    checks = [Check(f"gate-{n}", "rows", rule, None, None) for n, rule in enumerate(rules)]
    slow = judge("calls", "run", "shape", {"rows": frame}, checks, None)
    fast = plain.judge("calls", "run", "shape", {"rows": frame}, checks)
    assert [(r.gate, r.passed) for r in fast.results] == [(r.gate, r.passed) for r in slow.results]


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    lengths=st.lists(st.integers(1, 200), max_size=60),
    sizes=st.lists(st.integers(1, 9000), max_size=30),
    shape=st.sampled_from(["wiki", "prose"]),
    quarantined=st.integers(0, 3),
)
def test_the_preview_is_the_report_of_the_pipeline(
    lengths: list[int], sizes: list[int], shape: str, quarantined: int
) -> None:
    seen = units(sentences(lengths, shape=shape), parents(sizes), quarantined=quarantined)
    assert preview_shape(corpus(), seen).results == check_shape(corpus(), "run", seen, None).results


def test_a_missing_column_breaks_the_gate_and_is_named() -> None:
    checks = [Check("gate", "rows", AtMost("nowhere", 1.0), None, None)]
    result = plain.judge("calls", "run", "shape", {"rows": pd.DataFrame({"n": [1]})}, checks).results[0]
    assert not result.passed
    assert "nowhere" in result.note
