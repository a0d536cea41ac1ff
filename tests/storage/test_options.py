"""One connection, in the words of fsspec's file systems and of LanceDB."""

import sys
from typing import Any

import pytest

from tailgate.config import Connection
from tailgate.errors import ConfigError
from tailgate.storage import azure, google, lance_options, open_filesystem, s3, web

KEY = {"type": "service_account", "project_id": "calls"}


@pytest.mark.parametrize(
    ("connection", "fsspec", "lance"),
    [
        (Connection(kind="aws"), {}, {}),
        (
            Connection(kind="aws", login="AK", password="se/cret", extra={"region_name": "eu-central-1"}),
            {"key": "AK", "secret": "se/cret", "client_kwargs": {"region_name": "eu-central-1"}},
            {"aws_access_key_id": "AK", "aws_secret_access_key": "se/cret", "aws_region": "eu-central-1"},
        ),
        (
            Connection(
                login="AK",
                password="s",
                extra={
                    "aws_session_token": "t",
                    "endpoint_url": "http://minio:9000",
                    "config_kwargs": '{"s3": {"addressing_style": "virtual"}}',
                },
            ),
            {
                "key": "AK",
                "secret": "s",
                "token": "t",
                "endpoint_url": "http://minio:9000",
                "config_kwargs": {"s3": {"addressing_style": "virtual"}},
            },
            {
                "aws_access_key_id": "AK",
                "aws_secret_access_key": "s",
                "aws_session_token": "t",
                "aws_region": "us-east-1",
                "aws_endpoint": "http://minio:9000",
                "allow_http": "true",
                "aws_virtual_hosted_style_request": "true",
            },
        ),
        (
            Connection(
                extra={"service_config": {"s3": {"endpoint_url": "https://s3.here"}}, "endpoint_url": "https://other"}
            ),
            {"endpoint_url": "https://s3.here"},
            {"aws_endpoint": "https://s3.here", "aws_region": "us-east-1"},
        ),
    ],
)
def test_s3(connection: Connection, fsspec: dict[str, Any], lance: dict[str, str]) -> None:
    assert s3.fsspec_options(connection) == fsspec
    assert s3.lance_options(connection) == lance


def test_s3_says_what_it_cannot_do() -> None:
    profile = Connection(extra={"profile_name": "nightly"})
    assert s3.fsspec_options(profile) == {"profile": "nightly"}
    with pytest.raises(ConfigError, match="LanceDB reads no profile"):
        s3.lance_options(profile)
    for options in (s3.fsspec_options, s3.lance_options):
        with pytest.raises(ConfigError, match="role_arn"):
            options(Connection(extra={"role_arn": "arn:aws:iam::1:role/x"}))
    with pytest.raises(ConfigError, match="`config_kwargs` in its extra is no JSON object"):
        s3.fsspec_options(Connection(extra={"config_kwargs": "{"}))


@pytest.mark.parametrize(
    ("extra", "fsspec", "lance"),
    [
        ({}, {}, {}),
        ({"project": "calls"}, {"project": "calls"}, {}),
        ({"key_path": "/key.json"}, {"token": "/key.json"}, {"google_service_account": "/key.json"}),
        (
            {"keyfile_dict": KEY, "key_path": "/key.json"},
            {"token": KEY},
            {"google_service_account_key": '{"type": "service_account", "project_id": "calls"}'},
        ),
        (
            {"extra__google_cloud_platform__keyfile_dict": '{"type": "service_account", "project_id": "calls"}'},
            {"token": KEY},
            {"google_service_account_key": '{"type": "service_account", "project_id": "calls"}'},
        ),
        ({"is_anonymous": True}, {"token": "anon"}, {"google_skip_signature": "true"}),
    ],
)
def test_google(extra: dict[str, object], fsspec: dict[str, Any], lance: dict[str, str]) -> None:
    assert google.fsspec_options(Connection(extra=extra)) == fsspec
    assert google.lance_options(Connection(extra=extra)) == lance


@pytest.mark.parametrize(
    ("connection", "fsspec", "lance"),
    [
        (
            Connection(login="calls", password="k=="),
            {"account_name": "calls", "account_key": "k=="},
            {"azure_storage_account_name": "calls", "azure_storage_account_key": "k=="},
        ),
        (
            Connection(host="https://calls.blob.core.windows.net/", extra={"sas_token": "sv=1"}),
            {"account_name": "calls", "sas_token": "sv=1"},
            {"azure_storage_account_name": "calls", "azure_storage_sas_token": "sv=1"},
        ),
        (
            Connection(host="calls.blob.core.windows.net", login="id", password="pw", extra={"tenant_id": "t"}),
            {"account_name": "calls", "tenant_id": "t", "client_id": "id", "client_secret": "pw"},
            {
                "azure_storage_account_name": "calls",
                "azure_storage_tenant_id": "t",
                "azure_storage_client_id": "id",
                "azure_storage_client_secret": "pw",
            },
        ),
    ],
)
def test_azure(connection: Connection, fsspec: dict[str, Any], lance: dict[str, str]) -> None:
    assert azure.fsspec_options(connection) == fsspec
    assert azure.lance_options(connection) == lance


def test_azure_reads_a_connection_string_for_sources_only() -> None:
    whole = Connection(login="ignored", extra={"connection_string": "AccountName=calls"})
    assert azure.fsspec_options(whole) == {"connection_string": "AccountName=calls"}
    with pytest.raises(ConfigError, match="LanceDB reads no `connection_string`"):
        azure.lance_options(whole)


def test_http_shows_its_proof_and_stores_nothing() -> None:
    assert web.fsspec_options(Connection(kind="http")) == {}
    named = web.fsspec_options(Connection(login="ann", password="s3cret"))
    assert named == {"client_kwargs": {"headers": {"Authorization": "Basic YW5uOnMzY3JldA=="}}}
    with pytest.raises(ConfigError, match="cannot lie behind HTTP"):
        lance_options("https://host/store", Connection(login="ann"))


@pytest.mark.parametrize("uri", ["/data/calls", "memory://calls", "sftp://host/calls"])
def test_a_connection_is_refused_where_it_would_be_ignored(uri: str) -> None:
    with pytest.raises(ConfigError, match="no connection can be used"):
        open_filesystem(uri, Connection(login="ann"))
    with pytest.raises(ConfigError, match="no connection can be used"):
        lance_options(uri, Connection(login="ann"))


@pytest.mark.parametrize(
    ("uri", "package", "extra"), [("gs://calls/x", "gcsfs", "gcs"), ("az://calls/x", "adlfs", "azure")]
)
def test_a_package_that_is_missing_is_named_with_its_extra(
    monkeypatch: pytest.MonkeyPatch, uri: str, package: str, extra: str
) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(ConfigError, match=rf"{package}.*pip install 'tailgate\[{extra}\]'"):
        open_filesystem(uri)


def test_the_text_of_a_connection_holds_no_secret() -> None:
    secret = Connection(login="AK", password="s3cret", extra={"aws_session_token": "t0ken"})
    assert "s3cret" not in repr(secret)
    assert "t0ken" not in repr(secret)
