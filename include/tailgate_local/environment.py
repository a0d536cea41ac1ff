"""Airflow's home in this checkout, and the variables that make Airflow use it; nobody edits a file of Airflow's."""

import json
import os
import secrets
import socket
import sys
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path

CHECKOUT = Path(__file__).resolve().parents[2]
USER = "admin"
HOST = "127.0.0.1"
WRITER_POOL = "tailgate_writer"
"""The pool, of one slot, in which tasks write tables."""


@dataclass(frozen=True, slots=True)
class Ports:
    """Where Airflow listens: its web interface, and the two log servers that it starts beside."""

    api: int = 8080
    scheduler_logs: int = 8793
    triggerer_logs: int = 8794


@dataclass(frozen=True, slots=True)
class Home:
    """The folder of Airflow's database, logs, passwords and ports."""

    folder: Path = CHECKOUT / ".airflow"
    checkout: Path = CHECKOUT

    @property
    def database(self) -> Path:
        return self.folder / "airflow.db"

    @property
    def passwords(self) -> Path:
        return self.folder / "passwords.json"

    @property
    def service(self) -> Path:
        """Says which process serves, and where; absent when none was started."""
        return self.folder / "service.json"

    @property
    def service_log(self) -> Path:
        return self.folder / "standalone.log"

    @property
    def run_log(self) -> Path:
        """What Airflow printed during the last run in this process."""
        return self.folder / "last-run.log"

    @property
    def dag_file(self) -> Path:
        return self.checkout / "dags" / "tailgate_reindex.py"

    def url(self, ports: Ports) -> str:
        return f"http://{HOST}:{ports.api}"


def variables(home: Home, ports: Ports) -> dict[str, str]:
    """Everything that Airflow must be told, as environment variables."""
    url = home.url(ports)
    return {
        "AIRFLOW_HOME": str(home.folder),
        "AIRFLOW__API__BASE_URL": url,
        "AIRFLOW__API__HOST": HOST,
        "AIRFLOW__API__PORT": str(ports.api),
        "AIRFLOW__CORE__DAGS_ARE_PAUSED_AT_CREATION": "False",
        "AIRFLOW__CORE__DAGS_FOLDER": str(home.checkout / "dags"),
        "AIRFLOW__CORE__EXECUTION_API_SERVER_URL": f"{url}/execution/",
        "AIRFLOW__CORE__EXECUTOR": "LocalExecutor",
        "AIRFLOW__CORE__LOAD_EXAMPLES": "False",
        # Each worker is a process that imports a model: more of them than cores only makes all of them slower.
        "AIRFLOW__CORE__PARALLELISM": str(min(4, max(2, os.cpu_count() or 2))),
        "AIRFLOW__CORE__PLUGINS_FOLDER": str(home.checkout / "plugins"),
        "AIRFLOW__CORE__SIMPLE_AUTH_MANAGER_PASSWORDS_FILE": str(home.passwords),
        "AIRFLOW__CORE__SIMPLE_AUTH_MANAGER_USERS": f"{USER}:admin",
        "AIRFLOW__DAG_PROCESSOR__REFRESH_INTERVAL": "20",
        "AIRFLOW__DATABASE__SQL_ALCHEMY_CONN": f"sqlite:///{home.database}",
        "AIRFLOW__DATABASE__SQL_ALCHEMY_CONNECT_ARGS": "tailgate_local.sqlite.SYNC",
        "AIRFLOW__DATABASE__SQL_ALCHEMY_CONNECT_ARGS_ASYNC": "tailgate_local.sqlite.ASYNC",
        "AIRFLOW__LOGGING__TRIGGER_LOG_SERVER_PORT": str(ports.triggerer_logs),
        "AIRFLOW__LOGGING__WORKER_LOG_SERVER_PORT": str(ports.scheduler_logs),
        # The server may itself wait for SQLite's lock, or just have been started: the default is five seconds.
        "AIRFLOW__WORKERS__EXECUTION_API_TIMEOUT": "90",
        "DO_NOT_TRACK": "1",
        "GX_ANALYTICS_ENABLED": "false",
        "HF_HUB_OFFLINE": "1",
        # `airflow standalone` looks up `airflow` for its components on the path.
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', '')}",
        "SCARF_ANALYTICS": "false",
        "TAILGATE_WRITER_POOL": WRITER_POOL,
    }


def prepare(home: Home) -> None:
    """The home exists, and the one user has a password that only this user of the machine can read."""
    home.folder.mkdir(parents=True, exist_ok=True)
    if not home.passwords.exists():
        descriptor = os.open(home.passwords, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            json.dump({USER: secrets.token_urlsafe(9)}, file)


def password(home: Home) -> str:
    """The password of the one user."""
    return str(json.loads(home.passwords.read_text(encoding="utf-8"))[USER])


def free_ports(remembered: Ports) -> Ports:
    """The remembered ports, each replaced by the next free one where something else listens there."""
    taken: set[int] = set()
    found: dict[str, int] = {}
    for name, wanted in asdict(remembered).items():
        found[name] = next(port for port in range(wanted, wanted + 1000) if port not in taken and _is_free(port))
        taken.add(found[name])
    return Ports(**found)


def export(values: Mapping[str, str]) -> None:
    """This process has the variables; Airflow reads them once, when it is imported."""
    if "airflow" in sys.modules:
        raise RuntimeError("Airflow is imported already and would not see these variables")
    os.environ.update(values)


def _is_free(port: int) -> bool:
    """Nothing listens on the port, on any address: Airflow's log servers bind all of them."""
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("", port))
        except OSError:
            return False
    return True
