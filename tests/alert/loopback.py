"""Real servers on loopback: one that takes mail, one that takes posts, ones that hang, refuse or redirect."""

import json
import socket
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from email import message_from_bytes, policy
from email.message import EmailMessage
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import AuthResult

from tailgate.alert import Connection


@dataclass
class Mailbox:
    """An SMTP server's handler that keeps what it took."""

    messages: list[EmailMessage] = field(default_factory=list)
    recipients: list[str] = field(default_factory=list)
    logins: list[tuple[bytes, bytes]] = field(default_factory=list)

    async def handle_RCPT(self, server, session, envelope, address, options):  # noqa: N802  aiosmtpd's name
        if address.startswith("nobody"):
            return "550 no such user"
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server, session, envelope):  # noqa: N802  aiosmtpd's name
        self.messages.append(message_from_bytes(envelope.content, policy=policy.default))
        self.recipients += envelope.rcpt_tos
        return "250 OK"

    def authenticate(self, server, session, envelope, mechanism, data):
        self.logins.append((data.login, data.password))
        return AuthResult(success=data.password == b"s3cret")


@contextmanager
def mail_server(**options: Any) -> Generator[tuple[Mailbox, int]]:
    box = Mailbox()
    controller = Controller(box, hostname="127.0.0.1", port=free_port(), **options)
    if options.get("auth_required"):
        controller.SMTP_kwargs["authenticator"] = box.authenticate
    controller.start()
    try:
        yield box, controller.port
    finally:
        controller.stop()


@dataclass
class Post:
    path: str
    headers: dict[str, str]
    body: Any


@contextmanager
def hook_server(status: int = 200) -> Generator[tuple[list[Post], int]]:
    posts: list[Post] = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            posts.append(Post(self.path, dict(self.headers), body))
            self.send_response(status)
            if status == 302:
                self.send_header("Location", "/elsewhere")
            self.end_headers()

        def do_GET(self) -> None:
            posts.append(Post(self.path, dict(self.headers), None))
            self.send_response(200)
            self.end_headers()

        def log_message(self, *args: Any) -> None:
            """Quiet."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
    try:
        yield posts, server.server_port
    finally:
        server.shutdown()
        server.server_close()


@contextmanager
def hanging_server() -> Generator[int]:
    """Accepts connections and never says a word."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield server.getsockname()[1]


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as server:
        return int(server.getsockname()[1])


def smtp_at(port: int, **other: Any) -> Connection:
    return Connection(kind="smtp", host="127.0.0.1", port=port, **other)


def http_at(port: int, **other: Any) -> Connection:
    return Connection(kind="http", host="127.0.0.1", port=port, **other)
