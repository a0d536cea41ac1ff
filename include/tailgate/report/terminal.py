"""The report on a terminal, readable at 80 columns and without colour."""

from collections.abc import Iterator, Sequence
from typing import Literal

from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.constrain import Constrain
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from tailgate.check import CheckReport
from tailgate.models import Origin
from tailgate.report import wording
from tailgate.report.histogram import histogram
from tailgate.survey import Spread, Worst
from tailgate.wording import per_cent

WIDTH = 100
"""Columns above which lines grow hard to read."""
SIDE_BY_SIDE = 76
LONG_LEAST = 24
"""Columns that names have at least, where they fold."""
LISTED = 30
"""Documents up to which each is listed without being asked for."""
SHOWN = 10
"""Quarantined files and warnings that are shown; the rest is counted."""


def whole(report: CheckReport, *, files: bool = False) -> RenderableType:
    """Everything: shapes, distributions, tails, offenders, gates, what could not be read, advice."""
    parts: list[RenderableType] = [
        Text(report.subject, style="bold"),
        Text(wording.summary(report)),
        *_section("Shapes", _shapes(report)),
    ]
    if files or 1 < report.documents <= LISTED:
        parts += _section("Documents", _documents(report))
    if report.documents:
        parts += [Text(), _Histograms(report)]
        parts += _section("Sizes in tokens", _sizes(report))
        parts += _worst(report)
    parts += _section("Gates", _gates(report))
    parts += _losses(report)
    parts += _advice(report)
    failed = bool(report.gates.failures)
    parts += [Text(), Text(wording.outcome(report), style="bold red" if failed else "green")]
    return Constrain(Group(*parts), WIDTH)


def advice_only(report: CheckReport) -> RenderableType:
    """The shapes, the distributions that the advice was decided from, and the advice."""
    head = [Text(report.subject, style="bold"), Text(wording.summary(report))]
    shown = [Text(), _Histograms(report), *_section("Sizes in tokens", _sizes(report))] if report.documents else []
    return Constrain(Group(*head, *_section("Shapes", _shapes(report)), *shown, *_advice(report)), WIDTH)


class _Histograms:
    """Sentences and sections, side by side where there is room."""

    def __init__(self, report: CheckReport) -> None:
        self._report = report

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        beside = options.max_width >= SIDE_BY_SIDE
        width = (min(options.max_width, WIDTH) - 4) // 2 if beside else options.max_width
        drawn = [histogram(*named, bound=bound, width=width) for named, bound in self._spreads()]
        if not beside:
            yield from drawn
            return
        grid = Table.grid(padding=(0, 4))
        for _ in drawn:
            grid.add_column(width=width)
        grid.add_row(*drawn)
        yield grid

    def _spreads(self) -> Iterator[tuple[tuple[str, Spread], float]]:
        bounds = {result.gate: result.bound or float("inf") for result in self._report.gates.results}
        none = float("inf")
        yield ("Sentence lengths, in tokens", self._report.sentences), bounds.get("sentence_tokens_p95", none)
        if self._report.sections.count:
            yield ("Section sizes, in tokens", self._report.sections), bounds.get("parent_tokens_p99", none)
        elif self._report.parents[Origin.SYNTHETIC].count:
            yield ("Invented blocks, in tokens", self._report.parents[Origin.SYNTHETIC]), none


def _section(title: str, body: RenderableType) -> list[RenderableType]:
    return [Text(), Text(title, style="bold"), Padding(body, (0, 0, 0, 2), expand=False)]


def _table(*columns: str, words: Sequence[str] = (), long: str = "") -> Table:
    """A table without lines; `words` are columns that hold words, the others hold figures; only `long` may fold."""
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="dim")
    for name in columns:
        justify: Literal["left", "right"] = "left" if name in words else "right"
        least = LONG_LEAST if name == long else None
        table.add_column(name, justify=justify, no_wrap=name != long, overflow="fold", min_width=least)
    return table


def _shapes(report: CheckReport) -> RenderableType:
    table = _table("shape", "files", "tokens", "of all", "sentence p95", "section p99", "fits", words=("shape", "fits"))
    for advice in report.advice.shapes:
        seen = advice.figures
        sizes = (f"{seen.sentence_p95:,}", f"{seen.authored_p99:,}" if seen.authored else "none")
        table.add_row(
            advice.shape,
            f"{seen.documents:,}",
            f"{seen.tokens:,}",
            per_cent(advice.token_share),
            *sizes,
            advice.choice,
        )
    return table if report.advice.shapes else Text("none")


def _documents(report: CheckReport) -> RenderableType:
    table = _table(
        "document",
        "shape",
        "tokens",
        "sentences",
        "p95",
        "largest parent",
        words=("document", "shape"),
        long="document",
    )
    for row in report.rows:
        figures = (row.tokens, row.sentences, row.sentence_p95, row.largest_parent)
        table.add_row(Text(row.document), row.shape, *(f"{figure:,}" for figure in figures))
    return table


def _sizes(report: CheckReport) -> RenderableType:
    table = _table("unit", "count", "median", "p95", "p99", "max", words=("unit",))
    for name, spread in wording.sizes(report):
        figures = (spread.count, spread.median, spread.p95, spread.p99, spread.max)
        table.add_row(name, *(f"{figure:,}" for figure in figures))
    return table


def _worst(report: CheckReport) -> Iterator[RenderableType]:
    """The longest of each kind, one of each document."""
    kinds = (("Longest sentences", report.worst.sentences), ("Largest sections", report.worst.parents))
    for title, units in kinds:
        if units:
            yield from _section(title, Group(*(_unit(unit) for unit in units)))


def _unit(unit: Worst) -> RenderableType:
    more = f" and {unit.above - 1:,} more above the bound" if unit.above > 1 else ""
    head = Text.assemble((f"{unit.tokens:,}", "red" if unit.above else "bold"), f"  {wording.place(unit)}{more}")
    return Group(head, Padding(Text(f"“{unit.words}”", style="dim"), (0, 0, 0, 4), expand=False))


def _gates(report: CheckReport) -> RenderableType:
    table = _table("gate", "value", "bound", "verdict", words=("gate", "verdict"), long="gate")
    for result in report.gates.results:
        name, value, bound = wording.gate_cells(result)
        said = wording.verdict(result)
        table.add_row(name, value, bound, Text(said, style=_STYLES[said]))
    notes: list[RenderableType] = []
    for result in wording.explained(report):
        notes += [] if notes else [Text()]
        notes += [Text(f"{result.gate}: {result.note}" if result.note else result.gate, style="yellow")]
        notes += [Padding(Text(line), (0, 0, 0, 2), expand=False) for line in wording.offenders(result)]
    return Group(table, *notes)


_STYLES = {"pass": "green", "warn": "yellow", "FAIL": "bold red"}


def _losses(report: CheckReport) -> Iterator[RenderableType]:
    """What could not be read, what parsers warned of, what could not be listed."""
    if report.refused:
        reasons = wording.reasons(report)
        lines = [_item(reason) for reason in reasons[:SHOWN]]
        yield from _section("Would be quarantined", Group(*lines, *_rest(len(reasons))))
    if report.warnings:
        lines = [
            _item(f"{warned.documents:,} × {warned.message} ({warned.example})") for warned in report.warnings[:SHOWN]
        ]
        yield from _section("Warnings, by the number of documents", Group(*lines, *_rest(len(report.warnings))))
    if report.problems:
        yield from _section("Not listed", Group(*(Text(problem) for problem in report.problems)))


def _rest(count: int) -> Iterator[Text]:
    if count > SHOWN:
        yield Text(f"and {count - SHOWN:,} more (`--json` and `--html` have them all)", style="dim")


def _advice(report: CheckReport) -> Iterator[RenderableType]:
    advice = report.advice
    lines: list[RenderableType] = [Text(advice.headline, style="bold")]
    lines += [_item(f"{item.shape} → {item.choice}: {item.reason}.") for item in advice.shapes]
    lines += [_item(caution) for caution in advice.cautions]
    yield from _section("Advice", Group(*lines))
    if advice.costs:
        readings = (_item(f"{cost.design}: {cost.reading}.") for cost in advice.costs)
        said = (Text(advice.computed, style="dim"), Text(advice.to_measure, style="dim"))
        yield from _section("What a prompt would cost, in tokens", Group(_costs(report), *readings, *said))
    if advice.settings:
        yield from _section("In the corpus file", Text(wording.settings(report)))


def _costs(report: CheckReport) -> RenderableType:
    names = ("design", "unit median", "p99", "max", "typical prompt", "ceiling", "budget", "fits")
    table = _table(*names, words=("design", "fits"))
    for cost in report.advice.costs:
        sizes = (cost.unit_median, cost.unit_p99, cost.unit_max)
        figures = (*(f"{n:,}" for n in sizes), f"~ {cost.prompt_typical:,}", f"{cost.prompt_ceiling:,}")
        table.add_row(cost.design, *figures, f"{cost.budget:,}", "always" if cost.guaranteed else "unsure")
    return table


def _item(text: str) -> RenderableType:
    grid = Table.grid(padding=(0, 1))
    grid.add_row(Text("-"), Text(text))
    return grid
