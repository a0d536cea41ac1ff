"""What is asserted of a frame: a gate's rule in a form that needs no Great Expectations to be written or read."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from tailgate.models import GateResult, Offender


@dataclass(frozen=True, slots=True)
class AtMost:
    """At least `share` of the values of a column are not above `most`; `where` (column, value) narrows the rows.

    With a share of 0.95 that is the same as: the 95th percentile by nearest rank is not above `most`.
    """

    column: str
    most: float
    share: float = 1.0
    where: tuple[str, str] | None = None

    @property
    def words(self) -> str:
        rows = f" where {self.where[0]} is {self.where[1]}" if self.where else ""
        return f"at least {self.share:.0%} of the values are at most {self.most:g}{rows}"


@dataclass(frozen=True, slots=True)
class Unique:
    """No value of a column is there twice."""

    column: str

    @property
    def words(self) -> str:
        return "no value is there twice"


@dataclass(frozen=True, slots=True)
class Faultless:
    """A column that names each row's fault is empty."""

    column: str

    @property
    def words(self) -> str:
        return "no row has this fault"


@dataclass(frozen=True, slots=True)
class NotEmpty:
    """The frame has a row: without one nothing was measured, and nothing may pass."""

    @property
    def words(self) -> str:
        return "there is a row"


Rule = AtMost | Unique | Faultless | NotEmpty


def no_offenders() -> tuple[Offender, ...]:
    """For gates that no single document breaks."""
    return ()


@dataclass(frozen=True, slots=True)
class Check:
    """One gate before it is decided: the rule, the frame that it is asserted of, and what a report says about it."""

    gate: str
    frame: str
    rule: Rule
    value: float | None
    bound: float | None
    action: Literal["fail", "warn"] = "fail"
    note: str = ""
    offenders: Callable[[], tuple[Offender, ...]] = no_offenders
    """Called only for a broken gate."""


def decided(check: Check, passed: bool, trouble: str = "") -> GateResult:
    """What a report says of a check, however it was decided; `trouble` is why it could not be."""
    return GateResult(
        gate=check.gate,
        value=check.value,
        bound=check.bound,
        passed=passed,
        action=check.action,
        note="; ".join(part for part in (check.note, trouble) if part),
        offenders=() if passed else check.offenders(),
    )
