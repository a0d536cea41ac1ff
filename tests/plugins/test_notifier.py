import asyncio
import json
import logging
from contextlib import contextmanager
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread
from types import SimpleNamespace

import pytest
import yaml

from tailgate import config
from tailgate.errors import ConfigError, GateFailed, SourceUnreachable
from tailgate.models import GateReport, GateResult, Offender, Release
from tailgate.records import to_json
from tailgate.store import RunFolder, open_store
from tailgate_console.connections import connection
from tailgate_console.notifier import TailgateNotifier

RUN = "scheduled__2026-12-01T02:00:00+00:00"


@pytest.fixture
def corpus(root):
    """A corpus that is named, whose store is empty."""
    return write(root)


def write(root, file="calls", **other):
    tree = {"name": "calls", "source": {"uri": "in"}, "store": {"uri": "data"}} | other
    (root / "include" / "corpora" / f"{file}.yaml").write_text(yaml.safe_dump(tree))
    return config.load(file)


def report(*, passed=False):
    broken = GateResult("sentence_tokens_p95", 402, 120, passed, "fail", "", (Offender("app.log", "sentence 3", 900),))
    return GateReport("calls", RUN, "shape", (broken,))


def alerts(corpus):
    return [json.loads(line) for line in (Path(corpus.folder) / "alerts.jsonl").read_text().splitlines()]


def context(task="check_shape", error=None, **other):
    """What a task's callback gets of a run without a logical date, as far as it matters here."""
    return {"run_id": RUN, "ti": SimpleNamespace(task_id=task, run_id=RUN), "exception": error} | other


def gate_failure():
    return GateFailed("calls", "shape", ("sentence_tokens_p95 is 402 (bound 120)",))


def test_gate_failure_is_told_with_value_bound_and_document(corpus):
    RunFolder(corpus, RUN).write_json("gates-shape.json", to_json(report()))
    TailgateNotifier(corpus="calls")(context(error=gate_failure()))
    (held,) = alerts(corpus)
    assert (held["place"], held["run_id"], held["serving"]) == ("shape", RUN, None)
    assert "402 tokens, allowed 120" in held["text"]
    assert "app.log: sentence 3 (900 tokens)" in held["text"]


def test_alert_names_the_release_that_is_served_meanwhile(corpus):
    at = datetime(2026, 11, 30, 2, 20, tzinfo=UTC)
    served = Release("r-7", 1, at, "earlier", "published", "", corpus.fingerprint, {}, {}, ())
    assert open_store(corpus).append(served)
    TailgateNotifier(corpus="calls")(context(error=gate_failure()))
    (held,) = alerts(corpus)
    assert (held["serving"], held["serving_known"]) == ("r-7", True)
    assert "sentence_tokens_p95 is 402 (bound 120)" in held["error"]


def test_other_errors_are_told_in_their_own_words(corpus):
    RunFolder(corpus, RUN).write_json("gates-shape.json", to_json(report(passed=True)))
    TailgateNotifier(corpus="calls")(context("plan", SourceUnreachable("/in", "it is away")))
    (held,) = alerts(corpus)
    assert held["headline"] == "calls: nothing published: plan failed"
    assert "Source /in cannot be read: it is away." in held["text"]


def test_tasks_that_fail_together_send_one_alert(corpus):
    for _ in range(3):
        TailgateNotifier(corpus="calls")(context("shape", ValueError("x")))
    assert len(alerts(corpus)) == 1


@pytest.mark.parametrize(
    "minimal", [{}, {"run_id": RUN}, {"dag_run": {"dag_run_id": RUN}, "deadline": {"id": 1}}, None]
)
def test_minimal_contexts_are_enough(corpus, minimal):
    TailgateNotifier(corpus="calls").notify(minimal)
    assert len(alerts(corpus)) == 1


def test_report_of_a_killed_gate_task_is_used(corpus):
    RunFolder(corpus, RUN).write_json("gates-shape.json", to_json(report()))
    TailgateNotifier(corpus="calls")(context())
    assert alerts(corpus)[0]["failures"][0]["gate"] == "sentence_tokens_p95"


def test_corpus_is_found_by_name_and_by_path(root):
    corpus = write(root)
    for number, named in enumerate(("calls", str(root / "include" / "corpora" / "calls.yaml"))):
        TailgateNotifier(corpus=named)({"run_id": str(number)})
    assert len(alerts(corpus)) == 2


def test_unknown_corpus_is_logged_and_raises_nothing(root, caplog):
    with caplog.at_level(logging.ERROR):
        TailgateNotifier(corpus="nowhere")(context())
    assert "No alert could be sent for corpus nowhere" in caplog.text


def test_store_that_cannot_be_read_does_not_stop_the_alert(root):
    corpus = write(root)
    broken = Path(corpus.folder) / "tables" / "releases.lance" / "_versions"
    broken.mkdir(parents=True)
    (broken / "1.manifest").write_text("no manifest")
    TailgateNotifier(corpus="calls")(context("plan", ValueError("x")))
    assert alerts(corpus)[0]["serving_known"] is False


def test_missing_connection_is_logged_and_raises_nothing(root, caplog):
    write(root, alerts=[{"webhook": {"connection": "not_there"}}])
    with caplog.at_level(logging.ERROR):
        TailgateNotifier(corpus="calls")(context("plan", ValueError("x")))
    assert "Alert not sent by webhook (not_there)" in caplog.text


@contextmanager
def hook():
    """A webhook on loopback."""
    bodies = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self):
            bodies.append((self.path, json.loads(self.rfile.read(int(self.headers["Content-Length"])))))
            self.send_response(200)
            self.end_headers()

        def log_message(self, *args):
            """Quiet."""

    server = HTTPServer(("127.0.0.1", 0), Handler)
    Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
    yield bodies, server.server_port
    server.shutdown()
    server.server_close()


def test_a_connection_that_airflow_does_not_have_is_a_mistake_in_the_corpus_file(monkeypatch):
    monkeypatch.delenv("AIRFLOW_CONN_NO_SUCH_PLACE", raising=False)
    with pytest.raises(ConfigError, match="no such connection in Airflow.*AIRFLOW_CONN_NO_SUCH_PLACE"):
        connection("no_such_place")


def test_a_store_is_opened_with_airflows_connection(root, s3, monkeypatch):
    monkeypatch.setenv("AIRFLOW_CONN_TABLES", s3.connection())
    bucket = s3.bucket()
    write(root, store={"uri": f"s3://{bucket}", "connection": "tables"})
    TailgateNotifier(corpus="calls")(context("plan", SourceUnreachable("/in", "it is away")))
    asyncio.run(TailgateNotifier(corpus="calls").async_notify(context("load", SourceUnreachable("/in", "away again"))))
    body = s3.client.get_object(Bucket=bucket, Key="calls/alerts.jsonl")["Body"].read()
    assert [json.loads(line)["place"] for line in body.splitlines()] == ["plan", "load"]


@pytest.mark.parametrize("how", ["sync", "async"])
def test_webhook_of_an_airflow_connection_gets_the_alert(root, monkeypatch, how):
    write(root, alerts=[{"webhook": {"connection": "hook_of_test"}}])
    with hook() as (bodies, port):
        monkeypatch.setenv("AIRFLOW_CONN_HOOK_OF_TEST", f"http://127.0.0.1:{port}/services/T0")
        failed = context("plan", SourceUnreachable("/in", "it is away"))
        if how == "sync":
            TailgateNotifier(corpus="calls")(failed)
        else:
            asyncio.run(_awaited(TailgateNotifier(corpus="calls", context=failed)))
    ((path, body),) = bodies
    assert path == "/services/T0"
    assert body["alert"]["place"] == "plan"
    assert "it is away" in body["text"]


async def _awaited(notifier):
    await notifier


def test_async_with_a_missing_connection_still_keeps_the_alert(root, caplog):
    corpus = write(root, alerts=[{"webhook": {"connection": "not_there"}}])
    with caplog.at_level(logging.ERROR):
        asyncio.run(TailgateNotifier(corpus="calls").async_notify({"run_id": RUN}))
    assert len(alerts(corpus)) == 1
    assert "Alert not sent by webhook (not_there)" in caplog.text
