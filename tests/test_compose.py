"""The compose file and the image it builds hang together, as far as that can be told without an engine."""

import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).resolve().parents[1]
COMPOSE: dict[str, Any] = yaml.safe_load((ROOT / "docker-compose.yaml").read_text(encoding="utf-8"))
SERVICES: dict[str, dict[str, Any]] = COMPOSE["services"]
OURS = sorted(name for name, service in SERVICES.items() if "build" in service)
LONG_RUNNING = sorted(set(SERVICES) - {"init"})


def examples() -> dict[str, str]:
    lines = (ROOT / ".env.example").read_text(encoding="utf-8").splitlines()
    return dict(line.split("=", 1) for line in lines if line and not line.startswith("#"))


def test_every_part_of_airflow_is_a_service() -> None:
    commands = {SERVICES[name]["command"] for name in OURS if name != "init"}
    assert commands == {"api-server", "scheduler", "dag-processor", "triggerer"}


def test_the_pool_that_writers_share_is_made_before_anything_runs() -> None:
    pool = SERVICES["scheduler"]["environment"]["TAILGATE_WRITER_POOL"]
    assert SERVICES["init"]["command"].startswith(f"pools set {pool} 1 ")


@pytest.mark.parametrize("name", sorted(SERVICES))
def test_service_names_its_image_and_waits_for_services_that_exist(name: str) -> None:
    service = SERVICES[name]
    assert ":" in service["image"]
    assert not service["image"].endswith(":latest")
    assert set(service.get("depends_on", {})) <= set(SERVICES)
    for other, wait in service.get("depends_on", {}).items():
        if wait["condition"] == "service_healthy":
            assert "healthcheck" in SERVICES[other]


@pytest.mark.parametrize("name", LONG_RUNNING)
def test_service_that_keeps_running_is_checked_and_restarted(name: str) -> None:
    assert SERVICES[name]["healthcheck"]["test"][0] in {"CMD", "CMD-SHELL"}
    assert {"interval", "timeout", "retries", "start_period"} <= set(SERVICES[name]["healthcheck"])
    assert SERVICES[name]["restart"] == "unless-stopped"


def test_all_parts_of_airflow_share_secrets_mounts_and_settings() -> None:
    first = SERVICES[OURS[0]]
    for name in OURS:
        environment = SERVICES[name]["environment"]
        for key in ("AIRFLOW__API_AUTH__JWT_SECRET", "AIRFLOW__API__SECRET_KEY", "AIRFLOW__CORE__FERNET_KEY"):
            assert environment[key] == first["environment"][key]
        assert SERVICES[name]["volumes"] == first["volumes"]


def test_every_setting_exists_in_this_airflow() -> None:
    from airflow.configuration import conf

    names = [key for key in SERVICES["scheduler"]["environment"] if key.startswith("AIRFLOW__")]
    assert len(names) >= 10
    for name in names:
        section, option = name.removeprefix("AIRFLOW__").lower().split("__", 1)
        assert option in conf.configuration_description[section]["options"], name


def test_secrets_have_no_default_and_are_explained() -> None:
    text = (ROOT / "docker-compose.yaml").read_text(encoding="utf-8")
    required = set(re.findall(r"\$\{([A-Z_]+):\?", text))
    optional = set(re.findall(r"\$\{([A-Z_]+):-", text))
    assert {name for name in required | optional if "SECRET" in name or "PASSWORD" in name or "KEY" in name} == required
    assert set(examples()) == required | optional
    assert all(examples()[name] == "" for name in required)


def test_nothing_listens_beyond_this_machine() -> None:
    ports = [port for service in SERVICES.values() for port in service.get("ports", [])]
    assert ports
    assert all(port.startswith("127.0.0.1:") for port in ports)


def test_code_is_mounted_read_only_where_the_image_looks_for_it() -> None:
    volumes = SERVICES["scheduler"]["volumes"]
    for folder in ("dags", "plugins", "include"):
        assert f"./{folder}:/opt/airflow/{folder}:ro" in volumes
    dockerfile = (ROOT / "Dockerfile").read_text(encoding="utf-8")
    assert "PYTHONPATH=/opt/airflow/include" in dockerfile
    assert "TAILGATE_ROOT=/opt/airflow" in dockerfile
    named = {volume.split(":")[0] for service in SERVICES.values() for volume in service.get("volumes", [])}
    assert set(COMPOSE["volumes"]) == {name for name in named if re.fullmatch(r"[a-z]+", name)}


def test_image_is_the_airflow_of_the_lock() -> None:
    lock = (ROOT / "requirements.txt").read_text(encoding="utf-8")
    locked = re.search(r"^apache-airflow==(\S+)", lock, re.MULTILINE)
    base = re.search(r"^FROM apache/airflow:slim-([\d.]+)-python3\.11$", (ROOT / "Dockerfile").read_text("utf-8"), re.M)
    assert locked
    assert base
    assert base[1] == locked[1]
    assert SERVICES["scheduler"]["image"].endswith(f":{locked[1]}")


def test_image_is_built_from_nothing_but_the_lock() -> None:
    ignore = (ROOT / ".dockerignore").read_text(encoding="utf-8").split("\n")
    assert [line for line in ignore if line and not line.startswith("#")] == ["*", "!requirements.txt"]
    copied = re.findall(r"^COPY (\S+) ", (ROOT / "Dockerfile").read_text(encoding="utf-8"), re.MULTILINE)
    assert copied == ["requirements.txt"]


def test_docker_accepts_the_compose_file(tmp_path: Path) -> None:
    docker = shutil.which("docker")
    if not docker or subprocess.run([docker, "compose", "version"], capture_output=True, check=False).returncode:
        pytest.skip("there is no docker client with the compose plugin on this machine")
    filled = tmp_path / "env"
    filled.write_text("\n".join(f"{name}={value or 'x'}" for name, value in examples().items()), encoding="utf-8")
    command = [docker, "compose", "--env-file", str(filled), "-f", str(ROOT / "docker-compose.yaml"), "config", "-q"]
    done = subprocess.run(
        command, capture_output=True, text=True, check=False, env=os.environ | {"HOME": str(tmp_path)}
    )
    assert done.returncode == 0, done.stderr
