"""The two tables that a design decision rests on, for a terminal: what a radius costs, and what a prompt costs."""

from collections.abc import Callable

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from tailgate.evaluate import PromptColumn, PromptsReport, SweepReport


def sweep(report: SweepReport) -> RenderableType:
    """The radius table, with the product that predicts the median and the law that is exact for the mean."""
    sizes = _table("radius", "sentences", "median", "product", "residual", "max", f"×{report.k}", "ceiling")
    means = _table("radius", "mean", "law", "clamped", "headers", "joins")
    for row in report.rows:
        figures = (row.radius, row.sentences, row.unit.median, row.product, row.residual)
        sums = (row.unit.max, row.prompt_tokens, row.ceiling_tokens)
        sizes.add_row(*(f"{n:,}" for n in (*figures, *sums)))
        parts = (row.unit.mean, row.law_mean, -row.clamping, row.headers, row.joins)
        means.add_row(f"{row.radius}", *(f"{n:,.2f}" for n in parts))
    head = (
        f"{report.corpus}, release {report.release_id}: {report.documents:,} documents, {report.sentence.count:,} "
        f"sentences, median {report.sentence.median:,}, mean {report.sentence.mean:,.2f} tokens ({report.encoding})"
    )
    estimate = (
        f"Tokens of a window. product = sentences × median sentence, an estimate of the median; ×{report.k} = "
        f"{report.k} medians; ceiling = {report.k} × the largest window, which no prompt exceeds (without the reserve)"
    )
    law = "mean = law + clamped + headers + joins, exactly"
    laws = Text(estimate, style="dim"), Text(law, style="dim")
    return Group(Text(head), Text(), sizes, laws[0], Text(), means, laws[1])


def prompts(report: PromptsReport) -> RenderableType:
    """The prompt-size table: a column a design, measured on the sum over k hits."""
    table = _table("", *(_title(report, column) for column in report.columns))
    for name, cells in _rows(report).items():
        table.add_row(name, *cells)
    drawn = report.drawn if report.seed is None else f"{report.drawn} (seed {report.seed})"
    head = f"{report.corpus}, release {report.release_id}: {report.queries:,} {drawn}, k = {report.k}"
    rules = [
        Text(_rule(column), style="green" if column.margin_tokens >= 0 else "bold red") for column in report.columns
    ]
    return Group(Text(head), Text(), table, Text(), *rules)


def _rows(report: PromptsReport) -> dict[str, list[str]]:
    def each(show: Callable[[PromptColumn], str]) -> list[str]:
        return [show(column) for column in report.columns]

    return {
        "unit tokens, median": each(lambda c: f"{c.unit.median:,}"),
        "unit tokens, max": each(lambda c: f"{c.unit.max:,}"),
        "k × median unit": each(lambda c: f"{c.product:,}"),
        "prompt tokens, median": each(lambda c: f"{c.prompt.median:,}"),
        "prompt tokens, p99": each(lambda c: f"{c.prompt.p99:,}"),
        "prompt tokens, max": each(lambda c: f"{c.prompt.max:,}"),
        "ceiling, without reserve": each(lambda c: f"{c.ceiling_tokens:,}"),
        "passages a prompt, median": each(lambda c: f"{c.passages.median:,}"),
        "saved by merging": each(lambda c: f"{c.saving_share:.1%}"),
        f"over {report.budget_tokens:,} with {report.reserve_tokens:,} reserved": each(
            lambda c: f"{c.share_over:.1%} (95 %: ≤ {c.share_over_upper:.1%})"
        ),
        "budget − reserve − p99": each(lambda c: f"{c.margin_tokens:,}"),
    }


def _title(report: PromptsReport, column: PromptColumn) -> str:
    return f"window {report.before}+{report.after}" if column.expand == "window" else column.expand


def _rule(column: PromptColumn) -> str:
    if column.margin_tokens < 0:
        return (
            f"{column.expand}: the p99 prompt is {-column.margin_tokens:,} tokens above what fits: somebody overflows."
        )
    return f"{column.expand}: the p99 prompt leaves {column.margin_tokens:,} tokens."


def _table(*columns: str) -> Table:
    table = Table(box=None, pad_edge=False)
    for name in columns:
        table.add_column(name, justify="right" if name else "left")
    return table
