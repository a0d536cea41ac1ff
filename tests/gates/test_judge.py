import os
import subprocess
import sys

import pandas as pd
import pytest

from tailgate.gates.checks import AtMost, Check, Faultless, NotEmpty, Unique
from tailgate.gates.judge import judge
from tailgate.models import Offender


def verdict(check, frame):
    return judge("calls", "run", "shape", {"rows": frame}, [check], None).results[0]


def check(rule, action="fail"):
    place = Offender("a.txt", "sentence 1", 9.0)
    return Check("gate", "rows", rule, value=0.0, bound=10.0, action=action, offenders=lambda: (place,))


ROWS = pd.DataFrame({
    "n": [1, 2, 3, 4],
    "id": list("abca"),
    "fault": [None, None, "broken", None],
    "kind": list("xxyy"),
})


@pytest.mark.parametrize(
    ("rule", "passed"),
    [
        (AtMost("n", 4), True),
        (AtMost("n", 3), False),
        (AtMost("n", 3, share=0.75), True),
        (AtMost("n", 3, share=0.76), False),
        (AtMost("n", 2, where=("kind", "x")), True),
        (AtMost("n", 2, where=("kind", "y")), False),
        (Unique("n"), True),
        (Unique("id"), False),
        (Faultless("fault"), False),
        (NotEmpty(), True),
    ],
)
def test_the_expectation_decides_and_not_the_measured_value(rule, passed):
    seen = verdict(check(rule), ROWS)
    assert seen.passed is passed
    assert bool(seen.offenders) is not passed


def test_no_rows_break_the_rule_that_there_is_one():
    assert not verdict(check(NotEmpty()), ROWS[:0]).passed


def test_an_expectation_that_cannot_be_evaluated_is_a_broken_gate():
    seen = verdict(check(AtMost("missing", 1)), ROWS)
    assert not seen.passed
    assert "Great Expectations could not evaluate it" in seen.note
    assert "missing" in seen.note


def test_results_keep_the_order_of_the_checks():
    checks = [
        Check("b", "two", NotEmpty(), None, None),
        Check("a", "one", NotEmpty(), None, None),
        Check("c", "two", Unique("n"), None, None),
    ]
    report = judge("calls", "run", "index", {"one": ROWS, "two": ROWS}, checks, None)
    assert [seen.gate for seen in report.results] == ["b", "a", "c"]


def test_great_expectations_is_imported_only_to_judge():
    code = "import sys, tailgate.gates, tailgate.alert; print({'great_expectations', 'pandas'} & set(sys.modules))"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, env=dict(os.environ)
    )
    assert done.stdout.strip() == "set()"
