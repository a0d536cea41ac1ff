"""Airflow's scheduler, workers and web interface as one background service of this checkout.

`airflow standalone` ends its components only when it is interrupted: ended otherwise, it leaves them running. It also
calls itself ready without asking its web server. Hence the care with signals and the look at the health page here.
"""

import json
import os
import signal
import subprocess
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path

import httpx

from tailgate_local import environment
from tailgate_local.environment import Home, Ports

START_S = 240.0
STOP_S = 30.0
COMPONENTS = ("metadatabase", "scheduler", "triggerer", "dag_processor")


@dataclass(frozen=True, slots=True)
class Service:
    """A service that was started: the process that leads its group, and its ports."""

    pid: int
    ports: Ports

    def is_alive(self) -> bool:
        """Whether that process runs and is still Airflow: a number can have been given to another program."""
        if self.pid <= 0:
            return False
        try:
            os.kill(self.pid, 0)
        except OSError:
            return False
        return not Path("/proc/self").exists() or b"airflow" in _bytes(Path(f"/proc/{self.pid}/cmdline"))


def recorded(home: Home) -> Service | None:
    """The service that was started last, whether or not it still runs."""
    try:
        tree = json.loads(home.service.read_text(encoding="utf-8"))
        return Service(tree["pid"], Ports(**tree["ports"]))
    except (OSError, ValueError, KeyError, TypeError):
        return None


def running(home: Home) -> Service | None:
    """The service, if its process runs."""
    service = recorded(home)
    return service if service and service.is_alive() else None


def start(home: Home) -> Service:
    """Airflow starts in a session of its own, so that it outlives this terminal and can be interrupted as a whole."""
    environment.prepare(home)
    before = recorded(home)
    ports = environment.free_ports(before.ports if before else Ports())
    env = os.environ | environment.variables(home, ports)
    with home.service_log.open("wb") as log:
        process = subprocess.Popen(
            ["airflow", "standalone"],
            env=env,
            executable=str(Path(env["PATH"].split(os.pathsep)[0]) / "airflow"),
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=subprocess.STDOUT,
            start_new_session=True,
            # A shell starts background commands with SIGINT ignored; Airflow would inherit that and could not be ended.
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
        )
    service = Service(process.pid, ports)
    home.service.write_text(json.dumps(asdict(service)), encoding="utf-8")
    return service


def health(home: Home, service: Service) -> dict[str, str]:
    """What each component says of itself; `no answer` where the web server does not."""
    try:
        answer = httpx.get(f"{home.url(service.ports)}/api/v2/monitor/health", timeout=10, trust_env=False).json()
    except (httpx.HTTPError, ValueError):
        return dict.fromkeys(COMPONENTS, "no answer")
    return {name: str(answer.get(name, {}).get("status") or "not started") for name in COMPONENTS}


def wait_until_healthy(home: Home, service: Service, seen: Callable[[dict[str, str]], None]) -> bool:
    """Whether all components became healthy in time; `seen` is told each state on the way."""
    deadline = time.monotonic() + START_S
    while time.monotonic() < deadline and service.is_alive():
        states = health(home, service)
        seen(states)
        if set(states.values()) == {"healthy"}:
            return True
        time.sleep(1)
    return False


def stop(home: Home, service: Service, *, patience_s: float = STOP_S) -> None:
    """No process of the service runs: interrupted first, then terminated, then killed."""
    _signal(lambda: os.kill(service.pid, signal.SIGINT))
    if not _ended(service, patience_s):
        _signal(lambda: os.killpg(service.pid, signal.SIGTERM))
        if not _ended(service, patience_s / 3):
            _signal(lambda: os.killpg(service.pid, signal.SIGKILL))
            _ended(service, 5)
    home.service.write_text(json.dumps({"pid": 0, "ports": asdict(service.ports)}), encoding="utf-8")


def _ended(service: Service, within_s: float) -> bool:
    """Whether the whole group has ended within that time."""
    deadline = time.monotonic() + within_s
    while time.monotonic() < deadline:
        with suppress(ChildProcessError):
            os.waitpid(service.pid, os.WNOHANG)
        try:
            os.killpg(service.pid, 0)
        except OSError:
            return True
        time.sleep(0.2)
    return False


def _signal(send: Callable[[], None]) -> None:
    with suppress(ProcessLookupError):
        send()


def _bytes(file: Path) -> bytes:
    with suppress(OSError):
        return file.read_bytes()
    return b""
