"""Great Expectations decides: the only module that imports it."""

import logging
import os
import shutil
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from tailgate.gates.checks import AtMost, Check, Faultless, NotEmpty, Unique, decided
from tailgate.models import GateReport, GateResult

if TYPE_CHECKING:
    import pandas as pd

log = logging.getLogger(__name__)

DOCS_FOLDER = "data-docs"
SITE = "tailgate"


def judge(
    corpus: str,
    run_id: str,
    place: Literal["shape", "index"],
    frames: Mapping[str, "pd.DataFrame"],
    checks: Sequence[Check],
    docs: Path | None,
) -> GateReport:
    """The verdict of Great Expectations on every check, in the order of the checks.

    The Data Docs, static HTML, are at `<docs>/data-docs/<place>/index.html` where a folder is given. An expectation
    that raises, or that gives no result, is a broken gate.
    """
    with tempfile.TemporaryDirectory(prefix="tailgate-docs-") as site:
        context = _context(Path(site))
        verdicts: dict[str, Any] = {}
        for name in dict.fromkeys(check.frame for check in checks):
            asked = [check for check in checks if check.frame == name]
            verdicts |= _run(context, name, frames[name], asked, run_id)
        if docs is not None:
            _write_docs(context, Path(site), docs / DOCS_FOLDER / place)
    results = tuple(_result(check, verdicts.get(check.gate)) for check in checks)
    return GateReport(corpus=corpus, run_id=run_id, place=place, results=results)


def _write_docs(context: Any, site: Path, kept: Path) -> None:
    """The Data Docs are kept; a full disk costs the pages, and no verdict."""
    try:
        context.build_data_docs(site_names=[SITE])
        _keep(site, kept)
    except OSError as error:
        log.warning("The Data Docs cannot be written to %s: %s", kept, str(error)[:300])


def _context(site: Path) -> Any:
    """A context in memory that sends nothing, shows no progress bars, and writes its docs to `site`."""
    os.environ["GX_ANALYTICS_ENABLED"] = "false"
    import great_expectations as gx
    from great_expectations.data_context.types import base

    docs = {
        "class_name": "SiteBuilder",
        "show_how_to_buttons": False,
        "site_index_builder": {"class_name": "DefaultSiteIndexBuilder"},
        "store_backend": {"class_name": "TupleFilesystemStoreBackend", "base_directory": str(site)},
    }
    settings = base.DataContextConfig(
        store_backend_defaults=base.InMemoryStoreBackendDefaults(init_temp_docs_sites=False),
        progress_bars=base.ProgressBarsConfig(globally=False),
        analytics_enabled=False,
        data_docs_sites={SITE: docs},
    )
    return gx.get_context(mode="ephemeral", project_config=settings)


def _run(context: Any, name: str, frame: "pd.DataFrame", checks: Iterable[Check], run_id: str) -> dict[str, Any]:
    """The results by gate of all expectations on one frame."""
    import great_expectations as gx
    from great_expectations.core.run_identifier import RunIdentifier

    source = context.data_sources.add_pandas(f"{SITE}_{name}")
    batch = source.add_dataframe_asset(name).add_batch_definition_whole_dataframe("all")
    suite = context.suites.add(gx.ExpectationSuite(name=name, expectations=[_expectation(check) for check in checks]))
    definition = context.validation_definitions.add(gx.ValidationDefinition(name=name, data=batch, suite=suite))
    outcome = definition.run(
        batch_parameters={"dataframe": frame}, result_format="SUMMARY", run_id=RunIdentifier(run_name=run_id)
    )
    return {result.expectation_config.meta["gate"]: result for result in outcome.results}


def _expectation(check: Check) -> Any:
    import great_expectations.expectations as gxe
    from great_expectations.expectations.row_conditions import Column

    said: dict[str, Any] = {
        "meta": {"gate": check.gate},
        "description": f"{check.gate}: {check.rule.words}{f' ({check.note})' if check.note else ''}",
        "severity": "critical" if check.action == "fail" else "warning",
    }
    match check.rule:
        case AtMost(column, most, share, where):
            rows = {"row_condition": Column(where[0]) == where[1]} if where else {}
            return gxe.ExpectColumnValuesToBeBetween(column=column, max_value=most, mostly=share, **rows, **said)
        case Unique(column):
            return gxe.ExpectColumnValuesToBeUnique(column=column, **said)
        case Faultless(column):
            return gxe.ExpectColumnValuesToBeNull(column=column, **said)
        case NotEmpty():
            return gxe.ExpectTableRowCountToBeBetween(min_value=1, **said)


def _result(check: Check, verdict: Any) -> GateResult:
    passed = verdict is not None and bool(verdict.success)
    trouble = "Great Expectations gave no result" if verdict is None else _raised(verdict.exception_info)
    return decided(check, passed, trouble)


def _raised(info: Mapping[str, Any] | None) -> str:
    """The message of an expectation that could not be evaluated; one entry, or one for each metric."""
    entries = [info or {}, *(entry for entry in (info or {}).values() if isinstance(entry, Mapping))]
    messages = [str(entry["exception_message"]) for entry in entries if entry.get("raised_exception")]
    return f"Great Expectations could not evaluate it: {messages[0]}" if messages else ""


def _keep(site: Path, target: Path) -> None:
    """The site is at `target`, instead of one that an earlier try of the same run left there."""
    shutil.rmtree(target, ignore_errors=True)
    shutil.copytree(site, target, ignore=shutil.ignore_patterns("*.gif"))
