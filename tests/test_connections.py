"""Connections as Airflow writes them into the environment, without Airflow."""

import pickle

import pytest

from tailgate import config
from tailgate.config import Connection, from_environment
from tailgate.errors import ConfigError

AWS = Connection("aws", "", "", None, "AK", "se/c:r@t", {"region_name": "eu-central-1", "endpoint_url": "http://h:9"})


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("aws://AK:se%2Fc%3Ar%40t@/?region_name=eu-central-1&endpoint_url=http%3A%2F%2Fh%3A9", AWS),
        (
            "aws://AK:se%2Fc%3Ar%40t@/?__extra__=%7B%22region_name%22%3A%22eu-central-1%22%2C%22endpoint_url%22%3A%22http%3A%2F%2Fh%3A9%22%7D",
            AWS,
        ),
        (
            '{"conn_type": "aws", "login": "AK", "password": "se/c:r@t", '
            '"extra": {"region_name": "eu-central-1", "endpoint_url": "http://h:9"}}',
            AWS,
        ),
        (
            '{"conn_type": "aws", "login": "AK", "password": "se/c:r@t", '
            '"extra": "{\\"region_name\\": \\"eu-central-1\\", \\"endpoint_url\\": \\"http://h:9\\"}"}',
            AWS,
        ),
        (
            "google-cloud-platform://?key_path=%2Fkey.json",
            Connection("google_cloud_platform", extra={"key_path": "/key.json"}),
        ),
        (
            "wasb://https://calls.example/?sas_token=sv%3D1",
            Connection("wasb", host="https://calls.example", extra={"sas_token": "sv=1"}),
        ),
        ("http://:t0ken@Host", Connection("http", host="host", password="t0ken")),
        ("smtp://ann:pw@mail:587/x", Connection("smtp", "x", "mail", 587, "ann", "pw", {})),
        ('{"conn_type": "http", "host": "h", "port": "8080"}', Connection("http", "", "h", 8080)),
    ],
)
def test_a_connection_is_read_as_airflow_reads_it(
    monkeypatch: pytest.MonkeyPatch, written: str, read: Connection
) -> None:
    monkeypatch.setenv("AIRFLOW_CONN_PLACE", written)
    assert from_environment("place") == read
    held = of_airflow(written)
    assert (read.kind, read.schema, read.host, read.port, read.login, read.password, dict(read.extra)) == held


def of_airflow(written: str) -> tuple[object, ...]:
    from airflow.sdk.definitions.connection import Connection as AirflowConnection

    read = AirflowConnection.from_json(written, "place") if written.startswith("{") else None
    held = read or AirflowConnection.from_uri(written, "place")
    words = (held.conn_type, held.schema, held.host)
    return (*(word or "" for word in words), held.port, held.login or "", held.password or "", held.extra_dejson)


@pytest.mark.parametrize("written", ["no url", "http://host:port/", '{"conn_type": ', '{"extra": 3}', "[1]"])
def test_what_cannot_be_read_is_named_and_not_quoted(monkeypatch: pytest.MonkeyPatch, written: str) -> None:
    monkeypatch.setenv("AIRFLOW_CONN_PLACE", f"{written} s3cret" if written == "no url" else written)
    with pytest.raises(ConfigError, match="AIRFLOW_CONN_PLACE is neither a URL nor a JSON object") as caught:
        from_environment("place")
    assert "s3cret" not in str(caught.value)


@pytest.mark.parametrize("value", [None, ""])
def test_a_missing_one_names_its_variable(monkeypatch: pytest.MonkeyPatch, value: str | None) -> None:
    monkeypatch.delenv("AIRFLOW_CONN_PLACE", raising=False)
    if value is not None:
        monkeypatch.setenv("AIRFLOW_CONN_PLACE", value)
    with pytest.raises(ConfigError, match="set the variable AIRFLOW_CONN_PLACE"):
        from_environment("place")


def test_a_corpus_asks_whoever_it_was_connected_to_and_only_when_needed() -> None:
    tree = {"name": "calls", "source": {"uri": "s3://a/b", "connection": "docs"}, "store": {"connection": "tables"}}
    asked = list[str]()

    def connect(name: str) -> Connection:
        asked.append(name)
        return Connection(login=name)

    corpus = config.parse(tree, where="test").connected(connect)
    assert asked == []
    assert [corpus.source_connection, corpus.store_connection] == [Connection(login="docs"), Connection(login="tables")]
    assert config.parse({"name": "calls", "source": {"uri": "a"}}, where="test").source_connection is None
    assert "docs" in repr(corpus.source)


def test_a_corpus_that_goes_to_another_process_takes_no_secret_along(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("AIRFLOW_CONN_DOCS", raising=False)
    corpus = config.parse({"name": "calls", "source": {"uri": "s3://a/b", "connection": "docs"}}, where="test")
    there = pickle.loads(pickle.dumps(corpus.connected(lambda name: Connection(password="s3cret"))))
    assert there == corpus
    with pytest.raises(ConfigError, match="AIRFLOW_CONN_DOCS"):
        assert there.source_connection
