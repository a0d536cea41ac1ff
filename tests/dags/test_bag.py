"""What the factory makes of corpus files: the shape of each Dag, told without running one."""

import json
import os
import subprocess
import sys
import textwrap
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
DAG_FILE = ROOT / "dags" / "tailgate_reindex.py"
HEAVY = {"torch", "lancedb", "pandas", "pyarrow", "great_expectations", "sentence_transformers", "unstructured"}
GOOD = """
    name: {name}
    source: {{uri: documents, dated: modified}}
    schedule: "0 2 * * *"
    embed: {{model: hashing}}
"""


def write(root: Path, stem: str, text: str) -> None:
    (root / "include" / "corpora" / f"{stem}.yaml").write_text(textwrap.dedent(text), encoding="utf-8")


def bag() -> Any:
    from airflow.dag_processing.dagbag import DagBag

    return DagBag(dag_folder=str(DAG_FILE))


@pytest.fixture
def dag(root: Path) -> Any:
    write(root, "calls", GOOD.format(name="calls"))
    return bag().dags["tailgate_calls"]


def test_loading_the_dags_imports_nothing_heavy(root: Path) -> None:
    write(root, "calls", GOOD.format(name="calls"))
    program = f"""
        import json, sys
        from airflow.dag_processing.dagbag import DagBag
        bag = DagBag(dag_folder={str(ROOT / "dags")!r})
        print(json.dumps([sorted(bag.dags), bag.import_errors, sorted({HEAVY!r} & set(sys.modules))]))
    """
    path = os.pathsep.join([str(ROOT / "plugins"), os.environ.get("PYTHONPATH", "")])
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(program)],
        env=os.environ | {"PYTHONPATH": path},
        capture_output=True,
        text=True,
        check=True,
    )
    assert json.loads(done.stdout.splitlines()[-1]) == [["tailgate_calls"], {}, []]


def test_tasks_run_in_the_order_of_the_write_path(dag: Any) -> None:
    order = ["plan", "shape", "check_shape", "embed", "load", "check_index", "publish", "maintain"]
    assert [task.task_id for task in dag.topological_sort()] == order


def test_publish_is_downstream_of_every_gate_and_runs_only_after_success(dag: Any) -> None:
    publish = dag.get_task("publish")
    upstream = publish.get_flat_relatives(upstream=True)
    assert {"check_shape", "check_index"} <= {task.task_id for task in upstream}
    assert {task.task_id for task in upstream} == set(dag.task_ids) - {"publish", "maintain"}
    assert {task.trigger_rule.value for task in [publish, *upstream]} == {"all_success"}


def test_every_task_has_retries_a_timeout_an_owner_and_an_alert(dag: Any) -> None:
    from tailgate_console.notifier import TailgateNotifier

    assert any(isinstance(callback, TailgateNotifier) for callback in dag.on_failure_callback)
    for task in dag.tasks:
        assert task.retries >= 1
        assert task.retry_policy is not None
        assert task.execution_timeout > timedelta(0)
        assert task.owner == "tailgate"
        assert any(isinstance(callback, TailgateNotifier) for callback in task.on_failure_callback)


def test_backfill_and_nightly_runs_have_an_interval_of_a_day(dag: Any) -> None:
    import pendulum
    from airflow.serialization.serialized_objects import DagSerialization

    served = DagSerialization.deserialize_dag(DagSerialization.serialize_dag(dag))
    assert served.timetable.can_be_scheduled
    assert not dag.catchup
    assert dag.max_active_runs == 1
    days = pendulum.datetime(2026, 11, 20), pendulum.datetime(2026, 11, 22, 23, 59)
    intervals = [info.data_interval for info in served.iter_dagrun_infos_between(*days)]
    assert [interval.end - interval.start for interval in intervals] == [timedelta(days=1)] * 3


@pytest.mark.parametrize(
    ("param", "good", "bad"),
    [
        (
            "start",
            [None, "2026-11-30T02:00:00Z", "2026-11-30T02:00:00+01:00"],
            ["yesterday", 3, "2026-13-30T02:00:00Z"],
        ),
        ("end", [None, "2026-11-30T02:00:00Z"], ["", "30.11.2026"]),
        ("full", [True, False], ["yes", None, 1]),
        ("documents", [None, [], ["a.txt", "calls/**/*.txt"]], ["a.txt", [""], [1], ["/data/a.txt"], [" a.txt"]]),
    ],
)
def test_the_trigger_form_refuses_what_cannot_be_meant(dag: Any, param: str, good: list[Any], bad: list[Any]) -> None:
    from airflow.sdk.exceptions import ParamValidationError

    held = dag.params.get_param(param)
    assert [held.resolve(value) for value in good] == good
    for value in bad:
        with pytest.raises(ParamValidationError):
            held.resolve(value)


def test_corpus_without_a_schedule_is_triggered_only(root: Path) -> None:
    write(root, "calls", "name: calls\nsource: {uri: documents}\n")
    assert not bag().dags["tailgate_calls"].timetable.can_be_scheduled


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('name: other\nsource: {uri: documents}\nscheduel: "0 2 * * *"\n', "nearest known one is `schedule`"),
        ('name: other\nsource: {uri: documents}\nschedule: "99 2 * * *"\n', "`schedule`"),
        ("name: calls\nsource: {uri: documents}\n", "other.yaml: it says `name: calls`"),
        ("name: [", "cannot be read as YAML"),
    ],
)
def test_corpus_file_with_a_mistake_shows_it_and_leaves_the_others(root: Path, text: str, said: str) -> None:
    from tailgate.errors import ConfigError

    write(root, "calls", GOOD.format(name="calls"))
    write(root, "other", text)
    loaded = bag()
    assert loaded.import_errors == {}
    assert sorted(loaded.dags) == ["tailgate_calls", "tailgate_other"]
    wrong = loaded.dags["tailgate_other"]
    assert said in wrong.doc_md
    with pytest.raises(ConfigError, match="other.yaml"):
        wrong.tasks[0].python_callable()


def test_two_loads_serialise_identically(root: Path) -> None:
    from airflow.models.serialized_dag import SerializedDagModel
    from airflow.serialization.serialized_objects import DagSerialization

    write(root, "calls", GOOD.format(name="calls"))
    write(root, "other", "name: other\n")
    loads = [
        {name: SerializedDagModel.hash(DagSerialization.to_dict(dag)) for name, dag in bag().dags.items()}
        for _ in range(2)
    ]
    assert loads[0] == loads[1]


def test_core_has_one_import_name() -> None:
    sources = [*ROOT.glob("dags/**/*.py"), *ROOT.glob("plugins/**/*.py"), *ROOT.glob("include/**/*.py")]
    assert not [file for file in sources if "include.tailgate" in file.read_text(encoding="utf-8")]


def test_what_one_run_is_given_stays_out_of_other_dags(root: Path) -> None:
    write(root, "calls", GOOD.format(name="calls"))
    write(root, "mail", GOOD.format(name="mail"))
    dags = bag().dags
    dags["tailgate_calls"].params["start"] = "2026-11-30T00:00:00Z"
    assert dags["tailgate_mail"].params["start"] is None
    assert bag().dags["tailgate_calls"].params["start"] is None
