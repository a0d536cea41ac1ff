"""Where a channel sends to, with the secrets for it: they come from Airflow or the environment, never from a file."""

from base64 import b64encode
from collections.abc import Mapping
from dataclasses import dataclass, field
from urllib.parse import urlsplit

SLACK = "https://hooks.slack.com/services"
HTTP = ("http", "https")


@dataclass(frozen=True, slots=True)
class Connection:
    """The fields of an Airflow connection, as far as a channel needs them; what may be secret has no `repr`."""

    kind: str = ""
    """`smtp`, `http`, `https`, `slackwebhook`: Airflow's connection type."""
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
        """The header that proves who posts: basic with a login, a bearer token with a password alone."""
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
