"""The class of an error decides whether its task is tried again."""

import textwrap
from pathlib import Path
from typing import Any

import pytest

from tailgate import errors

DAG_FILE = Path(__file__).resolve().parents[2] / "dags" / "tailgate_reindex.py"


@pytest.fixture
def policies(root: Path) -> list[Any]:
    """The retry policy of every task, as a task's process reads it."""
    from airflow.dag_processing.dagbag import DagBag
    from airflow.sdk import ExceptionRetryPolicy

    corpus = "name: calls\nsource: {uri: documents}\n"
    (root / "include" / "corpora" / "calls.yaml").write_text(textwrap.dedent(corpus), encoding="utf-8")
    dag = DagBag(dag_folder=str(DAG_FILE)).dags["tailgate_calls"]
    return [ExceptionRetryPolicy.deserialize(task.retry_policy.serialize()) for task in dag.tasks]


@pytest.mark.parametrize(
    ("error", "action"),
    [
        (errors.GateFailed("calls", "shape", ("sentence_tokens_p95 is 300, the bound is 120",)), "fail"),
        (errors.PublishConflict("calls", 3), "fail"),
        (errors.EmptyCorpus("documents", 0), "fail"),
        (errors.ConfigError("calls.yaml", "unknown key"), "fail"),
        (errors.ModelUnavailable("model", "not here", "Get it."), "fail"),
        (errors.SourceUnreachable("documents", "time-out"), "retry"),
        (errors.StoreConflict("sentences", "another run wrote to it"), "retry"),
        (errors.StoreUnreachable("data", "disk full"), "retry"),
        (MemoryError(), "default"),
    ],
)
def test_error_class_decides_whether_a_task_is_tried_again(policies: list[Any], error: Exception, action: str) -> None:
    decisions = {policy.evaluate(error, try_number=1, max_tries=2).action.value for policy in policies}
    assert decisions == {action}


def test_wait_before_another_try_grows(root: Path) -> None:
    from airflow.dag_processing.dagbag import DagBag

    (root / "include" / "corpora" / "calls.yaml").write_text("name: calls\nsource: {uri: d}\n", encoding="utf-8")
    for task in DagBag(dag_folder=str(DAG_FILE)).dags["tailgate_calls"].tasks:
        assert task.retry_exponential_backoff > 1
        assert task.retry_delay < task.max_retry_delay
