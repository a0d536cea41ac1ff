"""What a person sees on a terminal: tables and sentences; machines get the same records as JSON."""

import os
import time
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager

from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.panel import Panel
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeRemainingColumn
from rich.table import Table
from rich.text import Text

from tailgate import glyphs
from tailgate.models import GateResult, Passage, Prompt, QuarantineEntry, Release
from tailgate.planning import Plan
from tailgate.store import Kept
from tailgate.wording import amount, size_of, unit_of

PLAIN_LINE_EVERY_S = 10.0
INDENT = (0, 0, 0, 9)
BORDER = 8
"""Characters of a panel's title line that are no title."""
SHOWN = 20
"""Documents of one kind that a dry run names."""


def out(value: RenderableType) -> None:
    """The value is on standard output, as wide as the terminal; in ASCII where that knows no other characters."""
    shown = console()
    if shown.encoding.lower().startswith("utf"):
        shown.print(value)
        return
    with shown.capture() as held:
        shown.print(value)
    shown.file.write(glyphs.ascii_of(held.get()))


def console() -> Console:
    """A console for results; without a terminal or COLUMNS it is wide enough not to fold a row."""
    plain = _Console()
    return plain if plain.is_terminal or "COLUMNS" in os.environ else _Console(width=140, soft_wrap=False)


class _Console(Console):
    """Leaves it to the caller what it means that nobody reads the output any more."""

    def on_broken_pipe(self) -> None:
        raise BrokenPipeError


@contextmanager
def progress(*, quiet: bool) -> Generator[Callable[[str, int, int], None]]:
    """A bar on a terminal; plain lines, seconds apart, elsewhere; nothing where `quiet`."""
    errors = Console(stderr=True)
    if quiet:
        yield lambda step, done, total: None
    elif errors.is_terminal:
        bars = Progress(
            TextColumn("{task.description:<8}"),
            BarColumn(),
            MofNCompleteColumn(),
            TimeRemainingColumn(),
            console=errors,
        )
        with bars:
            yield _Bars(bars)
    else:
        yield _PlainLines(errors)


class _Bars:
    """One bar a step."""

    def __init__(self, bars: Progress) -> None:
        self._bars = bars
        self._tasks: dict[str, TaskID] = {}

    def __call__(self, step: str, done: int, total: int) -> None:
        if step not in self._tasks:
            self._tasks[step] = self._bars.add_task(step, total=total)
        self._bars.update(self._tasks[step], completed=done, total=total)


class _PlainLines:
    """A line when a step ends, and every few seconds in between."""

    def __init__(self, errors: Console) -> None:
        self._errors = errors
        self._last = time.monotonic()

    def __call__(self, step: str, done: int, total: int) -> None:
        now = time.monotonic()
        if done == total or now - self._last >= PLAIN_LINE_EVERY_S:
            self._last = now
            self._errors.print(f"{step} {done}/{total}", highlight=False)


def gate_table(results: Sequence[GateResult]) -> Table:
    """Each gate with its value, its bound, its verdict, and the worst offender of a broken one."""
    table = Table(title="Gates", title_justify="left", box=None, pad_edge=False)
    table.add_column("gate")
    table.add_column("value", justify="right")
    table.add_column("bound", justify="right")
    table.add_column("verdict")
    places = [_worst(result) for result in results]
    with_places = any(places)
    if with_places:
        table.add_column("worst", overflow="fold")
    for result, place in zip(results, places, strict=True):
        unit = unit_of(result.gate)
        cells = result.gate, amount(result.value, unit), amount(result.bound, unit)
        table.add_row(*(Text(cell) for cell in cells), _verdict(result), *([Text(place)] if with_places else []))
    return table


def _worst(result: GateResult) -> str:
    """The worst offender of a broken gate."""
    if result.passed or not result.offenders:
        return ""
    worst = result.offenders[0]
    return f"{worst.document} · {worst.place} · {size_of(result.gate, worst)}"


def gates_shown(results: Sequence[GateResult]) -> RenderableType:
    """Bounds one by one; the checks that allow nothing at all in one line, where they passed."""
    exact = [result for result in results if result.bound == 0 and result.passed]
    names = ", ".join(dict.fromkeys(result.gate.partition("[")[0] for result in exact))
    line = Text.assemble((f"{len(exact)} exact checks passed", "green"), (f": {names}", "dim"))
    return Group(gate_table([result for result in results if result not in exact]), line)


def plan(value: Plan) -> RenderableType:
    """What `tailgate build --dry-run` shows: the first of the documents of each kind."""
    lines: list[RenderableType] = [Text(value.summary)]
    lines += [Text(f"note: {problem}", style="yellow") for problem in value.problems]
    read = sorted(file.path for shard in value.files for file in shard)
    for title, paths in (("to read", read), ("gone", value.gone)):
        lines += [Text(f"  {title}: {path}") for path in paths[:SHOWN]]
        if len(paths) > SHOWN:
            lines.append(Text(f"  {title}: {len(paths) - SHOWN:,} more (all with --json)"))
    return Group(*lines, Text("Nothing was done."))


def kept(value: Kept) -> str:
    """What `tailgate maintain` shows."""
    dropped = f"; let go: {', '.join(value.dropped)}" if value.dropped else ""
    return (
        f"{len(value.releases)} releases can be read: {', '.join(value.releases) or 'none'}{dropped}; "
        f"{value.runs_removed} run folders removed."
    )


def built(drawn: Plan, release: Release | None) -> RenderableType:
    """What `tailgate build` shows when it has ended well."""
    lines: list[RenderableType] = [Text(drawn.summary)]
    lines += [Text(f"note: {problem}", style="yellow") for problem in drawn.problems]
    if release:
        lines += [Text(), gates_shown(release.gates), Text(), Text(served(release), style="green")]
    elif drawn.shards:
        lines.append(Text("Gates passed; nothing published, as asked.", style="yellow"))
    return Group(*lines)


def served(release: Release) -> str:
    """One sentence about what readers see."""
    counts = ", ".join(
        f"{int(release.metrics.get(name, 0)):,} {name}" for name in ("documents", "sentences", "parents", "children")
    )
    return f"Release {release.release_id} is served: {counts}."


def prompt(value: Prompt) -> RenderableType:
    """What `tailgate search` shows."""
    panels = [_passage(number, passage) for number, passage in enumerate(value.passages, start=1)]
    left = [Text(f"left out: {_place(item.passage)}: {item.reason}", style="yellow") for item in value.left_out]
    missing = [Text(f"missing in the store: {unit}", style="red") for unit in value.missing]
    return Group(*panels, *left, *missing, Text(prompt_line(value)))


def prompt_line(value: Prompt) -> str:
    """The sum that has to fit, in one sentence."""
    saved = (
        value.tokens_before_merge
        - sum(p.tokens for p in value.passages)
        - sum(i.passage.tokens for i in value.left_out)
    )
    return (
        f"{value.expand}: {len(value.passages)} passages, {value.tokens:,} tokens + {value.reserve_tokens:,} reserved "
        f"of {value.budget_tokens:,}; merging saved {saved:,}; release {value.release_id}"
    )


def releases(corpus: str, rows: Sequence[Release], quarantined: Sequence[QuarantineEntry]) -> RenderableType:
    """What `tailgate releases` shows."""
    if not rows:
        return Text(f"No release of {corpus} yet. Build one with `tailgate build {corpus}`.")
    current = next((row.release_id for row in rows if row.status == "published"), None)
    lines: list[RenderableType] = []
    for row in rows:
        lines += [_release_line(row, served=row.release_id == current), Padding(Text(row.run_id, style="dim"), INDENT)]
        lines += [Padding(Text(reason), INDENT) for reason in _why(row)]
    refused = [Text(f"quarantined: {entry.message}", style="yellow") for entry in quarantined]
    return Group(*lines, *([Text()] if refused else []), *refused)


def _release_line(row: Release, *, served: bool) -> Text:
    """One line that fits everywhere: which release, when, what became of it, how much it holds."""
    status, style = ("served", "bold green") if served else (row.status, "red" if row.status == "rejected" else "")
    counts = [f"{int(row.metrics[name]):,} {name}" for name in ("documents", "sentences") if name in row.metrics]
    moment = f"{row.created_at:%Y-%m-%d %H:%M}"
    return Text.assemble(f"{row.release_id}  {moment}  ", (f"{status:<12}", style), ", ".join(counts))


def _why(release: Release) -> list[str]:
    """The broken gates, each with its worst document; the release's own `reason` names more of them."""
    broken = [result for result in release.gates if result.fails]
    return [_broken(result) for result in broken] or ([release.reason] if release.reason else [])


def _broken(result: GateResult) -> str:
    unit = unit_of(result.gate)
    worst = f": {result.offenders[0].document}" if result.offenders else ""
    return f"{result.gate} {amount(result.value, unit)} (bound {amount(result.bound, unit)}){worst}"


def _passage(number: int, passage: Passage) -> Panel:
    size = f"  {passage.tokens:,} tokens"
    place = _shortened(f"{number}  {_place(passage)}", console().width - len(size) - BORDER)
    return Panel(Text(passage.text), title=Text(f"{place}{size}"), title_align="left")


def _shortened(text: str, most: int) -> str:
    """The start and the end of the text, where it is longer than there is room for."""
    if len(text) <= most:
        return text
    end = max(most // 2 - 1, 1)
    return f"{text[: max(most - end - 3, 1)]} … {text[-end:]}"


def _place(passage: Passage) -> str:
    where = " > ".join(passage.heading_path) or f"sentences {passage.first_sentence}-{passage.last_sentence}"
    return f"{passage.path} · {where}"


def _verdict(result: GateResult) -> Text:
    if result.passed:
        return Text("pass", style="green")
    return Text(result.action, style="bold red" if result.action == "fail" else "yellow")
