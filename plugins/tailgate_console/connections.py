"""Airflow's connections, in the form that alerts use."""

import json
from collections.abc import Callable
from typing import Any

from airflow.sdk import Connection as AirflowConnection

from tailgate.alert import Connection, connection_name
from tailgate.config import Corpus


def connection(name: str) -> Connection:
    """The connection of that name, in a task or the Dag processor; raises what Airflow raises where there is none."""
    return _converted(AirflowConnection.get(name))


async def connections(corpus: Corpus) -> Callable[[str], Connection]:
    """The connections of all channels, fetched in an event loop; one that is missing raises when it is asked for."""
    held: dict[str, Connection | Exception] = {}
    for name in map(connection_name, corpus.alerts):
        try:
            held[name] = _converted(await AirflowConnection.async_get(name))
        except Exception as error:  # noqa: BLE001  a missing connection must not stop the other channels
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
