"""The Dag for real, in this process: a good night, a night without changes, and a bad night."""

import json
from pathlib import Path
from typing import Any

import pytest

from tailgate.config import load
from tailgate.store import open_store

DAG_FILE = Path(__file__).resolve().parents[2] / "dags" / "tailgate_reindex.py"
CORPUS = """
name: calls
source: {uri: documents}
embed: {model: hashing}
store: {uri: store}
"""
CALL = """Agent: Thank you for calling. How can I help you today?
Customer: My parcel has not arrived. It was due on Monday.
Agent: I am sorry about that. Could you read me the number on your receipt?
Customer: It is four four seven one. I would like a refund if it is lost.
Agent: Refunds take five working days. You will get a message when it is on its way.
"""


@pytest.fixture(scope="module")
def database() -> None:
    from airflow.utils.db import initdb

    initdb()


def night(dag_id: str) -> tuple[str, dict[str, str], dict[str, int]]:
    """The state of one run, the state of each of its tasks, and how often each was tried."""
    from airflow.dag_processing.dagbag import DagBag

    run = DagBag(dag_folder=str(DAG_FILE)).dags[dag_id].test()
    tasks = run.get_task_instances()
    return str(run.state), {t.task_id: str(t.state) for t in tasks}, {t.task_id: t.try_number for t in tasks}


def alerts(folder: Path) -> list[dict[str, Any]]:
    file = folder / "alerts.jsonl"
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()] if file.exists() else []


@pytest.mark.usefixtures("database")
def test_good_night_publishes_and_a_bad_one_alerts_and_changes_nothing(root: Path) -> None:
    (root / "include" / "corpora" / "calls.yaml").write_text(CORPUS, encoding="utf-8")
    documents = root / "documents"
    documents.mkdir()
    for number in range(3):
        (documents / f"call-{number}.txt").write_text(CALL.replace("Monday", f"day {number}"), encoding="utf-8")
    store = open_store(load("calls"))

    state, tasks, _ = night("tailgate_calls")
    assert (state, set(tasks.values())) == ("success", {"success"})
    published = store.latest()
    assert published is not None
    assert store.snapshot(published).count("documents") == 3

    state, tasks, _ = night("tailgate_calls")
    assert state == "success"
    assert tasks.pop("plan") == "success"
    assert set(tasks.values()) == {"skipped"}
    assert alerts(root / "store" / "calls") == []

    (documents / "unpunctuated.txt").write_text("so we went on and on about it " * 2000, encoding="utf-8")
    state, tasks, tries = night("tailgate_calls")
    assert (state, tasks["check_shape"], tasks["publish"]) == ("failed", "failed", "upstream_failed")
    assert tries["check_shape"] == 1
    assert store.latest() == published
    [alert] = alerts(root / "store" / "calls")
    assert "unpunctuated.txt" in json.dumps(alert)
