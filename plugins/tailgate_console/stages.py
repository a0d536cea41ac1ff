"""The stages of the core as Airflow's tasks call them: with their run, its parameters, and Airflow's connections.

Imports the whole core, LanceDB and all: a task imports this module, a Dag file must not.
"""

import logging
from pathlib import Path
from typing import Any

from airflow.sdk import Asset, get_current_context

from tailgate import ingest, scope
from tailgate.config import Corpus
from tailgate.models import GateReport
from tailgate_console.connections import connection

log = logging.getLogger(__name__)


def plan(corpus: Corpus, file: Path) -> list[int]:
    """The run has a plan for what its interval and its parameters ask for; the numbers of its shards."""
    context = get_current_context()
    interval = context.get("data_interval_start"), context.get("data_interval_end")
    params = dict(context["params"])
    wanted = scope.resolve(context["dag_run"].run_type, *interval, params, dated=corpus.source.dated)
    drawn = ingest.plan(ingest.open_run(str(file), context["run_id"], scope=wanted, connect=connection))
    log.info("%s", drawn.summary)
    return list(drawn.shards)


def shape(file: Path, shard: int) -> dict[str, int]:
    """The shard's sentences, windows, parents and children lie in the run's folder; how many."""
    return ingest.shape(_run(file), shard)


def check_shape(file: Path) -> dict[str, float | None]:
    """Each gate before embedding, with its value; raises GateFailed."""
    return _values(ingest.check_shape(_run(file)))


def embed(file: Path, shard: int) -> dict[str, int]:
    """The shard's units have vectors; how many, and how many texts were embedded for them."""
    return ingest.embed(_run(file), shard)


def load(file: Path) -> dict[str, int]:
    """The tables hold a version that no reader sees yet; the rows of each."""
    return ingest.load(_run(file))


def check_index(file: Path) -> dict[str, float | None]:
    """Each gate before publishing, with its value; raises GateFailed."""
    return _values(ingest.check_index(_run(file)))


def publish(file: Path, index: Asset) -> str:
    """Readers see the new release, whose id this is, and the event of `index` carries its metrics."""
    release = ingest.publish(_run(file))
    extra: dict[str, Any] = {
        "release_id": release.release_id,
        "sequence": release.sequence,
        "metrics": release.metrics,
    }
    get_current_context()["outlet_events"][index].extra = extra
    return release.release_id


def maintain(file: Path) -> dict[str, int]:
    """Releases and run folders that the corpus file no longer keeps are gone; how many."""
    kept = ingest.maintain(_run(file))
    return {"releases": len(kept.releases), "dropped": len(kept.dropped), "runs_removed": kept.runs_removed}


def _run(file: Path) -> ingest.Run:
    return ingest.open_run(str(file), get_current_context()["run_id"], connect=connection)


def _values(report: GateReport) -> dict[str, float | None]:
    return {result.gate: result.value for result in report.results}
