"""Words that the terminal and the page share."""

from collections.abc import Iterator, Sequence

import yaml

from tailgate.check import CheckReport
from tailgate.models import GateResult, Origin
from tailgate.survey import Spread, Worst
from tailgate.wording import amount, base_name, size_of, unit_of

SIZES = {
    Origin.AUTHORED: "parents, authored",
    Origin.SPLIT: "parents, authored and cut",
    Origin.SYNTHETIC: "parents, invented blocks",
}
GATES = {
    "sentence_tokens_p95": "95th percentile of sentence lengths",
    "pseudo_sentence_share": "sentences that the hard cap cut",
    "unsegmentable_share": "text without sentences (code, JSON, logs)",
    "window_ceiling": "k × largest window + reserve",
    "parent_tokens_p99": "99th percentile of section sizes",
    "parent_tokens_max": "largest section",
    "parent_tokens_oversize": "largest section, as the config caps it",
    "synthetic_parent_share": "parents that the splitter invented",
    "parent_ceiling": "k largest parents + reserve",
    "quarantined_share": "files that cannot be indexed",
}

LISTED_ELSEWHERE = frozenset({
    "sentence_tokens_p95",
    "pseudo_sentence_share",
    "parent_tokens_p99",
    "parent_tokens_max",
    "parent_tokens_oversize",
    "parent_ceiling",
})
OFFENDERS = 3
SOME = 3
"""Files that are named for a reason that many have."""


def summary(report: CheckReport) -> str:
    """How much was read."""
    refused = f", {len(report.refused):,} of them cannot be indexed" if report.refused else ""
    total = report.documents + len(report.refused)
    return (
        f"{total:,} {'file' if total == 1 else 'files'}{refused}: {report.sentences.count:,} sentences, "
        f"{report.tokens:,} tokens ({report.encoding})"
    )


def sizes(report: CheckReport) -> Iterator[tuple[str, Spread]]:
    """The spreads that are not empty, by name."""
    rows = [("sentences, before the cap", report.sentences), ("windows", report.windows)]
    rows += [(SIZES[origin], spread) for origin, spread in report.parents.items()]
    yield from ((name, spread) for name, spread in rows if spread.count)


def gate_cells(result: GateResult) -> tuple[str, str, str]:
    """What a gate looks at, its value and its bound."""
    base, _, part = result.gate.partition("[")
    name = GATES.get(base, base) + (f", {part.rstrip(']')}" if part else "")
    unit = unit_of(result.gate)
    return name, amount(result.value, unit), amount(result.bound, unit)


def verdict(result: GateResult) -> str:
    """`pass`, or what happens: `warn` or `FAIL`, which can be told apart without colour."""
    return "pass" if result.passed else {"fail": "FAIL", "warn": "warn"}[result.action]


def explained(report: CheckReport) -> list[GateResult]:
    """The broken gates that need more than their row: not a shape's where the whole corpus's is broken, too."""
    broken = {result.gate: result for result in report.gates.results if not result.passed}
    return [result for gate, result in broken.items() if gate == base_name(gate) or base_name(gate) not in broken]


def offenders(result: GateResult) -> Iterator[str]:
    """The worst places of a broken gate, where the lists of the longest sentences and sections don't name them."""
    if base_name(result.gate) not in LISTED_ELSEWHERE:
        yield from all_offenders(result)[:OFFENDERS]


def all_offenders(result: GateResult) -> list[str]:
    """The worst places of a broken gate, with what their sizes count."""
    return [f"{item.document}, {item.place}: {size_of(result.gate, item)}" for item in result.offenders]


def reasons(report: CheckReport) -> list[str]:
    """Why files cannot be indexed, the most frequent reason first, each with its files or some of them."""
    named: dict[str, list[str]] = {}
    for entry in report.refused:
        reason = entry.message.removeprefix(entry.uri).lstrip(": ")
        named.setdefault(reason, []).append(entry.document)
    order = sorted(named.items(), key=lambda item: -len(item[1]))
    return [f"{len(files):,} × {reason} ({_some(files)})" for reason, files in order]


def _some(files: Sequence[str]) -> str:
    more = f" and {len(files) - SOME:,} more" if len(files) > SOME else ""
    return f"{', '.join(files[:SOME])}{more}"


def place(worst: Worst) -> str:
    """`path:line` as editors open it, or the page, and the headings."""
    where = f"{worst.document}:{worst.line}" if worst.line else worst.document
    page = f", page {worst.page}" if worst.page and not worst.line else ""
    path = f" · {' > '.join(worst.heading_path)}" if worst.heading_path else ""
    alone = not (worst.line or worst.page or worst.heading_path)
    return f"{where}{page}{path}{f', unit {worst.ordinal}' if alone else ''}"


def settings(report: CheckReport) -> str:
    """The lines of a corpus file that follow from the advice."""
    return yaml.safe_dump(report.advice.settings, default_flow_style=None, sort_keys=False).strip()


def outcome(report: CheckReport) -> str:
    """The last word: whether a run over these documents would publish, and whether it would as advised."""
    broken = [result.gate for result in report.gates.failures]
    if not broken:
        warned = sum(1 for result in report.gates.results if not result.passed)
        return f"All gates that can fail would pass{f'; {warned} would warn' if warned else ''}."
    designs = report.advice.settings.get("designs", ["window", "parent"])
    left = [gate for gate in broken if any(design in str(designs) for design in _designs(gate))]
    if len(left) == len(broken):
        return f"Would not be published: {', '.join(broken)}."
    advised = f"left would be {', '.join(left)}" if left else "it would be"
    return f"Would not be published: {', '.join(broken)}. Built as advised, {advised}."


def _designs(gate: str) -> tuple[str, ...]:
    """The designs that a gate is run for."""
    name = base_name(gate)
    if name.startswith(("parent", "synthetic")):
        return ("parent",)
    return ("window", "parent") if name == "quarantined_share" else ("window",)
