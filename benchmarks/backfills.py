"""Backfills a week under a running scheduler, disturbs it, and compares the index with a fresh build after each step.

    python benchmarks/backfills.py [--shots FOLDER]

Starts Airflow as `make up` does, with a made-up corpus whose documents lie in folders by day, and uses the REST
interface that the web form uses. Ends with 1 at the first step after which readers find anything but what a fresh build
would hold. With `--shots`, the form itself is filled in by a headless Chromium (pip install playwright; the system's
/usr/bin/chromium) and pages are kept as pictures.
"""

import argparse
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import httpx
import yaml

from tailgate import config, ingest
from tailgate.store import open_store
from tailgate_local import database, environment, service
from tailgate_local.environment import CHECKOUT, Home
from tailgate_local.rest import Api

NAME = "week"
DAG = f"tailgate_{NAME}"
TODAY = datetime.now(UTC).replace(hour=2, minute=0, second=0, microsecond=0)
DAYS = [TODAY - timedelta(days=back) for back in range(8, 1, -1)]
"""The starts of seven intervals that have ended."""
KILLED = {"shape", "check_shape", "embed", "load", "check_index"}
HISTORY = ("run_id", "indexed_at", "uri")
ENDED = {"success", "failed"}
BROWSER = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update"]


@dataclass(frozen=True)
class Week:
    """The corpus, where its documents lie, and the service that indexes them."""

    folder: Path
    api: Api

    def write(self, day: int, name: str, text: str) -> None:
        """The document is in the folder of the day."""
        file = self.folder / "documents" / f"{DAYS[day]:%Y-%m-%d}" / f"{name}.txt"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)

    def backfill(self, behaviour: str) -> dict[str, str]:
        """States by run id of the backfill's runs, when it has ended."""
        body = {
            "dag_id": DAG,
            "from_date": DAYS[0].isoformat(),
            "to_date": (DAYS[-1] + timedelta(minutes=1)).isoformat(),
            "reprocess_behavior": behaviour,
            "max_active_runs": 2,
        }
        made = self._created(body)
        self.wait(lambda: self.api.call("GET", f"backfills/{made}")["completed_at"] is not None)
        return {run: state for run, state in self.runs().items() if run.startswith("backfill")}

    def _created(self, body: dict[str, Any]) -> int:
        """The id of the new backfill. SQLite has one writer: while a run writes, Airflow answers 503."""
        while True:
            try:
                return int(self.api.call("POST", "backfills", body)["id"])
            except httpx.HTTPStatusError as error:
                if error.response.status_code != 503:
                    raise
                time.sleep(5)

    def runs(self) -> dict[str, str]:
        """The state of every run by its id."""
        rows = self.api.call("GET", f"dags/{DAG}/dagRuns?limit=100")["dag_runs"]
        return {row["dag_run_id"]: row["state"] for row in rows}

    def wait(self, done: Callable[[], bool], seconds: float = 900) -> None:
        """It is done, or too late."""
        end = time.monotonic() + seconds
        while not done():
            if time.monotonic() > end:
                raise TimeoutError(f"still waiting: {self.runs()}")
            time.sleep(2)

    def settle(self) -> dict[str, str]:
        """The states of all runs, none of which goes on."""
        self.wait(lambda: set(self.runs().values()) <= ENDED)
        return self.runs()

    def trigger(self, **conf: Any) -> str:
        """The id of a new manual run."""
        return str(self.api.call("POST", f"dags/{DAG}/dagRuns", {"logical_date": None, "conf": conf})["dag_run_id"])


def main() -> None:
    """Prints one line a step."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--shots", type=Path)
    asked = parser.parse_args()
    folder = CHECKOUT / "data" / "week-of-backfills"
    shutil.rmtree(folder, ignore_errors=True)
    file = _corpus(folder)
    home = Home()
    database.prepare(home, print)
    started = service.running(home) or service.start(home)
    try:
        if not service.wait_until_healthy(home, started, lambda states: None):
            raise SystemExit("Airflow did not start")
        week = Week(folder, Api(home, started))
        _steps(week, file)
        if asked.shots:
            _pictures(home, started, asked.shots)
    finally:
        service.stop(home, started)
        file.unlink()


def _corpus(folder: Path) -> Path:
    """The corpus file; seven days of two documents lie in their folders."""
    tree = {
        "name": NAME,
        "source": {"uri": f"{folder}/documents/{{date}}", "dated": "path"},
        "schedule": "0 2 * * *",
        "embed": {"model": "hashing:64"},
        "store": {"uri": str(folder / "store")},
    }
    file = CHECKOUT / "include" / "corpora" / f"{NAME}.yaml"
    file.write_text(yaml.safe_dump(tree))
    for day, _ in enumerate(DAYS):
        for name in ("first", "second"):
            Week.write(
                Week(folder, None), day, name, f"The {name} note of day {day}. It was a quiet day. Nobody called."
            )  # type: ignore[arg-type]
    return file


def _steps(week: Week, file: Path) -> None:
    week.wait(lambda: DAG in {dag["dag_id"] for dag in week.api.call("GET", "dags?limit=100")["dags"]})
    week.wait(lambda: bool(week.runs()))
    _say("the latest interval ran by itself", week.settle())
    _say("backfill of the week, reprocess none", week.backfill("none"))
    _same(week, file)
    one = min(run for run in week.runs() if run.startswith("backfill"))
    week.write(0, "first", "The first note of day 0 was written again. It has changed.")
    week.api.call("PATCH", f"dags/{DAG}/dagRuns/{one}", {"state": "failed"})
    _say("a run marked failed by hand, then reprocess failed", week.backfill("failed"))
    _same(week, file)
    week.write(3, "second", "The second note of day 3 was written again.")
    week.write(5, "third", "A third note came late to day 5.")
    _say("documents changed, then reprocess completed", week.backfill("completed"))
    _same(week, file)
    _overlap(week, file)
    _clear(week, file, one)
    _kill(week, file)


def _overlap(week: Week, file: Path) -> None:
    week.write(1, "first", "Day 1 changed while two runs were at work.")
    week.write(6, "first", "Day 6 changed, too.")
    whole, part = week.trigger(full=True), week.trigger(documents=["**/first.txt"])
    states = week.settle()
    _say("two overlapping runs", {run: states[run] for run in (whole, part)})
    _same(week, file)


def _clear(week: Week, file: Path, run: str) -> None:
    body = {"dag_run_id": run, "task_ids": ["load"], "dry_run": False, "include_downstream": True, "only_failed": False}
    week.api.call("POST", f"dags/{DAG}/clearTaskInstances", body)
    _say("a cleared `load` of an old run, and all after it", {run: week.settle()[run]})
    _same(week, file)


def _kill(week: Week, file: Path) -> None:
    week.write(2, "second", "Day 2 changed before a worker was killed.")
    run = week.trigger(full=True)
    killed: list[int] = []

    def caught() -> bool:
        at_work = subprocess.run(["pgrep", "-f", "airflow worker -- [0-9a-f]{8}-"], capture_output=True, text=True)
        tasks = week.api.tasks(DAG, run)
        if any(task["state"] == "running" and task["task_id"] in KILLED for task in tasks):
            killed.extend(int(pid) for pid in at_work.stdout.split())
        return bool(killed) or week.runs()[run] in ENDED

    week.wait(caught)
    for pid in killed:
        os.kill(pid, signal.SIGKILL)
    _say(f"workers killed: {len(killed)}", {run: week.settle()[run]})
    if week.runs()[run] == "failed":
        _say("the run after it", {"next": week.settle()[week.trigger(full=True)]})
    _same(week, file)


def _same(week: Week, file: Path) -> None:
    """Readers find what a fresh build would hold."""
    settings = config.load(file)
    fresh = week.folder / "fresh.yaml"
    store = {"uri": str(week.folder / "fresh")}
    fresh.write_text(yaml.safe_dump(yaml.safe_load(file.read_text()) | {"store": store}))
    shutil.rmtree(week.folder / "fresh", ignore_errors=True)
    ingest.build(str(fresh), scope=ingest.Scope(full=True))
    if _rows(settings) != _rows(config.load(fresh)):
        raise SystemExit("WRONG: readers do not find what a fresh build would hold")
    _say("  readers find what a fresh build would hold", {})


def _rows(corpus: config.Corpus) -> list[list[dict[str, Any]]]:
    store = open_store(corpus)
    snapshot = store.snapshot(store.release())
    tables = [snapshot.arrow(name) for name in ("documents", "parents", "sentences", "children")]
    kept = [table.drop_columns([name for name in HISTORY if name in table.column_names]) for table in tables]
    return [sorted(table.to_pylist(), key=str) for table in kept]


def _pictures(home: Home, started: service.Service, folder: Path) -> None:
    """The form is filled in and sent by a browser; each page on the way is a picture in the folder."""
    from playwright.sync_api import sync_playwright

    folder.mkdir(parents=True, exist_ok=True)
    url = home.url(started.ports)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=BROWSER)
        page = browser.new_page(viewport={"width": 1280, "height": 1000})
        page.goto(url)
        page.fill("input[name=username]", environment.USER)
        page.fill("input[name=password]", environment.password(home))
        page.keyboard.press("Enter")
        page.wait_for_timeout(4000)
        page.goto(f"{url}/dags/{DAG}")
        page.wait_for_timeout(3000)
        page.screenshot(path=folder / "dag.png")
        page.get_by_role("button", name="Trigger").first.click()
        page.wait_for_timeout(1500)
        page.get_by_text("Backfill", exact=True).last.click()
        for day in (DAYS[0], DAYS[-1] + timedelta(minutes=1)):
            page.get_by_text("Select date and time").first.click()
            page.get_by_placeholder("YYYY/MM/DD").fill(f"{day:%Y/%m/%d}")
            page.get_by_placeholder("HH:mm").fill(f"{day:%H:%M}")
            page.get_by_text("Date Range").click()
            page.wait_for_timeout(500)
        page.get_by_text("All Runs", exact=True).click()
        page.wait_for_timeout(2500)
        page.screenshot(path=folder / "backfill-form.png")
        page.get_by_role("button", name="Run Backfill").click()
        page.wait_for_timeout(8000)
        page.screenshot(path=folder / "backfill-running.png")
        page.goto(f"{url}/dags/{DAG}/backfills")
        page.wait_for_timeout(3000)
        page.screenshot(path=folder / "backfills.png")
        browser.close()


def _say(what: str, states: dict[str, str]) -> None:
    counted = ", ".join(f"{list(states.values()).count(state)} {state}" for state in sorted(set(states.values())))
    print(f"{datetime.now(UTC):%H:%M:%S}  {what}{': ' if counted else ''}{counted}", flush=True)


if __name__ == "__main__":
    sys.exit(main())
