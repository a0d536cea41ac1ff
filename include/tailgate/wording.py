"""How a gate's result is said in words: in errors, in alerts, in the reason of a rejected release."""

from typing import Literal

from tailgate.models import GateResult, Offender

Unit = Literal["tokens", "share", "rows"]

_COUNTED = {
    "pseudo_sentence_share": "tokens",
    "unsegmentable_share": "characters",
    "synthetic_parent_share": "parents",
    "coverage": "documents",
}
"""What an offender's value counts, where that isn't what the gate itself counts."""


def base_name(gate: str) -> str:
    """A gate's name without what it was asked for: `sentence_tokens_p95[wiki]` is one of several of its kind."""
    return gate.partition("[")[0]


def unit_of(gate: str) -> Unit:
    """What a gate's value and bound count."""
    name = base_name(gate)
    if name.endswith("_share"):
        return "share"
    return "tokens" if "tokens" in name or name.endswith("_ceiling") else "rows"


def amount(value: float | None, unit: Unit) -> str:
    """A number as a person reads it: `11,402`, `3.4 %`, with digits enough to tell a value from its bound."""
    if value is None:
        return "not measured"
    if unit == "share":
        return f"{value * 100:.4g} %"
    return f"{value:,.0f}" if float(value).is_integer() else f"{value:,.6g}"


def per_cent(share: float) -> str:
    """A share that is no gate's value: `69 %`, without digits that nobody needs."""
    if 0 < share < 0.01:
        return "under 1 %"
    return "over 99 %" if 0.995 <= share < 1 else f"{share * 100:.0f} %"


def size_of(gate: str, offender: Offender) -> str:
    """An offender's value with what it counts: `11,402 tokens`."""
    counted = _COUNTED.get(base_name(gate), unit_of(gate))
    return f"{amount(offender.value, 'rows')} {counted.removesuffix('s') if offender.value == 1 else counted}"


def sentence_of(result: GateResult) -> str:
    """One readable sentence about one gate: value, bound, what was counted, and the worst documents."""
    unit = unit_of(result.gate)
    if result.value is None:
        seen = f"{result.gate} could not be measured"
    else:
        seen = f"{result.gate} is {amount(result.value, unit)} (bound {amount(result.bound, unit)})"
    note = f"; {result.note}" if result.note else ""
    places = (f"{item.document} {item.place} ({size_of(result.gate, item)})" for item in result.offenders)
    worst = f"; worst: {', '.join(places)}" if result.offenders else ""
    return f"{seen}{note}{worst}"
