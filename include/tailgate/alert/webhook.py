"""An alert by a POST of JSON."""

import json
from typing import Any
from urllib.request import HTTPRedirectHandler, Request, build_opener

from tailgate.alert.message import Alert, text
from tailgate.config import Connection, Webhook
from tailgate.records import to_json


class _NoRedirect(HTTPRedirectHandler):
    """A redirected POST would arrive as a GET without the alert, and look as if it had been taken."""

    def redirect_request(self, *args: Any, **kwargs: Any) -> None:
        return None


def post(alert: Alert, webhook: Webhook, connection: Connection) -> None:
    """The address has answered with success.

    The body's `text` is the message, as Slack and its likes want it, and its `alert` is the whole record. Raises
    OSError (urllib's errors are), http.client.HTTPException or ValueError.
    """
    body = {"text": text(alert), "alert": to_json(alert)}
    request = Request(connection.url, json.dumps(body).encode("ascii"), method="POST")
    request.add_header("Content-Type", "application/json")
    request.add_header("User-Agent", "tailgate")
    if connection.authorization:
        request.add_unredirected_header("Authorization", connection.authorization)
    with build_opener(_NoRedirect).open(request, timeout=webhook.timeout_s):
        pass
