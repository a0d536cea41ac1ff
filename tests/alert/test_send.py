import json
import ssl
import time
from multiprocessing import get_context
from pathlib import Path

import pytest
from alert_samples import AT, RUN, corpus, gate_alert, gate_report, gate_result, smtp, webhook
from loopback import free_port, hanging_server, hook_server, http_at, mail_server, smtp_at

from tailgate.alert import Connection, compose, send, text
from tailgate.errors import AlertNotSent
from tailgate.models import Offender


def nowhere(name):
    raise LookupError(f"The conn_id `{name}` isn't defined")


def journal(settings):
    return [json.loads(line) for line in (Path(settings.folder) / "alerts.jsonl").read_text().splitlines()]


def test_alert_is_in_the_journal_of_a_folder_that_was_not_there(tmp_path):
    settings = corpus(tmp_path / "not" / "yet")
    assert send(gate_alert(), settings, nowhere) == []
    (held,) = journal(settings)
    assert (held["corpus"], held["run_id"], held["place"], held["serving"]) == ("calls", RUN, "shape", "r-0007")
    assert held["failures"][0]["offenders"][0] == {"document": "logs/app.log", "place": "sentence 3", "value": 11402}
    assert held["text"] == text(gate_alert())


def test_same_run_and_headline_is_sent_once(tmp_path):
    with hook_server() as (posts, port):
        settings = corpus(tmp_path, webhook())
        for _ in range(3):
            assert send(gate_alert(), settings, lambda name: http_at(port)) == []
        assert send(compose("calls", RUN, at=AT, place="plan", error="x"), settings, lambda name: http_at(port)) == []
        assert (
            send(compose("calls", "another", at=AT, place="plan", error="x"), settings, lambda n: http_at(port)) == []
        )
    assert len(posts) == len(journal(settings)) == 3


def _send_from_another_process(folder):
    send(gate_alert(), corpus(folder), nowhere)


def test_processes_that_fail_together_leave_one_line(tmp_path):
    with get_context("spawn").Pool(4) as pool:
        pool.map(_send_from_another_process, [str(tmp_path)] * 8)
    assert len(journal(corpus(tmp_path))) == 1


def test_half_a_line_of_a_killed_writer_hurts_nobody(tmp_path):
    settings = corpus(tmp_path)
    Path(settings.folder).mkdir(parents=True)
    (Path(settings.folder) / "alerts.jsonl").write_text('[1]\n{"run_id": "x", "pla')
    assert send(gate_alert(), settings, nowhere) == []
    lines = (Path(settings.folder) / "alerts.jsonl").read_text().splitlines()
    assert len(lines) == 3
    assert json.loads(lines[-1])["run_id"] == RUN


def test_journal_of_a_url_keeps_its_lines():
    settings = corpus("memory://bucket/alerts-test")
    for run in ("one", "two", "two"):
        assert send(compose("calls", run, at=AT, error="x"), settings, nowhere) == []
    import fsspec

    lines = fsspec.filesystem("memory").cat_file("/bucket/alerts-test/calls/alerts.jsonl").splitlines()
    assert [json.loads(line)["run_id"] for line in lines] == ["one", "two"]


def test_journal_that_cannot_be_written_does_not_keep_the_channels_from_it(tmp_path):
    (tmp_path / "calls").write_text("a file where the folder should be")
    with hook_server() as (posts, port):
        (problem,) = send(gate_alert(), corpus(tmp_path, webhook()), lambda name: http_at(port))
    assert problem.channel == "alerts.jsonl"
    assert len(posts) == 1


def test_mail_arrives_readable_at_every_address(tmp_path):
    with mail_server() as (box, port):
        settings = corpus(tmp_path, smtp(to=("a@example.com", "b@example.com")))
        assert send(gate_alert(), settings, lambda name: smtp_at(port)) == []
    (message,) = box.messages
    assert box.recipients == ["a@example.com", "b@example.com"]
    assert message["Subject"].strip() == "[Tailgate] calls: nothing published: 1 gate failed: sentence_tokens_p95"
    assert message["From"] == "tailgate@localhost"
    assert message.get_content().splitlines() == text(gate_alert()).splitlines()


def test_mail_logs_in_with_the_connections_password(tmp_path):
    with mail_server(auth_required=True, auth_require_tls=False) as (box, port):
        held = smtp_at(port, login="bot", password="s3cret", extra={"disable_tls": True})
        assert send(gate_alert(), corpus(tmp_path, smtp()), lambda name: held) == []
    assert box.logins == [(b"bot", b"s3cret")]
    assert len(box.messages) == 1


def test_password_is_not_sent_in_the_clear_unasked(tmp_path):
    with mail_server(auth_required=True, auth_require_tls=False) as (box, port):
        held = smtp_at(port, login="bot", password="s3cret")
        (problem,) = send(gate_alert(), corpus(tmp_path, smtp()), lambda name: held)
    assert "STARTTLS" in problem.reason
    assert box.logins == []


def test_server_certificate_that_nobody_signed_is_refused(tmp_path, self_signed):
    with mail_server(tls_context=self_signed) as (box, port):
        (problem,) = send(gate_alert(), corpus(tmp_path, smtp()), lambda name: smtp_at(port))
    assert "CERTIFICATE_VERIFY_FAILED" in problem.reason
    assert box.messages == []


def test_starttls_is_used_where_it_is_offered(tmp_path, self_signed, monkeypatch):
    monkeypatch.setenv("SSL_CERT_FILE", self_signed.certificate)
    with mail_server(tls_context=self_signed, require_starttls=True) as (box, port):
        assert send(gate_alert(), corpus(tmp_path, smtp()), lambda name: smtp_at(port)) == []
    assert len(box.messages) == 1


def test_tls_from_the_first_byte_where_the_connection_says_so(tmp_path, self_signed, monkeypatch):
    monkeypatch.setenv("SSL_CERT_FILE", self_signed.certificate)
    with mail_server(ssl_context=self_signed) as (box, port):
        held = smtp_at(port, extra={"disable_ssl": "false"})
        assert send(gate_alert(), corpus(tmp_path, smtp()), lambda name: held) == []
    assert len(box.messages) == 1


class CertifiedContext(ssl.SSLContext):
    certificate: str


@pytest.fixture(scope="session")
def self_signed(tmp_path_factory):
    folder = tmp_path_factory.mktemp("certificate")
    context = CertifiedContext(ssl.PROTOCOL_TLS_SERVER)
    context.certificate = str(folder / "cert.pem")
    _certify(folder)
    context.load_cert_chain(folder / "cert.pem", folder / "key.pem")
    return context


def _certify(folder):
    """A certificate for 127.0.0.1 that is its own authority."""
    from datetime import UTC, datetime, timedelta
    from ipaddress import ip_address

    from cryptography import x509
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec

    key, now = ec.generate_private_key(ec.SECP256R1()), datetime.now(UTC)
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "127.0.0.1")])
    certificate = (
        x509
        .CertificateBuilder(name, name, key.public_key(), x509.random_serial_number(), now, now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.IPAddress(ip_address("127.0.0.1"))]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    (folder / "cert.pem").write_bytes(certificate.public_bytes(serialization.Encoding.PEM))
    plain = serialization.NoEncryption()
    (folder / "key.pem").write_bytes(
        key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, plain)
    )


def test_one_refused_address_is_told(tmp_path):
    with mail_server() as (box, port):
        settings = corpus(tmp_path, smtp(to=("a@example.com", "nobody@example.com")))
        (problem,) = send(gate_alert(), settings, lambda name: smtp_at(port))
    assert len(box.messages) == 1
    assert "nobody@example.com" in problem.reason


def test_webhook_gets_the_text_and_the_whole_record(tmp_path):
    with hook_server() as (posts, port):
        settings = corpus(tmp_path, webhook())
        assert send(gate_alert(), settings, lambda name: http_at(port, schema="services/T0/secret")) == []
    (post,) = posts
    assert post.path == "/services/T0/secret"
    assert post.headers["Content-Type"] == "application/json"
    assert post.body["text"] == text(gate_alert())
    assert post.body["alert"]["failures"][0]["value"] == 402


@pytest.mark.parametrize(
    ("held", "url"),
    [
        (Connection(kind="https", host="h.example", schema="a/b"), "https://h.example/a/b"),
        (Connection(kind="http", host="h.example", schema="https"), "https://h.example/"),
        (Connection(kind="http", host="h.example", port=81), "http://h.example:81/"),
        (Connection(kind="generic", host="h.example/in?x=1"), "https://h.example/in?x=1"),
        (Connection(kind="http", host="http://h.example:82/in", port=81), "http://h.example:82/in"),
        (Connection(kind="slackwebhook", password="T/B/x"), "https://hooks.slack.com/services/T/B/x"),
        (Connection(kind="slackwebhook", host="http://h.example/s/", password="/T/x"), "http://h.example/s/T/x"),
    ],
)
def test_url_of_a_connection(held, url):
    assert held.url == url


@pytest.mark.parametrize("held", [Connection(), Connection(host="file:///etc/passwd"), Connection(host="ftp://h")])
def test_connection_without_a_web_address_is_refused(tmp_path, held):
    (problem,) = send(gate_alert(), corpus(tmp_path, webhook()), lambda name: held)
    assert "no host that can be reached by http" in problem.reason


def test_webhook_proves_who_posts(tmp_path):
    with hook_server() as (posts, port):
        for run, held in enumerate((http_at(port, password="tok"), http_at(port, login="u", password="p"))):
            alert = compose("calls", str(run), at=AT, error="x")
            assert send(alert, corpus(tmp_path, webhook()), lambda name, held=held: held) == []
    assert [post.headers["Authorization"] for post in posts] == ["Bearer tok", "Basic dTpw"]


@pytest.mark.parametrize("status", [302, 404, 500])
def test_any_answer_but_success_is_told(tmp_path, status):
    with hook_server(status) as (posts, port):
        (problem,) = send(gate_alert(), corpus(tmp_path, webhook()), lambda name: http_at(port))
    assert problem.channel == "webhook (hook)"
    assert str(status) in problem.reason
    assert len(posts) == 1


@pytest.mark.parametrize("channel", [smtp, webhook])
def test_time_out_is_kept_where_a_server_hangs(tmp_path, channel):
    with hanging_server() as port:
        start = time.perf_counter()
        (problem,) = send(gate_alert(), corpus(tmp_path, channel(timeout_s=0.3)), lambda name: http_at(port))
    assert time.perf_counter() - start < 3
    assert "timed out" in problem.reason.lower()


def test_failing_channels_do_not_stop_the_others(tmp_path):
    with mail_server() as (box, port), hook_server() as (posts, hook_port):
        held = {"good": smtp_at(port), "hook": http_at(hook_port), "closed": smtp_at(free_port())}
        settings = corpus(tmp_path, smtp("missing"), webhook("missing"), smtp("closed"), smtp("good"), webhook())
        problems = send(gate_alert(), settings, lambda name: held[name])
    assert [type(problem) for problem in problems] == [AlertNotSent] * 3
    assert [problem.channel for problem in problems] == ["smtp (missing)", "webhook (missing)", "smtp (closed)"]
    assert len(box.messages) == len(posts) == 1


@pytest.mark.parametrize("schema", ["hook path\n/T0SECRET", "T0SECRET"])
def test_secrets_are_in_no_message(tmp_path, schema):
    held = Connection(kind="http", host="127.0.0.1", port=free_port(), schema=schema, login="u", password="PSECRET")
    (problem,) = send(gate_alert(), corpus(tmp_path, webhook()), lambda name: held)
    assert "SECRET" not in str(problem) + repr(held)


def test_what_only_the_connection_may_hold_is_blotted_out():
    held = Connection(kind="http", host="https://h.example/T0/B0", schema="path", login="u", password="word")
    assert held.without_secrets("https://h.example/T0/B0/path: word, Basic dTp3b3Jk") == (
        "https://h.example/***/***: ***, ***"
    )


def test_file_names_that_are_no_text_can_be_sent(tmp_path):
    odd = gate_result(offenders=(Offender("caf\udce9.txt", "sentence 0", 300),))
    alert = gate_alert(reports=[gate_report(odd)])
    with mail_server() as (box, port), hook_server() as (posts, hook_port):
        held = {"mail": smtp_at(port), "hook": http_at(hook_port)}
        assert send(alert, corpus(tmp_path, smtp(), webhook()), lambda name: held[name]) == []
    assert "caf?.txt" in box.messages[0].get_content()
    assert len(posts) == 1
