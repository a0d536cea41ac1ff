"""A real S3 server on loopback (moto's), with faults that a test can ask for."""

import logging
import threading
from collections.abc import Callable, Generator, Iterable
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote, unquote
from uuid import uuid4

import boto3
from botocore.config import Config
from moto.core import DEFAULT_ACCOUNT_ID
from moto.moto_server.werkzeug_app import DomainDispatcherApplication, create_backend_app
from moto.s3.models import s3_backends
from werkzeug.serving import make_server

SLOW_DOWN = b"<Error><Code>SlowDown</Code><Message>Please reduce your request rate.</Message></Error>"
DENIED = b"<Error><Code>AccessDenied</Code><Message>Access Denied</Message></Error>"


@dataclass(frozen=True)
class Request:
    method: str
    path: str
    query: str
    conditional: bool


@dataclass
class Server:
    url: str
    requests: list[Request] = field(default_factory=list)
    before: Callable[[Request], None] = lambda request: None
    """Called before each request is answered: to wait, or to change what the bucket holds."""
    slow: Callable[[Request], bool] = lambda request: False
    denied: Callable[[Request], bool] = lambda request: False

    @property
    def client(self) -> Any:
        return boto3.client(
            "s3",
            endpoint_url=self.url,
            aws_access_key_id="key",
            aws_secret_access_key="secret",
            region_name="us-east-1",
            config=Config(retries={"total_max_attempts": 1}),
        )

    def bucket(self, objects: dict[str, str] | None = None) -> str:
        name = f"documents-{uuid4().hex[:12]}"
        self.client.create_bucket(Bucket=name)
        for key, text in (objects or {}).items():
            s3_backends[DEFAULT_ACCOUNT_ID]["aws"].put_object(name, key, text.encode())
        return name

    def connection(self, key: str = "key", secret: str = "secret") -> str:
        """As `AIRFLOW_CONN_…` has it; botocore tries each request once, s3fs a few times."""
        config = quote('{"retries": {"total_max_attempts": 1}}')
        return f"aws://{key}:{secret}@/?endpoint_url={quote(self.url)}&region_name=us-east-1&config_kwargs={config}"

    def keys(self, bucket: str, prefix: str = "") -> list[str]:
        pages = self.client.get_paginator("list_objects_v2").paginate(Bucket=bucket, Prefix=prefix)
        return [entry["Key"] for page in pages for entry in page.get("Contents", [])]

    def reset(self) -> None:
        self.requests.clear()
        self.before, self.slow, self.denied = (lambda request: None), (lambda request: False), (lambda request: False)


@contextmanager
def s3_server() -> Generator[Server]:
    logging.getLogger("werkzeug").setLevel(logging.ERROR)
    moto, writing = DomainDispatcherApplication(create_backend_app), threading.Lock()
    server = Server("")

    def answer(environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        request = Request(
            environ["REQUEST_METHOD"],
            unquote(environ["PATH_INFO"]),
            environ.get("QUERY_STRING", ""),
            environ.get("HTTP_IF_NONE_MATCH") == "*",
        )
        server.requests.append(request)
        server.before(request)
        for status, body, asked in (
            ("503 Slow Down", SLOW_DOWN, server.slow),
            ("403 Forbidden", DENIED, server.denied),
        ):
            if asked(request):
                environ["wsgi.input"].read(int(environ.get("CONTENT_LENGTH") or 0))
                start_response(status, [("Content-Type", "application/xml"), ("Content-Length", str(len(body)))])
                return [] if request.method == "HEAD" else [body]
        if request.method == "GET":
            return moto(environ, start_response)
        with writing:  # moto looks whether an object is there, and then writes it, in two steps
            return list(moto(environ, start_response))

    http = make_server("127.0.0.1", 0, answer, threaded=True)
    server.url = f"http://127.0.0.1:{http.server_port}"
    threading.Thread(target=http.serve_forever, args=(0.02,), daemon=True).start()
    try:
        yield server
    finally:
        http.shutdown()
        http.server_close()
