"""The two demonstrations: a good night (`run`) and a bad one (`bad-night`), by the sample corpus's own Dag."""

import json
import shutil
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rich.console import Console, Group, RenderableType
from rich.text import Text

from tailgate import config
from tailgate.config import Corpus
from tailgate.models import Prompt, Release
from tailgate_local import runs, screen
from tailgate_local.environment import Home
from tailgate_local.runs import Outcome

CORPUS = "sample"
DAG_ID = f"tailgate_{CORPUS}"
QUESTION = "How long does a refund take?"
BAD_FILES = "include/samples-bad-night"
BAD_FOLDER = "bad-night"

AFTER_RUN = (
    ("make up", "Airflow's own web interface on the same data"),
    ("make bad-night", "two bad documents arrive: see the gate and the alert"),
    (f'.venv/bin/tailgate search {CORPUS} "…"', "ask something else; --expand none|window|parent"),
    (".venv/bin/tailgate --help", "everything else"),
    (".venv/bin/tailgate check FOLDER", "would your own documents pass? Nothing is stored"),
    (
        "cp include/corpora/sample.yaml include/corpora/my.yaml",
        "your own corpus: change `name` and `source.uri` in it,",
    ),
    (".venv/bin/tailgate build my", "then build it (or `make up`: it has a Dag of its own)"),
)
AFTER_BAD_NIGHT = (
    (f".venv/bin/tailgate releases {CORPUS}", "the rejected release with its reason, and the one that is served"),
    ("make run", "the next night, without the two files"),
    ("make up", "Airflow's own web interface: the failed run is there too"),
)


def run(home: Home) -> int:
    """The sample corpus's Dag has run and its result is on the screen; 0 if the run succeeded."""
    began = time.monotonic()
    corpus = config.load(CORPUS)
    _remove_bad_files(corpus)
    with screen.quiet(home.run_log) as console:
        outcome = _night(home, console)
        if outcome.succeeded:
            console.print()
            console.print(_result(corpus, outcome))
            console.print()
            window, parent = (_search(corpus, expand) for expand in ("window", "parent"))
            console.print(screen.answers(QUESTION, window, parent))
            console.print()
            console.print(screen.next_steps(AFTER_RUN))
        else:
            _say_why(home, console)
        console.print(f"\n{time.monotonic() - began:.0f} seconds in all")
    return 0 if outcome.succeeded else 1


def bad_night(home: Home) -> int:
    """The Dag has failed at its gate; the alert and a search are on the screen; 0 if all of that went as it should."""
    began = time.monotonic()
    corpus = config.load(CORPUS)
    _remove_bad_files(corpus)
    with screen.quiet(home.run_log) as console:
        before = _served(corpus)
        if before is None:
            console.print("Nothing is published yet: a good night first.")
            if not _night(home, console).succeeded:
                _say_why(home, console)
                return 1
            before = _served(corpus)
        shown = len(_alerts(corpus))
        try:
            _add_bad_files(corpus, console)
            outcome = _night(home, console)
        finally:
            _remove_bad_files(corpus)
        ok = _show_bad_night(corpus, console, outcome, before, _alerts(corpus)[shown:])
        console.print(f"\n{time.monotonic() - began:.0f} seconds in all")
    return 0 if ok else 1


def _night(home: Home, console: Console) -> Outcome:
    corpus = config.load(CORPUS)
    console.print(Text(f"Dag {DAG_ID}: {corpus.source.uri} → {corpus.store.uri}/{corpus.name}", style="bold"))
    return runs.run_dag(
        home, DAG_ID, lambda text: screen.line(console, text), lambda ended: screen.step(console, ended)
    )


def _result(corpus: Corpus, outcome: Outcome) -> RenderableType:
    from tailgate.store import open_store

    store = open_store(corpus)
    served = store.release()
    fresh = served.run_id == outcome.run_id
    shown = screen.release(corpus.name, served, store.quarantined(), fresh=fresh)
    if fresh:
        return shown
    return Group(Text("Nothing has changed in the source since the last release; it stays.\n", style="yellow"), shown)


def _search(corpus: Corpus, expand: str) -> Prompt:
    from tailgate.search import search

    return search(corpus, QUESTION, expand=expand)


def _served(corpus: Corpus) -> Release | None:
    from tailgate.store import open_store

    return open_store(corpus).latest()


def _say_why(home: Home, console: Console) -> None:
    alerts = _alerts(config.load(CORPUS))
    if alerts:
        console.print(screen.alert(alerts[-1]["text"], _journal(config.load(CORPUS))))
    console.print(f"The run failed. Everything that Airflow printed is in {_from_here(home.run_log)}.", style="red")


def _show_bad_night(
    corpus: Corpus, console: Console, outcome: Outcome, before: Release | None, new: Sequence[dict[str, Any]]
) -> bool:
    """What failed, the alert as it was written, and what readers still get; whether all of that is as it should be."""
    after = _served(corpus)
    failed = outcome.state == "failed"
    console.print()
    for alert in new:
        console.print(screen.alert(alert["text"], f"the last line of {_journal(corpus)}"))
    kept = after is not None and before is not None and after.release_id == before.release_id
    prompt = _search(corpus, "window")
    served = "the same as before the bad night" if kept else "NOT the one from before the bad night"
    console.print(f"\nMeanwhile a search is answered from release {prompt.release_id}, {served}:\n")
    console.print(screen.answer(QUESTION, prompt))
    expected = {
        "the run failed": failed,
        "one alert": len(new) == 1,
        "same release": kept,
        "answer": bool(prompt.passages),
    }
    missing = [name for name, as_it_should in expected.items() if not as_it_should]
    console.print()
    if missing:
        console.print(f"This should not happen; not as expected: {', '.join(missing)}.", style="bold red")
    console.print(screen.next_steps(AFTER_BAD_NIGHT))
    return not missing


def _alerts(corpus: Corpus) -> list[dict[str, Any]]:
    journal = Path(corpus.folder) / "alerts.jsonl"
    lines = journal.read_text(encoding="utf-8").splitlines() if journal.exists() else []
    return [json.loads(line) for line in lines]


def _journal(corpus: Corpus) -> str:
    return _from_here(Path(corpus.folder) / "alerts.jsonl")


def _add_bad_files(corpus: Corpus, console: Console) -> None:
    """The files of the bad night lie in the sample corpus's source."""
    target = Path(corpus.source_uri) / BAD_FOLDER
    shutil.copytree(config.root() / BAD_FILES, target)
    arrived = ", ".join(sorted(file.name for file in target.iterdir()))
    console.print(f"Overnight, {arrived} arrived in {_from_here(target)}.", style="yellow")


def _remove_bad_files(corpus: Corpus) -> None:
    shutil.rmtree(Path(corpus.source_uri) / BAD_FOLDER, ignore_errors=True)


def _from_here(path: Path) -> str:
    return str(path.relative_to(Path.cwd())) if path.is_relative_to(Path.cwd()) else str(path)
