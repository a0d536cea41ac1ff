"""Airflow's database, made once, before anything that writes to it at the same time is started."""

import sys
from collections.abc import Callable
from importlib.metadata import version

from tailgate_local import environment, service
from tailgate_local.environment import WRITER_POOL, Home, Ports


def prepare(home: Home, say: Callable[[str], None]) -> None:
    """The database has the tables of the installed version, and the pool of one slot in which tables are written."""
    marker = home.folder / f"database-{version('apache-airflow-core')}-{WRITER_POOL}"
    if marker.exists() and home.database.exists():
        return
    say("making Airflow's database (once)")
    use(home)
    from airflow.models.pool import Pool
    from airflow.utils.db import initdb

    initdb()
    Pool.create_or_update_pool(WRITER_POOL, 1, "One run at a time writes tables", include_deferred=False)
    marker.touch()


def use(home: Home) -> None:
    """Airflow in this process is the one of that home."""
    environment.prepare(home)
    if "airflow" not in sys.modules:
        before = service.recorded(home)
        environment.export(environment.variables(home, before.ports if before else Ports()))
