"""Decides the same checks as Great Expectations does, without it: for reports that must come at once.

The pipeline never uses it. A property test holds both judges to the same verdicts.
"""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Literal

from tailgate.gates.checks import AtMost, Check, Faultless, NotEmpty, Unique, decided
from tailgate.models import GateReport

if TYPE_CHECKING:
    import pandas as pd


def judge(
    corpus: str,
    run_id: str,
    place: Literal["shape", "index"],
    frames: Mapping[str, "pd.DataFrame"],
    checks: Sequence[Check],
) -> GateReport:
    """The verdict on every check, in the order of the checks; a column that is not there breaks its gate."""
    results = tuple(decided(check, *_verdict(check, frames[check.frame])) for check in checks)
    return GateReport(corpus=corpus, run_id=run_id, place=place, results=results)


def _verdict(check: Check, frame: "pd.DataFrame") -> tuple[bool, str]:
    try:
        return _holds(check, frame), ""
    except KeyError as error:
        return False, f"it could not be evaluated: there is no column {error}"


def _holds(check: Check, frame: "pd.DataFrame") -> bool:
    """Missing values count for nothing, as Great Expectations has it; of no values at all, every rule holds."""
    match check.rule:
        case AtMost(column, most, share, where):
            rows = frame[frame[where[0]] == where[1]] if where else frame
            values = rows[column].dropna()
            return not len(values) or float(len(values) - int((values > most).sum())) / float(len(values)) >= share
        case Unique(column):
            return not bool(frame[column].dropna().duplicated().any())
        case Faultless(column):
            return not bool(frame[column].notna().any())
        case NotEmpty():
            return len(frame) > 0
