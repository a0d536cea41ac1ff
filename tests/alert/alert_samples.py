"""Alerts and corpora to send them for."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from tailgate import config
from tailgate.alert import Alert, compose
from tailgate.config import Corpus
from tailgate.models import GateReport, GateResult, Offender, Release

AT = datetime(2026, 12, 1, 2, 14, tzinfo=UTC)
RUN = "scheduled__2026-12-01T02:00:00+00:00"


def corpus(folder: Path | str, *alerts: dict[str, Any]) -> Corpus:
    tree = {"name": "calls", "source": {"uri": "in"}, "store": {"uri": str(folder)}, "alerts": list(alerts)}
    return config.parse(tree, where="test")


def smtp(
    connection: str = "mail", timeout_s: float = 5.0, to: tuple[str, ...] = ("team@example.com",)
) -> dict[str, Any]:
    return {"smtp": {"to": list(to), "connection": connection, "timeout_s": timeout_s}}


def webhook(connection: str = "hook", timeout_s: float = 5.0) -> dict[str, Any]:
    return {"webhook": {"connection": connection, "timeout_s": timeout_s}}


def gate_result(gate: str = "sentence_tokens_p95", *, passed: bool = False, **other: Any) -> GateResult:
    places = (Offender("logs/app.log", "sentence 3", 11_402), Offender("ärger/ÿ.txt", "sentence 0", 310))
    base: dict[str, Any] = {"value": 402.0, "bound": 120.0, "action": "fail", "offenders": places}
    return GateResult(gate=gate, passed=passed, **(base | other))


def gate_report(*results: GateResult, place: str = "shape") -> GateReport:
    return GateReport(corpus="calls", run_id=RUN, place=place, results=results or (gate_result(),))


def release(**other: Any) -> Release:
    base: dict[str, Any] = {
        "release_id": "r-0007",
        "sequence": 7,
        "created_at": datetime(2026, 11, 30, 2, 20, tzinfo=UTC),
        "run_id": "scheduled__2026-11-30T02:00:00+00:00",
        "status": "published",
        "reason": "",
        "config_fingerprint": "a.b.c",
        "table_versions": {},
        "metrics": {},
        "gates": (),
    }
    return Release(**(base | other))


def gate_alert(**other: Any) -> Alert:
    base: dict[str, Any] = {"at": AT, "reports": [gate_report()], "serving": release()}
    return compose("calls", RUN, **(base | other))
