"""Airflow's connections, in the form that the core uses."""

import json
from collections.abc import Callable
from typing import Any

from airflow.sdk import Connection as AirflowConnection
from airflow.sdk.exceptions import AirflowNotFoundException

from tailgate.alert import connection_name
from tailgate.config import Connection, Corpus
from tailgate.errors import ConfigError


def connection(name: str) -> Connection:
    """The connection of that name, in a task or the Dag processor; raises ConfigError where there is none."""
    try:
        return _converted(AirflowConnection.get(name))
    except AirflowNotFoundException as error:
        remedy = f"Make it under Admin, Connections, or set AIRFLOW_CONN_{name.upper()}."
        raise ConfigError(f"connection {name}", "there is no such connection in Airflow", remedy) from error


async def connections(corpus: Corpus) -> Callable[[str], Connection]:
    """The store's connection and those of all channels, fetched in an event loop.

    One that is missing raises when it is asked for.
    """
    held: dict[str, Connection | Exception] = {}
    store = [corpus.store.connection] if corpus.store.connection else []
    for name in [*store, *map(connection_name, corpus.alerts)]:
        try:
            held[name] = _converted(await AirflowConnection.async_get(name))
        except Exception as error:  # noqa: BLE001  a missing connection must not stop the others
            held[name] = error

    def given(name: str) -> Connection:
        found = held[name]
        if isinstance(found, Exception):
            raise found
        return found

    return given


def _converted(held: Any) -> Connection:
    """Parses the extra by itself: Airflow's own way blocks in an event loop."""
    extra = json.loads(held.extra) if held.extra else {}
    return Connection(
        kind=held.conn_type or "",
        schema=held.schema or "",
        host=held.host or "",
        port=held.port,
        login=held.login or "",
        password=held.password or "",
        extra=extra if isinstance(extra, dict) else {},
    )
