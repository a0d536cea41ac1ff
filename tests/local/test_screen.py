"""What reaches people, and what goes to the log."""

import subprocess
import sys
from pathlib import Path

PROGRAM = """
import logging, os, sys
from pathlib import Path
from tailgate_local import screen
from tailgate_local.runs import Step

with screen.quiet(Path(sys.argv[1])) as console:
    print("noise on stdout")
    logging.warning("noise in a logger")
    os.system("echo noise of a child process")
    screen.step(console, Step("check_shape", "failed", 1.25))
print("after")
"""


def test_people_see_the_screen_and_the_log_has_the_rest(tmp_path: Path) -> None:
    log = tmp_path / "home" / "last-run.log"
    done = subprocess.run([sys.executable, "-c", PROGRAM, log], capture_output=True, text=True, check=True)
    assert done.stderr == ""
    assert done.stdout.split() == ["✗", "check_shape", "1.2", "s", "after"]
    kept = log.read_text(encoding="utf-8")
    assert all(f"noise {where}" in kept for where in ("on stdout", "in a logger", "of a child process"))
