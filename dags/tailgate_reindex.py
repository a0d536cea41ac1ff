"""Rebuilds the index of one corpus, and publishes it only when every gate passes.

`plan → shape (each shard) → check_shape → embed (each shard) → load → check_index → publish → maintain`

Readers see the new release only after `publish`. Whatever fails before that leaves them on the last good release and
sends an alert. Where nothing changed, everything after `plan` is skipped.

**Backfill** takes what its days hold and never deletes. Of two runs at once the second loads again on top of
what the first has published. **Trigger** takes what a nightly run takes, or what lies between `start` and `end`, or
only `documents`, or with `full` the whole source.
"""

import logging
import os
import re
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

from airflow.sdk import (
    DAG,
    Asset,
    CronDataIntervalTimetable,
    ExceptionRetryPolicy,
    Param,
    RetryAction,
    RetryRule,
    chain,
    get_current_context,
    task,
)
from airflow.sdk.exceptions import AirflowTimetableInvalid

from tailgate import config
from tailgate.config import Corpus
from tailgate.errors import ConfigError
from tailgate_console.connections import connection
from tailgate_console.notifier import TailgateNotifier

if TYPE_CHECKING:
    from tailgate.ingest import Run

log = logging.getLogger(__name__)

DEFAULTS: dict[str, Any] = {
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
COMMON: dict[str, Any] = {"start_date": datetime(2020, 1, 1, tzinfo=UTC), "catchup": False, "max_active_runs": 1}
MOMENT: dict[str, Any] = {"type": ["null", "string"], "format": "date-time"}
PARAMS = {
    "start": Param(None, title="From", description="With an end: take what lies between.", **MOMENT),
    "end": Param(None, title="Before", description="The first moment that is not taken.", **MOMENT),
    "documents": Param(
        None,
        type=["null", "array"],
        items={"type": "string", "minLength": 1, "pattern": r"^[^/\s]"},
        title="Only these documents",
        description="Paths relative to the source, or globs such as calls/**/*.txt, one a line. Nothing is deleted.",
    ),
    "full": Param(False, type="boolean", title="All documents", description="Take the whole source."),
}
LONG = timedelta(hours=4)
# A pool that does not exist would hold tasks up for ever: only who has made one (with one slot) sets the variable.
WRITER: dict[str, Any] = {
    "pool": os.environ.get("TAILGATE_WRITER_POOL", "default_pool"),
    "max_active_tis_per_dag": 1,
}


def reindex(corpus: Corpus, file: Path) -> None:
    """The Dag `tailgate_<name>` rebuilds the corpus of `file`."""
    name = corpus.name
    index = Asset(name=f"tailgate_{name}", uri=f"tailgate://corpora/{name}", group="tailgate")

    @task
    def plan() -> list[int]:
        from tailgate import ingest, scope

        context = get_current_context()
        interval = context.get("data_interval_start"), context.get("data_interval_end")
        params = dict(context["params"])
        wanted = scope.resolve(context["dag_run"].run_type, *interval, params, dated=corpus.source.dated)
        drawn = ingest.plan(ingest.open_run(str(file), context["run_id"], scope=wanted, connect=connection))
        log.info("%s", drawn.summary)
        return list(drawn.shards)

    @task(multiple_outputs=False, execution_timeout=LONG)
    def shape(shard: int) -> dict[str, int]:
        from tailgate import ingest

        return ingest.shape(_run(file), shard)

    @task(multiple_outputs=False)
    def check_shape() -> dict[str, float | None]:
        from tailgate import ingest

        return {result.gate: result.value for result in ingest.check_shape(_run(file)).results}

    @task(multiple_outputs=False, execution_timeout=LONG)
    def embed(shard: int) -> dict[str, int]:
        from tailgate import ingest

        return ingest.embed(_run(file), shard)

    @task(multiple_outputs=False, execution_timeout=LONG, **WRITER)
    def load() -> dict[str, int]:
        from tailgate import ingest

        return ingest.load(_run(file))

    @task(multiple_outputs=False)
    def check_index() -> dict[str, float | None]:
        from tailgate import ingest

        return {result.gate: result.value for result in ingest.check_index(_run(file)).results}

    @task(execution_timeout=LONG, outlets=[index], **WRITER)
    def publish() -> str:
        from tailgate import ingest

        release = ingest.publish(_run(file))
        extra: dict[str, Any] = {
            "release_id": release.release_id,
            "sequence": release.sequence,
            "metrics": release.metrics,
        }
        get_current_context()["outlet_events"][index].extra = extra
        return release.release_id

    @task(multiple_outputs=False, **WRITER)
    def maintain() -> dict[str, int]:
        from tailgate import ingest

        kept = ingest.maintain(_run(file))
        return {"releases": len(kept.releases), "dropped": len(kept.dropped), "runs_removed": kept.runs_removed}

    with DAG(
        f"tailgate_{name}",
        schedule=_nightly(corpus, file),
        params=PARAMS,
        doc_md=f"{__doc__}\n{_facts(corpus, file)}",
        tags=["tailgate", *corpus.designs],
        # A task that is killed may leave no callback of its own. Of two alerts about one failure only one is sent.
        default_args=DEFAULTS | {"on_failure_callback": [TailgateNotifier(corpus=str(file))]},
        on_failure_callback=[TailgateNotifier(corpus=str(file))],
        **COMMON,
    ):
        shards = plan()
        shaped, embedded = shape.expand(shard=shards), embed.expand(shard=shards)
        chain(shaped, check_shape(), embedded, load(), check_index(), publish(), maintain())


def report(dag_id: str, error: ConfigError) -> None:
    """The Dag says what is wrong with a corpus file, and fails each night until that is mended."""

    @task
    def read_corpus_file() -> None:
        raise error

    with DAG(
        re.sub(r"[^\w.-]", "_", dag_id),
        schedule=CronDataIntervalTimetable("0 2 * * *", timezone="UTC"),
        doc_md=f"**This corpus file cannot be used, so that nothing is indexed.**\n\n{error}",
        tags=["tailgate", "config error"],
        default_args=DEFAULTS,
        **COMMON,
    ):
        read_corpus_file()


def reindex_all(files: Iterable[Path]) -> None:
    """Each corpus file has a Dag, whatever is wrong with another one."""
    for file in files:
        try:
            reindex(config.load(file), file)
        except ConfigError as error:
            report(f"tailgate_{file.stem}", error)


def _run(file: Path) -> "Run":
    from tailgate import ingest

    return ingest.open_run(str(file), get_current_context()["run_id"], connect=connection)


def _nightly(corpus: Corpus, file: Path) -> CronDataIntervalTimetable | None:
    """A timetable whose runs have an interval, which is what makes the Dag backfillable."""
    if corpus.schedule is None:
        return None
    timetable = CronDataIntervalTimetable(corpus.schedule, timezone="UTC")
    try:
        timetable.validate()
    except AirflowTimetableInvalid as error:
        raise ConfigError(str(file), f"`schedule`: {error}", "Write a cron expression, such as '0 2 * * *'.") from error
    return timetable


def _facts(corpus: Corpus, file: Path) -> str:
    rows = {
        "corpus file": file.name,
        "source": corpus.source.uri,
        "designs": ", ".join(corpus.designs),
        "window": f"{corpus.window.before} before, {corpus.window.after} after",
        "embedding model": corpus.embed.model,
        "budget": f"{corpus.search.budget_tokens} tokens, {corpus.search.reserve_tokens} of them reserved",
        "tables": f"{corpus.store.uri}/{corpus.name}",
    }
    return "\n".join(["| | |", "| --- | --- |", *(f"| {key} | `{value}` |" for key, value in rows.items())])


reindex_all(config.corpus_files())
