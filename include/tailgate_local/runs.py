"""One run of a Dag: in this process, or by the running service where there is one."""

import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tailgate.errors import ConfigError
from tailgate_local import database, service
from tailgate_local.environment import Home
from tailgate_local.rest import Api

if TYPE_CHECKING:
    from airflow.sdk import DAG

ENDED = frozenset({"success", "failed", "skipped", "upstream_failed", "removed"})


@dataclass(frozen=True, slots=True)
class Step:
    """One task instance that has ended."""

    name: str
    state: str
    seconds: float


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a run ended."""

    run_id: str
    state: str

    @property
    def succeeded(self) -> bool:
        return self.state == "success"


Seen = Callable[[Step], None]


def run_dag(home: Home, dag_id: str, say: Callable[[str], None], seen: Seen) -> Outcome:
    """The Dag has run once; `seen` was told each task as it ended.

    Where the service runs, it runs the Dag: two schedulers must not work on one run. Raises ConfigError where there is
    no such Dag.
    """
    serving = service.running(home)
    if serving:
        say(f"Airflow serves at {home.url(serving.ports)} and runs the Dag")
        return _there(Api(home, serving), dag_id, seen)
    say("starting Airflow in this process (10 to 20 seconds)")
    return _here(home, dag_id, say, seen)


def _there(api: Api, dag_id: str, seen: Seen) -> Outcome:
    run_id, told = api.trigger(dag_id), set[tuple[str, int]]()
    while True:
        state = api.state(dag_id, run_id)
        for task in api.tasks(dag_id, run_id):
            key = (str(task["task_id"]), int(task["map_index"]))
            if task["state"] in ENDED and key not in told:
                told.add(key)
                seen(Step(_label(*key), str(task["state"]), float(task["duration"] or 0)))
        if state in {"success", "failed"}:
            return Outcome(run_id, state)
        time.sleep(1)


def _here(home: Home, dag_id: str, say: Callable[[str], None], seen: Seen) -> Outcome:
    database.use(home)
    database.prepare(home, say)
    dag = _load(home, dag_id)
    with _followed(seen):
        run = dag.test()
    return Outcome(str(run.run_id), str(run.state))


def _load(home: Home, dag_id: str) -> "DAG":
    from airflow.dag_processing.dagbag import DagBag

    bag = DagBag(dag_folder=str(home.dag_file))
    if dag_id in bag.dags:
        found: DAG = bag.dags[dag_id]
        return found
    wrong = "; ".join(bag.import_errors.values()) or f"found are: {', '.join(sorted(bag.dags)) or 'none'}"
    raise ConfigError(dag_id, f"there is no such Dag ({wrong})", "Each file in include/corpora/ makes one.")


@contextmanager
def _followed(seen: Seen) -> Generator[None]:
    """`seen` is told each task that ends meanwhile."""
    from airflow.sdk.listener import get_listener_manager

    manager: Any = get_listener_manager()
    listener = _listener(seen)
    manager.add_listener(listener)
    try:
        yield
    finally:
        manager.pm.unregister(listener)


def _listener(seen: Seen) -> object:
    """What Airflow calls as tasks start and end. (Airflow can only be imported once its variables are set.)"""
    from airflow.listeners import hookimpl

    started: dict[tuple[str, int], float] = {}

    def tell(task: Any, state: str) -> None:
        key = (str(task.task_id), int(task.map_index if task.map_index is not None else -1))
        seen(Step(_label(*key), state, time.monotonic() - started.get(key, time.monotonic())))

    class Listener:
        @hookimpl
        def on_task_instance_running(self, task_instance: Any) -> None:
            started[task_instance.task_id, task_instance.map_index] = time.monotonic()

        @hookimpl
        def on_task_instance_success(self, task_instance: Any) -> None:
            tell(task_instance, "success")

        @hookimpl
        def on_task_instance_failed(self, task_instance: Any) -> None:
            tell(task_instance, "retry" if str(task_instance.state) == "up_for_retry" else "failed")

    return Listener()


def _label(task_id: str, map_index: int) -> str:
    return task_id if map_index < 0 else f"{task_id} {map_index}"
