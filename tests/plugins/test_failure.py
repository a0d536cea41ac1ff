from types import SimpleNamespace

import pytest

from tailgate.errors import GateFailed, SourceUnreachable
from tailgate_console.failure import KILLED, failure_of


def test_task_callback_tells_run_task_and_error():
    task = SimpleNamespace(task_id="plan", run_id="r1", log_url="http://127.0.0.1/log")
    seen = failure_of({"run_id": "r1", "ti": task, "exception": SourceUnreachable("/in", "it is away")})
    assert (seen.run_id, seen.task, seen.by_gate, seen.log_url) == ("r1", "plan", False, "http://127.0.0.1/log")
    assert seen.error.startswith("Source /in cannot be read: it is away.")


def test_gate_failure_is_known_as_one():
    task = SimpleNamespace(task_id="check_shape")
    assert failure_of({"run_id": "r", "ti": task, "exception": GateFailed("calls", "shape", ("x",))}).by_gate


def test_foreign_error_is_named_with_its_class_on_one_line():
    assert failure_of({"exception": ValueError("bad\n  thing")}).error == "ValueError: bad thing"
    assert failure_of({"exception": KeyError()}).error == "KeyError"


@pytest.mark.parametrize(("task", "by_gate"), [("check_shape", True), ("check_index", True), ("embed", False)])
def test_killed_task_leaves_no_error_and_perhaps_a_report(task, by_gate):
    seen = failure_of({"run_id": "r", "ti": SimpleNamespace(task_id=task), "exception": None})
    assert (seen.error, seen.by_gate) == (KILLED, by_gate)


def test_runs_callback_tells_airflows_reason():
    seen = failure_of({"run_id": "r", "reason": "timed_out", "dag": object()})
    assert (seen.task, seen.error) == ("run", "Airflow's reason: timed_out.")


def test_deadline_knows_the_run_as_a_mapping():
    seen = failure_of({"dag_run": {"dag_run_id": "r9"}, "deadline": {"deadline_time": "2026-12-01T03:00:00Z"}})
    assert seen.run_id == "r9"
    assert seen.error == "The run was not finished at its deadline: 2026-12-01T03:00:00Z."


def test_empty_context_is_still_a_failure():
    seen = failure_of({})
    assert (seen.run_id, seen.task, seen.error) == ("unknown", "run", KILLED)
