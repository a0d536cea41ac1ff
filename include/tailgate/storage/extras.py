"""Reads the extra of a connection, which forms hold as JSON and URLs as text."""

import json
from collections.abc import Mapping

from tailgate.config import Connection
from tailgate.errors import ConfigError


def word(connection: Connection, *names: str) -> str:
    """The first of these entries that says something, as text."""
    found = (connection.extra.get(name) for name in names)
    return next((str(value) for value in found if value not in (None, "", False)), "")


def mapping(connection: Connection, *names: str) -> Mapping[str, object]:
    """The first of these entries that there is, as a mapping; raises ConfigError where it is none."""
    for name in names:
        value = connection.extra.get(name)
        if value in (None, ""):
            continue
        try:
            tree = json.loads(value) if isinstance(value, str) else value
        except ValueError:
            tree = None
        if isinstance(tree, Mapping):
            return tree
        raise ConfigError("connection", f"`{name}` in its extra is no JSON object", "Correct it in Airflow.")
    return {}


def said(options: Mapping[str, object]) -> dict[str, object]:
    """The options that say something."""
    return {name: value for name, value in options.items() if value not in (None, "", {})}
