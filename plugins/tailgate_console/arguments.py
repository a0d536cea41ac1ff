"""What every Dag and task of Tailgate is given: retries, time limits, the fields of the Trigger form."""

import os
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from airflow.sdk import CronDataIntervalTimetable, ExceptionRetryPolicy, Param, RetryAction, RetryRule
from airflow.sdk.exceptions import AirflowTimetableInvalid

from tailgate.config import Corpus
from tailgate.errors import ConfigError

TASK: dict[str, Any] = {
    "owner": "tailgate",
    "retries": 2,
    "retry_policy": ExceptionRetryPolicy([
        RetryRule("tailgate.errors.TerminalError", RetryAction.FAIL),
        RetryRule("tailgate.errors.TransientError", RetryAction.RETRY),
    ]),
    "retry_delay": timedelta(seconds=30),
    "retry_exponential_backoff": 2,
    "max_retry_delay": timedelta(minutes=10),
    "execution_timeout": timedelta(minutes=30),
}
DAG: dict[str, Any] = {"start_date": datetime(2020, 1, 1, tzinfo=UTC), "catchup": False, "max_active_runs": 1}
LONG: dict[str, Any] = {"execution_timeout": timedelta(hours=4)}
# A pool that does not exist would hold tasks up for ever: only who has made one (with one slot) sets the variable.
WRITER: dict[str, Any] = {
    "pool": os.environ.get("TAILGATE_WRITER_POOL", "default_pool"),
    "max_active_tis_per_dag": 1,
}
EVERY_NIGHT = CronDataIntervalTimetable("0 2 * * *", timezone="UTC")

_MOMENT: dict[str, Any] = {"type": ["null", "string"], "format": "date-time"}


def params() -> dict[str, Param]:
    """The fields of the Trigger form: new ones for each Dag, since a run writes what it was given into them."""
    return {
        "start": Param(None, title="From", description="With an end: take what lies between.", **_MOMENT),
        "end": Param(None, title="Before", description="The first moment that is not taken.", **_MOMENT),
        "documents": Param(
            None,
            type=["null", "array"],
            items={"type": "string", "minLength": 1, "pattern": r"^[^/\s]"},
            title="Only these documents",
            description="Paths relative to the source, or globs (calls/**/*.txt), one a line. Nothing is deleted.",
        ),
        "full": Param(False, type="boolean", title="All documents", description="Take the whole source."),
    }


def timetable(corpus: Corpus, file: Path) -> CronDataIntervalTimetable | None:
    """A timetable whose runs have an interval, which is what makes the Dag backfillable; raises ConfigError."""
    if corpus.schedule is None:
        return None
    nightly = CronDataIntervalTimetable(corpus.schedule, timezone="UTC")
    try:
        nightly.validate()
    except AirflowTimetableInvalid as error:
        raise ConfigError(str(file), f"`schedule`: {error}", "Write a cron expression, such as '0 2 * * *'.") from error
    return nightly
