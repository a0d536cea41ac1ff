"""Airflow's home on one machine: what Airflow is told, and what is left where."""

import socket
import stat
from dataclasses import astuple
from pathlib import Path

import pytest

from tailgate_local import environment, sqlite
from tailgate_local.environment import Home, Ports


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(folder=tmp_path / ".airflow", checkout=tmp_path)


def test_every_variable_names_a_setting_of_this_airflow(home: Home) -> None:
    from airflow.configuration import conf

    names = [name for name in environment.variables(home, Ports()) if name.startswith("AIRFLOW__")]
    assert len(names) >= 15
    for name in names:
        section, option = name.removeprefix("AIRFLOW__").lower().split("__", 1)
        known = conf.configuration_description[section]["options"]
        assert option in known or section == "core", name


def test_sqlite_waits_for_locks_in_both_engines(home: Home) -> None:
    from airflow.sdk._shared.module_loading import import_string

    values = environment.variables(home, Ports())
    for suffix, timeouts in (("", sqlite.SYNC), ("_ASYNC", sqlite.ASYNC)):
        assert import_string(values[f"AIRFLOW__DATABASE__SQL_ALCHEMY_CONNECT_ARGS{suffix}"]) is timeouts
        assert timeouts["timeout"] >= 60
    assert values["AIRFLOW__DATABASE__SQL_ALCHEMY_CONN"] == f"sqlite:///{home.database}"
    assert home.database.is_absolute()


def test_web_server_listens_on_loopback_and_workers_are_few(home: Home) -> None:
    values = environment.variables(home, Ports(api=8099))
    assert values["AIRFLOW__API__HOST"] == "127.0.0.1"
    assert values["AIRFLOW__CORE__EXECUTION_API_SERVER_URL"] == "http://127.0.0.1:8099/execution/"
    assert 2 <= int(values["AIRFLOW__CORE__PARALLELISM"]) <= 4


def test_password_is_made_once_and_only_its_owner_can_read_it(home: Home) -> None:
    environment.prepare(home)
    first = environment.password(home)
    environment.prepare(home)
    assert environment.password(home) == first
    assert len(first) >= 12
    assert stat.S_IMODE(home.passwords.stat().st_mode) == 0o600


def test_port_in_use_is_replaced_and_no_two_are_the_same() -> None:
    with socket.socket() as busy:
        busy.bind(("127.0.0.1", 0))
        busy.listen()
        taken = busy.getsockname()[1]
        ports = astuple(environment.free_ports(Ports(taken, taken, taken)))
    assert taken not in ports
    assert len(set(ports)) == 3


def test_variables_are_refused_once_airflow_would_not_see_them() -> None:
    import airflow  # noqa: F401  (the condition is that it has been imported)

    with pytest.raises(RuntimeError, match="imported already"):
        environment.export({})
