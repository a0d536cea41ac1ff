"""Documents in a bucket, listed and read through a real S3 server on loopback."""

from typing import Any

import pytest
from loopback_s3 import Request, Server

from tailgate.config import Corpus, Source
from tailgate.errors import ConfigError, SourceUnreachable
from tailgate.sources import list_source, read


def corpus(uri: str, **source: Any) -> Corpus:
    return Corpus(name="things", source=Source(uri=uri, **({"connection": "bucket"} | source)))


def is_listing(request: Request) -> bool:
    return "list-type=2" in request.query


def test_objects_are_listed_with_etag_size_and_time_and_are_read(s3: Server) -> None:
    bucket = s3.bucket({"docs/a.txt": "first", "docs/b/c.md": "second", "elsewhere.txt": "x"})
    at = corpus(f"s3://{bucket}/docs")
    listing = list_source(at)
    assert [(file.path, file.size) for file in listing.files] == [("a.txt", 5), ("b/c.md", 6)]
    assert listing.complete
    first = listing.files[0]
    assert first.uri == f"s3://{bucket}/docs/a.txt"
    assert first.etag == "8b04d5e3775d298e78455efc5ca404d5"
    assert first.modified is not None
    assert read(first, at) == b"first"


def test_etag_is_the_fingerprint_whatever_the_time(s3: Server) -> None:
    bucket = s3.bucket({"a.txt": "same"})
    before = list_source(corpus(f"s3://{bucket}")).files[0].fingerprint
    s3.client.put_object(Bucket=bucket, Key="a.txt", Body=b"same")
    assert list_source(corpus(f"s3://{bucket}")).files[0].fingerprint == before
    s3.client.put_object(Bucket=bucket, Key="a.txt", Body=b"else")
    assert list_source(corpus(f"s3://{bucket}")).files[0].fingerprint != before


def test_more_than_a_thousand_keys_are_all_listed(s3: Server) -> None:
    bucket = s3.bucket({f"docs/{number:05}.txt": "x" for number in range(1205)})
    s3.requests.clear()
    listing = list_source(corpus(f"s3://{bucket}/docs"))
    assert [file.path for file in listing.files] == [f"{number:05}.txt" for number in range(1205)]
    assert sum("continuation-token" in request.query for request in s3.requests) == 1


def test_what_was_written_meanwhile_is_in_the_next_listing(s3: Server) -> None:
    bucket = s3.bucket({"docs/a.txt": "x"})
    at = corpus(f"s3://{bucket}/docs")
    list_source(at)
    s3.client.put_object(Bucket=bucket, Key="docs/b.txt", Body=b"y")
    assert [file.path for file in list_source(at).files] == ["a.txt", "b.txt"]


def test_markers_of_folders_are_no_documents(s3: Server) -> None:
    bucket = s3.bucket({"docs/": "", "docs/a.txt": "x", "docs/empty/": ""})
    assert [file.path for file in list_source(corpus(f"s3://{bucket}/docs")).files] == ["a.txt"]


@pytest.mark.parametrize("name", ["a b.txt", "é.txt", "c[1]*.txt", "d+e%20f.txt", "g?h#i.txt", "x::y.txt"])
def test_strange_keys_can_be_read(s3: Server, name: str) -> None:
    bucket = s3.bucket({f"docs/{name}": name})
    at = corpus(f"s3://{bucket}/docs")
    (file,) = list_source(at).files
    assert (file.path, read(file, at).decode()) == (name, name)


def test_an_object_that_vanishes_after_the_listing_is_unreachable(s3: Server) -> None:
    bucket = s3.bucket({"a.txt": "x"})
    at = corpus(f"s3://{bucket}")
    (file,) = list_source(at).files
    s3.client.delete_object(Bucket=bucket, Key="a.txt")
    with pytest.raises(SourceUnreachable, match="the file is gone"):
        read(file, at)


def test_a_service_that_wants_fewer_requests_is_asked_again(s3: Server) -> None:
    bucket = s3.bucket({"docs/a.txt": "x"})
    left = [1, 1, 1]
    s3.slow = lambda request: is_listing(request) and bool(left) and bool(left.pop())
    listing = list_source(corpus(f"s3://{bucket}/docs"))
    assert [file.path for file in listing.files] == ["a.txt"]
    assert left == []


def test_a_service_that_stays_slow_is_unreachable_and_the_remedy_fits(s3: Server) -> None:
    bucket = s3.bucket({"docs/a.txt": "x"})
    s3.slow = lambda request: True
    with pytest.raises(SourceUnreachable, match=r"(request rate|Service Unavailable).*run again later") as caught:
        list_source(corpus(f"s3://{bucket}/docs"))
    assert caught.value.exit_code == 3


def test_a_folder_that_stays_slow_makes_the_listing_incomplete(s3: Server) -> None:
    bucket = s3.bucket({"docs/a.txt": "x", "docs/b/c.txt": "y"})
    s3.slow = lambda request: "prefix=docs%2Fb" in request.query
    listing = list_source(corpus(f"s3://{bucket}/docs"))
    assert [file.path for file in listing.files] == ["a.txt"]
    assert not listing.complete
    assert "b cannot be listed" in listing.problems[0]


def test_a_bucket_that_is_not_there_says_so(s3: Server) -> None:
    with pytest.raises(SourceUnreachable, match=r"s3://no-such-bucket/docs.*no such file or folder.*source\.uri"):
        list_source(corpus("s3://no-such-bucket/docs"))


def test_a_key_that_may_not_list_names_its_connection(s3: Server) -> None:
    bucket = s3.bucket({"docs/a.txt": "x"})
    s3.denied = lambda request: True
    with pytest.raises(SourceUnreachable, match=r"(Access Denied|Forbidden).*connection `bucket`"):
        list_source(corpus(f"s3://{bucket}/docs"))


def test_a_key_that_nobody_has_names_its_connection(s3: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    bucket = s3.bucket({"docs/a.txt": "x"})
    monkeypatch.setattr("moto.settings.INITIAL_NO_AUTH_ACTION_COUNT", 0)  # from here on keys are checked
    with pytest.raises(SourceUnreachable, match=r"(Access Key Id|Forbidden).*connection `bucket`"):
        list_source(corpus(f"s3://{bucket}/docs"))


def test_a_service_that_is_away_is_unreachable(s3: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AIRFLOW_CONN_BUCKET", s3.connection().replace(s3.url.rpartition(":")[2], "1"))
    with pytest.raises(SourceUnreachable, match="127.0.0.1:1"):
        list_source(corpus("s3://somewhere/docs"))


def test_without_a_connection_the_environment_of_the_service_applies(
    s3: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    bucket = s3.bucket({"docs/a.txt": "x"})
    for name, value in {
        "AWS_ACCESS_KEY_ID": "key",
        "AWS_SECRET_ACCESS_KEY": "secret",
        "AWS_ENDPOINT_URL": s3.url,
        "AWS_DEFAULT_REGION": "us-east-1",
    }.items():
        monkeypatch.setenv(name, value)
    assert [file.path for file in list_source(corpus(f"s3://{bucket}/docs", connection=None)).files] == ["a.txt"]


def test_a_connection_that_is_missing_names_the_variable(s3: Server) -> None:
    with pytest.raises(ConfigError, match="AIRFLOW_CONN_NOWHERE"):
        list_source(corpus("s3://bucket/docs", connection="nowhere"))
