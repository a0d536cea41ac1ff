"""What a callback's context says about a failure; contexts differ by who calls, and any key may be missing."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tailgate.errors import GateFailed, TailgateError

GATES = ("check_shape", "check_index", "run")
"""Tasks that a gate can have failed; a run can have been failed by any of them."""
KILLED = "The task was ended from outside, and left no error: killed, out of memory, or its machine went away."


@dataclass(frozen=True, slots=True)
class Failure:
    """One failure of one run, in a task or of the whole run."""

    run_id: str
    task: str
    """The task's id, or `run` where the context names none."""
    error: str
    by_gate: bool
    """Whether a gate may have done it: then its report says more than the error."""
    log_url: str | None


def failure_of(context: Mapping[str, Any]) -> Failure:
    """What is known: of a task's callback nearly everything, of a deadline's only the run."""
    task_instance = context.get("task_instance") or context.get("ti")
    error, task = context.get("exception"), str(_get(task_instance, "task_id") or "run")
    unexplained = not isinstance(error, BaseException) and task in GATES
    return Failure(
        run_id=_run_id(context, task_instance),
        task=task,
        error=_sentence(context, error),
        by_gate=isinstance(error, GateFailed) or unexplained,
        log_url=_log_url(task_instance),
    )


def _run_id(context: Mapping[str, Any], task_instance: object) -> str:
    """A deadline's context holds the run as a mapping, in which the id has another name."""
    run = context.get("dag_run")
    found = (context.get("run_id"), _get(run, "run_id"), _get(run, "dag_run_id"), _get(task_instance, "run_id"))
    return str(next((name for name in found if name), "unknown"))


def _sentence(context: Mapping[str, Any], error: object) -> str:
    """Tailgate's errors speak for themselves; others need their class's name."""
    if isinstance(error, TailgateError):
        return str(error)
    if isinstance(error, BaseException):
        said = " ".join(str(error).split())
        return f"{type(error).__name__}: {said}" if said else type(error).__name__
    if context.get("deadline"):
        return (
            f"The run was not finished at its deadline: {_get(context['deadline'], 'deadline_time') or 'see the run'}."
        )
    return str(error or _reason(context) or KILLED)


def _reason(context: Mapping[str, Any]) -> str:
    reason = context.get("reason")
    return f"Airflow's reason: {reason}." if reason else ""


def _log_url(task_instance: object) -> str | None:
    url = _get(task_instance, "log_url")
    return url if isinstance(url, str) else None


def _get(held: object, name: str) -> Any:
    """The entry of a mapping or the attribute of an object."""
    return held.get(name) if isinstance(held, Mapping) else getattr(held, name, None)
