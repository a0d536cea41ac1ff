"""What every test stands on: no network, Airflow's home in a temporary folder, a root of its own, real corpora."""

import atexit
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Generator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from loopback_s3 import Server

ROOT = Path(__file__).resolve().parents[1]
AIRFLOW_HOME = tempfile.mkdtemp(prefix="tailgate-airflow-")
atexit.register(shutil.rmtree, AIRFLOW_HOME, ignore_errors=True)

# Airflow reads these when it is first imported, so they are set before any test module is.
os.environ.update({
    "AIRFLOW_HOME": AIRFLOW_HOME,
    "AIRFLOW__CORE__DAGS_FOLDER": str(ROOT / "dags"),
    "AIRFLOW__CORE__PLUGINS_FOLDER": str(ROOT / "plugins"),
    "AIRFLOW__CORE__LOAD_EXAMPLES": "False",
    "AIRFLOW__CORE__UNIT_TEST_MODE": "False",
    "AIRFLOW__DATABASE__SQL_ALCHEMY_CONN": f"sqlite:///{AIRFLOW_HOME}/airflow.db",
    "DO_NOT_TRACK": "1",
    "GX_ANALYTICS_ENABLED": "false",
    "HF_HUB_OFFLINE": "1",
    "TRANSFORMERS_OFFLINE": "1",
    "SCARF_ANALYTICS": "false",
})
# Airflow puts plugins/ on the path; tests of the notifier import it without starting Airflow.
sys.path.insert(0, str(ROOT / "plugins"))


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config: pytest.Config) -> None:
    """Only loopback and Unix sockets can be connected to (pytest-socket reads these options after this hook)."""
    config.option.allow_hosts = "127.0.0.1,::1,localhost"
    config.option.allow_unix_socket = True


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty root: relative paths in corpus files start here; named corpora lie in `include/corpora/` below it."""
    (tmp_path / "include" / "corpora").mkdir(parents=True)
    monkeypatch.setenv("TAILGATE_ROOT", str(tmp_path))
    return tmp_path


@pytest.fixture(scope="session")
def running_s3() -> "Generator[Server]":
    from loopback_s3 import s3_server

    with s3_server() as server:
        yield server


@pytest.fixture
def s3(running_s3: "Server", monkeypatch: pytest.MonkeyPatch) -> "Server":
    """An S3 server on loopback, without faults; the connection `bucket` leads to it."""
    running_s3.reset()
    monkeypatch.setenv("AIRFLOW_CONN_BUCKET", running_s3.connection())
    return running_s3


@pytest.fixture(scope="session")
def corpora() -> Callable[[str], Path]:
    """`corpora("cuad")` is the folder of that set of real documents; the test is skipped where it cannot be had."""

    def folder(name: str) -> Path:
        cache = Path(os.environ.get("TAILGATE_CORPORA") or Path.home() / ".cache" / "tailgate-corpora")
        if not (cache / name).is_dir():
            _unpack(name, cache)
        return cache / name

    return folder


def _unpack(name: str, cache: Path) -> None:
    shared = ROOT.parent / "shared" / "corpora"
    if not (shared / f"{name}.tar.gz").is_file():
        pytest.skip(f"the real corpus {name} is neither in {cache} nor in {shared}")
    subprocess.run(
        [shared / "unpack", name], check=True, capture_output=True, env=os.environ | {"TAILGATE_CORPORA": str(cache)}
    )
