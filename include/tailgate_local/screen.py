"""What a person sees of a demonstration run: short lines while it works, tables when it has ended."""

import os
import sys
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from pathlib import Path

from rich.console import Console, Group, RenderableType
from rich.panel import Panel
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from tailgate import render
from tailgate.models import Passage, Prompt, QuarantineEntry, Release
from tailgate_local.runs import Step

WIDTH = 120
EXCERPT = 560
PLACE = 80
MARKS = {"success": ("✓", "green"), "failed": ("✗", "bold red"), "retry": ("↻", "yellow")}


@contextmanager
def quiet(log: Path) -> Generator[Console]:
    """Everything that Airflow and the libraries print goes to the log; only the console yielded here reaches people."""
    log.parent.mkdir(parents=True, exist_ok=True)
    sys.stdout.flush()
    sys.stderr.flush()
    terminal = sys.stdout.isatty()
    saved = os.dup(1), os.dup(2)
    with os.fdopen(os.dup(1), "w", encoding="utf-8") as people, log.open("wb") as file:
        console = Console(file=people, force_terminal=terminal, width=None if terminal else WIDTH, highlight=False)
        os.dup2(file.fileno(), 1)
        os.dup2(file.fileno(), 2)
        try:
            yield console
        finally:
            sys.stdout.flush()
            sys.stderr.flush()
            for number, descriptor in enumerate(saved, start=1):
                os.dup2(descriptor, number)
                os.close(descriptor)


def line(console: Console, text: str) -> None:
    """One plain line, written at once."""
    console.print(Text(f"  {text}", style="dim"))
    console.file.flush()


def step(console: Console, ended: Step) -> None:
    """One task that has ended."""
    mark, style = MARKS.get(ended.state, ("·", "dim"))
    took = "" if ended.state in {"skipped", "upstream_failed"} else f"{ended.seconds:6.1f} s"
    note = "" if ended.state in {"success", "failed"} else ended.state.replace("_", " ")
    console.print(Text.assemble("  ", (mark, style), f" {ended.name:<14}{took}  ", (note, "dim")))
    console.file.flush()


def release(corpus: str, served: Release, quarantined: Sequence[QuarantineEntry], *, fresh: bool) -> RenderableType:
    """What was built, what each gate saw, and what readers now get; where it is not `fresh`, it says when that was."""
    when = "" if fresh else f"when {served.release_id} was made"
    refused = [Text(f"quarantined: {entry.message}", style="yellow") for entry in quarantined]
    newest = f"readers of `{corpus}` get release {served.release_id}, made {served.created_at:%Y-%m-%d %H:%M} UTC"
    return Group(
        _units(served, when),
        Text(),
        render.gates_shown(served.gates),
        Text(),
        *refused,
        Text(newest, style="bold green"),
    )


def answers(question: str, window: Prompt, parent: Prompt) -> RenderableType:
    """One question answered by both designs: what each would send, and what that costs."""
    table = Table(title=f"“{question}”", title_justify="left", title_style="bold", expand=True, show_lines=True)
    table.add_column("sentence window", ratio=1)
    table.add_column("parent document", ratio=1)
    table.add_row(_cost(window), _cost(parent))
    table.add_row(*(_first(prompt) for prompt in (window, parent)))
    return table


def answer(question: str, prompt: Prompt) -> RenderableType:
    """What one design would send, shortened."""
    return Panel(Group(_cost(prompt), Text(), _first(prompt)), title=f"“{question}”", title_align="left")


def alert(text: str, where: str) -> RenderableType:
    """An alert as it was written."""
    return Panel(Text(text), title="the alert", title_align="left", subtitle=where, border_style="red")


def next_steps(commands: Sequence[tuple[str, str]]) -> RenderableType:
    """What to type next."""
    table = Table(box=None, show_header=False, pad_edge=False)
    table.add_column(no_wrap=True, style="bold cyan")
    table.add_column()
    for command, why in commands:
        table.add_row(command, why)
    return Group(Rule("next", align="left", style="dim"), table)


def _units(served: Release, when: str) -> Table:
    numbers = served.metrics
    table = Table(title="Built", title_justify="left", box=None, pad_edge=False, show_header=False)
    table.add_column()
    table.add_column(justify="right")
    table.add_column(style="dim")
    table.add_row("documents", _count(numbers, "documents"), f"{_count(numbers, 'tokens')} tokens")
    table.add_row("sentences", _count(numbers, "sentences"), "each with the window around it")
    origins = [name.removeprefix("parents_") for name in numbers if name.startswith("parents_")]
    by_origin = ", ".join(f"{_count(numbers, f'parents_{origin}')} {origin}" for origin in origins)
    table.add_row("parents", _count(numbers, "parents"), by_origin)
    table.add_row("children", _count(numbers, "children"), "the small chunks that find a parent")
    different = f"of {_count(numbers, 'texts')} different texts that were new or changed"
    table.add_row("embedded", _count(numbers, "embedded"), f"{different} {when}")
    return table


def _cost(prompt: Prompt) -> Text:
    room = prompt.budget_tokens - prompt.reserve_tokens
    share = prompt.tokens / room
    style = "green" if share < 0.5 else "yellow"
    passages = f"{len(prompt.passages)} passage{'s' if len(prompt.passages) != 1 else ''}"
    lines = [
        f"{prompt.tokens:,} tokens in {passages}: {share:.0%} of the {room:,} that there is room for",
        f"{prompt.tokens_before_merge:,} before merging; left out: {len(prompt.left_out) or 'nothing'}",
    ]
    return Text.assemble((lines[0], style), "\n", (lines[1], "dim"))


def _first(prompt: Prompt) -> RenderableType:
    if not prompt.passages:
        return Text("no passage", style="yellow")
    best = prompt.passages[0]
    more = len(best.text) - EXCERPT
    shown = best.text if more <= 0 else best.text[:EXCERPT].rsplit(" ", 1)[0] + " …"
    return Group(Text(f"{_place(best)} · {best.tokens:,} tokens", style="bold"), Text(shown))


def _place(passage: Passage) -> str:
    where = " > ".join(passage.heading_path) or f"sentences {passage.first_sentence} to {passage.last_sentence}"
    return f"{passage.path} · {where if len(where) <= PLACE else where[:PLACE] + ' …'}"


def _count(numbers: dict[str, float], name: str) -> str:
    return f"{int(numbers.get(name, 0)):,}"
