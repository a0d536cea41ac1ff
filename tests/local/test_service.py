"""Starting and ending a group of processes, whatever they do about signals."""

import json
import os
import signal
import subprocess
import sys
import time
from dataclasses import asdict
from pathlib import Path

import pytest

from tailgate_local import service
from tailgate_local.environment import Home, Ports
from tailgate_local.service import Service

POLITE = "import sys, time\ntry:\n    print('up', flush=True); time.sleep(60)\nexcept KeyboardInterrupt:\n    pass"
STUBBORN = """
import signal, subprocess, sys, time
for number in (signal.SIGINT, signal.SIGTERM):
    signal.signal(number, signal.SIG_IGN)
child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
print("up", flush=True)
time.sleep(60)
"""


@pytest.fixture
def home(tmp_path: Path) -> Home:
    (tmp_path / ".airflow").mkdir()
    return Home(folder=tmp_path / ".airflow", checkout=tmp_path)


def leader(home: Home, program: str) -> Service:
    process = subprocess.Popen(
        [sys.executable, "-c", program, "airflow"],
        stdout=subprocess.PIPE,
        start_new_session=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    assert process.stdout
    assert process.stdout.readline() == b"up\n"
    started = Service(process.pid, Ports())
    home.service.write_text(json.dumps(asdict(started)), encoding="utf-8")
    return started


def group_is_empty(pid: int) -> bool:
    try:
        os.killpg(pid, 0)
    except ProcessLookupError:
        return True
    return False


@pytest.mark.parametrize("program", [POLITE, STUBBORN])
def test_nothing_of_a_stopped_service_keeps_running(home: Home, program: str) -> None:
    started = leader(home, program)
    assert service.running(home) == started
    began = time.monotonic()
    service.stop(home, started, patience_s=1.5)
    assert time.monotonic() - began < 8
    assert group_is_empty(started.pid)
    assert service.running(home) is None


def test_ports_are_remembered_when_the_service_has_stopped(home: Home) -> None:
    remembered = Service(leader(home, POLITE).pid, Ports(api=9123))
    service.stop(home, remembered, patience_s=5)
    again = service.recorded(home)
    assert again
    assert again.ports == Ports(api=9123)


def test_process_that_is_not_airflow_is_never_taken_for_the_service() -> None:
    assert not Service(0, Ports()).is_alive()
    other = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
    try:
        time.sleep(0.3)
        assert not Service(other.pid, Ports()).is_alive()
    finally:
        other.kill()
        other.wait()


@pytest.mark.parametrize("text", ["", "[]", '{"pid": 1}', '{"pid": 1, "ports": {"web": 1}}'])
def test_record_that_cannot_be_read_counts_as_no_service(home: Home, text: str) -> None:
    home.service.write_text(text, encoding="utf-8")
    assert service.recorded(home) is None


def test_service_that_does_not_answer_is_not_healthy(home: Home) -> None:
    states = service.health(home, Service(os.getpid(), Ports(api=9)))
    assert set(states.values()) == {"no answer"}
