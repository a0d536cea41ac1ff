"""Where a service is reached, with the secrets for it: they come from Airflow or the environment, never from a file."""

import json
import os
from base64 import b64encode
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

from tailgate.errors import ConfigError

SLACK = "https://hooks.slack.com/services"
HTTP = ("http", "https")
PREFIX = "AIRFLOW_CONN_"


@dataclass(frozen=True, slots=True)
class Connection:
    """The fields of an Airflow connection; what may be secret has no `repr`."""

    kind: str = ""
    """`smtp`, `http`, `slackwebhook`, `aws`, `google_cloud_platform`, `wasb`: Airflow's connection type."""
    schema: str = field(default="", repr=False)
    """`http` or `https`; or, of a connection that was written as one URL, the path of that URL."""
    host: str = ""
    port: int | None = None
    login: str = ""
    password: str = field(default="", repr=False)
    extra: Mapping[str, object] = field(default_factory=dict, repr=False)

    @property
    def url(self) -> str:
        """The address that a webhook is posted to; raises ValueError where it has none.

        A Slack connection keeps the secret part of its path as its password.
        """
        slack = self.kind.startswith("slack")
        host = self.host or (SLACK if slack else "")
        scheme = self.schema if self.schema in HTTP else self.kind if self.kind in HTTP else "https"
        parts = urlsplit(host if "://" in host else f"{scheme}://{host}")
        if parts.scheme not in HTTP or not parts.hostname:
            raise ValueError("the connection has no host that can be reached by http or https")
        netloc = f"{parts.netloc}:{self.port}" if self.port and parts.port is None else parts.netloc
        path = [parts.path, "" if self.schema in HTTP else self.schema, self.password if slack else ""]
        steps = "/".join(step.strip("/") for step in path if step.strip("/"))
        address = f"{parts.scheme}://{netloc}/{steps}{f'?{parts.query}' if parts.query else ''}"
        if not address.isascii() or not address.isprintable() or " " in address:
            raise ValueError("the connection's address holds characters that no URL may hold")
        return address

    @property
    def authorization(self) -> str | None:
        """The header that proves who asks: basic with a login, a bearer token with a password alone."""
        if self.kind.startswith("slack") or not self.password:
            return None
        if self.login:
            return "Basic " + b64encode(f"{self.login}:{self.password}".encode()).decode("ascii")
        return f"Bearer {self.password}"

    def without_secrets(self, text: str) -> str:
        """The text with everything blotted out that only the connection may hold."""
        path = self.host.partition("://")[2].partition("/")[2].strip("/")
        secrets = (self.password, "" if self.schema in HTTP else self.schema, path, self.authorization or "")
        for secret in sorted((secret for secret in secrets if secret), key=len, reverse=True):
            text = text.replace(secret, "***")
        return text


Connect = Callable[[str], Connection]
"""Gives the connection of a name; raises ConfigError where there is none."""


def from_environment(name: str) -> Connection:
    """The connection in the variable that Airflow would read, `AIRFLOW_CONN_<NAME>`: a URL or a JSON object."""
    variable = f"{PREFIX}{name.upper()}"
    written = os.environ.get(variable, "")
    if not written:
        remedy = f"Make it in Airflow, or set the variable {variable} to its URL."
        raise ConfigError(f"connection {name}", "there is no such connection", remedy)
    try:
        return _of_json(json.loads(written)) if written.lstrip().startswith("{") else _of_url(written)
    except (ValueError, TypeError, AttributeError) as error:
        # The text may hold a password: it is not quoted.
        raise ConfigError(
            f"connection {name}",
            f"{variable} is neither a URL nor a JSON object",
            "Write it as Airflow does: scheme://login:password@host:port/schema?extra=value.",
        ) from error


def _of_json(tree: Any) -> Connection:
    extra = tree.get("extra") or {}
    return Connection(
        kind=str(tree.get("conn_type") or ""),
        schema=str(tree.get("schema") or ""),
        host=str(tree.get("host") or ""),
        port=int(tree["port"]) if tree.get("port") else None,
        login=str(tree.get("login") or ""),
        password=str(tree.get("password") or ""),
        extra=json.loads(extra) if isinstance(extra, str) else dict(extra),
    )


def _of_url(url: str) -> Connection:
    """As Airflow reads it: every part is quoted, and a query is the extra, or holds it whole as `__extra__`.

    The host may have a scheme of its own: `wasb://https://account.example/`.
    """
    kind, scheme_ends, rest = url.partition("://")
    parts = urlsplit(rest if "://" in rest else f"//{rest}")
    if not kind or not scheme_ends:
        raise ValueError("no scheme")
    host = unquote(parts.hostname or "")
    query = dict(parse_qsl(parts.query, keep_blank_values=True))
    return Connection(
        kind=kind.replace("-", "_"),
        schema=unquote(parts.path.removeprefix("/")),
        host=f"{parts.scheme}://{host}" if parts.scheme else host,
        port=parts.port,
        login=unquote(parts.username or ""),
        password=unquote(parts.password or ""),
        extra=json.loads(query["__extra__"]) if "__extra__" in query else query,
    )
