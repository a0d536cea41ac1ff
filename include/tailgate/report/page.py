"""The report as one page that needs no other file, no script and no network."""

from collections.abc import Iterator, Sequence
from importlib.resources import files

from tailgate.check import CheckReport
from tailgate.models import GateResult, Origin
from tailgate.report import charts, wording
from tailgate.report.markup import Safe, inside, table, tag
from tailgate.survey import Worst
from tailgate.wording import per_cent

LISTED = 500
"""Documents that the page lists, the largest; all are in the JSON."""
POLICY = "default-src 'none'; style-src 'unsafe-inline'"


def page(report: CheckReport) -> str:
    """The whole HTML document."""
    head = inside(
        tag("meta", charset="utf-8"),
        tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
        tag("meta", http_equiv="Content-Security-Policy", content=POLICY),
        tag("title", f"Tailgate: {report.subject}"),
        tag("style", Safe(files("tailgate.report").joinpath("style.css").read_text(encoding="utf-8"))),
    )
    body = tag(
        "main", *_top(report), *_advice(report), *_sizes(report), *_worst(report), *_gates(report), *_rest(report)
    )
    return f"<!doctype html>\n{tag('html', tag('head', head), tag('body', body), lang='en')}\n"


def _top(report: CheckReport) -> Iterator[Safe]:
    failed = bool(report.gates.failures)
    yield tag("h1", report.subject)
    yield tag("p", wording.summary(report), cls="soft")
    kind = "bad" if failed else "none" if report.advice.verdict in {"neither", "nothing"} else ""
    yield tag("div", tag("strong", report.advice.headline), tag("p", wording.outcome(report)), cls=f"verdict {kind}")
    figures = (
        ("sentence, 95th percentile", report.sentences.p95),
        ("largest window", report.windows.max),
        ("section, 99th percentile", report.sections.p99 if report.sections.count else "none"),
        ("largest section", report.sections.max if report.sections.count else "none"),
        ("files not indexed", len(report.refused)),
    )
    yield tag("div", *(_tile(name, figure) for name, figure in figures), cls="tiles")


def _tile(name: str, figure: int | str) -> Safe:
    shown = f"{figure:,}" if isinstance(figure, int) else figure
    return tag("div", tag("b", shown), tag("span", name), cls="tile")


def _advice(report: CheckReport) -> Iterator[Safe]:
    advice = report.advice
    if not advice.shapes:
        return
    yield tag("h2", "What fits, and why")
    yield charts.shares(advice.shapes)
    rows: list[tuple[object, ...]] = [
        (
            a.shape,
            f"{a.figures.documents:,}",
            f"{a.figures.tokens:,}",
            per_cent(a.token_share),
            _chip(a.choice),
            a.reason,
        )
        for a in advice.shapes
    ]
    yield table(("shape", "files", "tokens", "of all", "fits", "because"), rows, frozenset({1, 2, 3}))
    if advice.cautions:
        yield tag("ul", *(tag("li", caution) for caution in advice.cautions))
    if advice.settings:
        yield tag("p", "In the corpus file:")
        yield tag("pre", wording.settings(report))
    yield tag("h2", "What a prompt would cost")
    yield charts.prompts(advice.costs)
    yield tag(
        "p",
        "Narrow bar: the typical prompt, an estimate. Wide bar: the ceiling, computed. Both hold the reserve.",
        cls="soft",
    )
    sizes: list[tuple[object, ...]] = [
        (c.design, *(f"{n:,}" for n in (c.unit_median, c.unit_p99, c.unit_max)), f"~ {c.prompt_typical:,}", c.reading)
        for c in advice.costs
    ]
    heads = ("design", "unit, median", "p99", "max", "typical prompt", "ceiling")
    yield table(heads, sizes, frozenset({1, 2, 3, 4}))
    yield tag("p", advice.computed, " ", advice.to_measure, cls="soft")


def _chip(choice: str) -> Safe:
    return tag("span", choice, cls=f"chip {choice}")


def _sizes(report: CheckReport) -> Iterator[Safe]:
    if not report.documents:
        return
    bounds = {result.gate: result.bound for result in report.gates.results}
    p95, p99 = [("p95", report.sentences.p95)], [("p99", report.sections.p99)]
    lengths = charts.distribution(report.sentences, bound=bounds.get("sentence_tokens_p95"), marks=p95)
    drawn = [("Sentences, before the cap", lengths)]
    if report.windows.count:
        drawn.append(("Windows", charts.distribution(report.windows, bound=None, marks=[("p99", report.windows.p99)])))
    if report.sections.count:
        chart = charts.distribution(report.sections, bound=bounds.get("parent_tokens_p99"), marks=p99)
        drawn.append(("Sections that authors made, before any split", chart))
    blocks = report.parents[Origin.SYNTHETIC]
    if blocks.count:
        drawn.append(("Blocks that the splitter invented", charts.distribution(blocks, bound=None, marks=[])))
    yield tag("h2", "Sizes in tokens")
    yield tag("div", *(tag("div", tag("h3", name), chart) for name, chart in drawn), cls="pair")
    rows: list[tuple[object, ...]] = [
        (name, *(f"{n:,}" for n in (s.count, s.median, s.p95, s.p99, s.max))) for name, s in wording.sizes(report)
    ]
    yield table(("unit", "count", "median", "p95", "p99", "max"), rows, frozenset(range(1, 6)))


def _worst(report: CheckReport) -> Iterator[Safe]:
    kinds = (
        ("Longest sentences", report.worst.sentences),
        ("Largest windows", report.worst.windows),
        ("Largest sections", report.worst.parents),
    )
    if report.documents:
        yield tag("h2", "Worst offenders")
        yield tag("p", "One of each document.", cls="soft")
    for title, units in kinds:
        if units:
            rows: list[tuple[object, ...]] = [
                (f"{unit.tokens:,}", f"{unit.above:,}", inside(wording.place(unit), " ", _words(unit)))
                for unit in units
            ]
            yield tag("h3", title)
            yield table(("tokens", "above the bound", "where"), rows, frozenset({0, 1}), frozenset({2}))


def _words(unit: Worst) -> Safe:
    return tag("div", f"“{unit.words}”", cls="words")


def _gates(report: CheckReport) -> Iterator[Safe]:
    yield tag("h2", "Gates")
    rows: list[tuple[object, ...]] = [(*_gate(result),) for result in report.gates.results]
    yield table(("gate", "value", "bound", "", "verdict", "what was counted"), rows, frozenset({1, 2}))
    broken = [result for result in report.gates.results if not result.passed and result.offenders]
    for result in broken:
        items = (tag("li", line) for line in wording.all_offenders(result))
        yield tag("details", tag("summary", f"Worst places of {result.gate}"), tag("ul", *items))


def _gate(result: GateResult) -> tuple[object, ...]:
    name, value, bound = wording.gate_cells(result)
    said = wording.verdict(result)
    bar = charts.gauge(result.value, result.bound) if result.value is not None and result.bound is not None else ""
    named = inside(name, tag("div", tag("code", result.gate), cls="soft"))
    return named, value, bound, bar, tag("span", said, cls=said.lower()), result.note


def _rest(report: CheckReport) -> Iterator[Safe]:
    yield from _list("Would be quarantined", wording.reasons(report))
    warned = [f"{w.documents:,} × {w.message} ({w.example})" for w in report.warnings]
    yield from _list("Warnings, by the number of documents", warned)
    yield from _list("Not listed", report.problems)
    rows: list[tuple[object, ...]] = [
        (
            row.document,
            row.shape,
            *(f"{n:,}" for n in (row.tokens, row.sentences, row.sentence_p95, row.largest_parent)),
        )
        for row in sorted(report.rows, key=lambda row: (-row.tokens, row.document))[:LISTED]
    ]
    if rows:
        yield tag("h2", "Documents")
        if len(report.rows) > LISTED:
            yield tag("p", f"The {LISTED:,} largest of {len(report.rows):,}; all are in the JSON.", cls="soft")
        heads = ("document", "shape", "tokens", "sentences", "sentence p95", "largest parent")
        yield table(heads, rows, frozenset({2, 3, 4, 5}), frozenset({0}))


def _list(title: str, lines: Sequence[str]) -> Iterator[Safe]:
    if lines:
        yield tag("h2", title)
        yield tag("ul", *(tag("li", line) for line in lines))
