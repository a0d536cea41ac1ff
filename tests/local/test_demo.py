"""`make bad-night`, in a process of its own as a person starts it, on a small corpus and without a model."""

import subprocess
import sys
from pathlib import Path

import pytest

from tailgate import ingest
from tailgate.config import load
from tailgate.store import open_store

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = """
import sys
from pathlib import Path
from tailgate_local import demo
from tailgate_local.environment import Home

sys.exit(demo.bad_night(Home(folder=Path(sys.argv[1]) / ".airflow", checkout=Path(sys.argv[2]))))
"""
REFUND = "Refunds take five working days. They start when the parcel is back. You get a message then.\n"


@pytest.fixture
def sample(root: Path) -> Path:
    """A root with a sample corpus that has been published, and with the files of a bad night."""
    corpus = "name: sample\nsource: {uri: include/samples}\nembed: {model: hashing}\nstore: {uri: data}\n"
    (root / "include" / "corpora" / "sample.yaml").write_text(corpus, encoding="utf-8")
    for folder, name, text in (
        ("samples", "refunds.md", f"# Refunds\n\n{REFUND}"),
        ("samples-bad-night", "gateway.log", "2026-11-30T02:00:00Z INFO request took 12 ms\n" * 400),
    ):
        (root / "include" / folder).mkdir()
        (root / "include" / folder / name).write_text(text, encoding="utf-8")
    ingest.build("sample")
    return root


def test_bad_night_shows_gate_and_alert_and_a_search_from_the_old_release(sample: Path) -> None:
    left_over = sample / "include" / "samples" / "bad-night"
    left_over.mkdir()
    command = [sys.executable, "-c", PROGRAM, str(sample), str(ROOT)]
    done = subprocess.run(command, cwd=sample, capture_output=True, text=True, check=False, timeout=200)
    assert done.returncode == 0, done.stdout + done.stderr
    shown = done.stdout
    for said in ("✗ check_shape", "unsegmentable_share", "bad-night/gateway.log", "data/sample/alerts.jsonl"):
        assert said in shown
    assert "release r000001, the same as before the bad night" in " ".join(shown.split())
    assert "Refunds take five working days." in shown
    assert "Traceback" not in shown + done.stderr
    assert not left_over.exists()
    served = open_store(load("sample")).latest()
    assert served
    assert served.release_id == "r000001"
