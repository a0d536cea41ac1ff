"""What a run has left in the store: its gates' reports, and the release that readers see."""

import logging
from datetime import datetime
from pathlib import Path

from tailgate import alert
from tailgate.alert import Alert
from tailgate.config import Corpus
from tailgate.models import GateReport, Release
from tailgate.records import from_json
from tailgate.store import RunFolder, open_store
from tailgate_console.failure import Failure

log = logging.getLogger(__name__)

PLACES = ("shape", "index")


def compose(corpus: Corpus, failure: Failure, at: datetime) -> Alert:
    """The alert of a failure; what cannot be read of the store is left out of it."""
    serving, known = _serving(corpus)
    reports = _reports(corpus, failure.run_id) if failure.by_gate else []
    return alert.compose(
        corpus.name,
        failure.run_id,
        at=at,
        place=failure.task,
        reports=reports,
        error=failure.error,
        serving=serving,
        serving_known=known,
        report=_report(corpus, failure, reports),
    )


def _serving(corpus: Corpus) -> tuple[Release | None, bool]:
    try:
        return open_store(corpus).latest(), True
    except Exception:
        log.exception("The release that corpus %s serves cannot be read", corpus.name)
        return None, False


def _reports(corpus: Corpus, run_id: str) -> list[GateReport]:
    try:
        folder = RunFolder(corpus, run_id)
        names = [f"gates-{place}.json" for place in PLACES]
        return [from_json(GateReport, folder.read_json(name)) for name in names if folder.exists(name)]
    except Exception:
        log.exception("The gate reports of run %s cannot be read", run_id)
        return []


def _report(corpus: Corpus, failure: Failure, reports: list[GateReport]) -> str | None:
    """The Data Docs of the gates that failed, where they are on this machine; else the log."""
    broken = next((report for report in reports if report.failures), None)
    folder = RunFolder(corpus, failure.run_id).local() if broken else None
    if broken is None or folder is None:
        return failure.log_url
    page = Path(folder) / "data-docs" / broken.place / "index.html"
    return str(page) if page.is_file() else failure.log_url
