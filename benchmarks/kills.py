"""Stops hundreds of nights, and looks after each what readers see and how the next night ends.

    python benchmarks/kills.py [--random 340]

Goes through every commit point of three nights (a first build, a night with changes, a new radius): killed at it, and
refused by the store; then kills at random moments. Each trial is two nights. Ends with 1 at the first wrong index.
"""

import argparse
import random
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests" / "kills"))

from trials import SCENES, NightServer, Scene, scene


def main() -> None:
    """Prints one row a scene, and the sum."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--random", type=int, default=340, help="kills at random moments, over all scenes")
    asked = parser.parse_args()
    killed = 0
    print(
        f"{'scene':10}{'points':>8}{'killed':>8}{'refused':>9}{'at random':>11}{'ended first':>13}{'seconds':>9}",
        flush=True,
    )
    with NightServer() as server, tempfile.TemporaryDirectory() as folder:
        for number, name in enumerate(SCENES):
            made = scene(name, _made(Path(folder) / name), server)
            start = time.monotonic()
            at_points = [made.trial(at=at) for at in range(1, made.points + 1)]
            refused = [made.trial(at=at, how="refuse") for at in range(1, made.points + 1)]
            at_random = _at_random(made, asked.random // len(SCENES), seed=number)
            killed += at_points.count(-9) + at_random[-9]
            figures = (
                made.points,
                at_points.count(-9),
                sum(code == 3 for code in refused),
                at_random[-9],
                at_random[0],
            )
            row = f"{name:10}{figures[0]:8}{figures[1]:8}{figures[2]:9}{figures[3]:11}{figures[4]:13}"
            print(f"{row}{time.monotonic() - start:9.0f}", flush=True)
    print(
        f"{killed} kills survived: each time readers saw one whole release, and the next night ended as a fresh build"
    )


def _at_random(made: Scene, trials: int, *, seed: int) -> Counter[int]:
    """How the nights ended; the moments are drawn from twice the time of an undisturbed one."""
    draw, start = random.Random(seed), time.monotonic()
    made.trial()
    seconds = (time.monotonic() - start) / 2
    return Counter(made.trial(after_s=draw.uniform(0.02, seconds)) for _ in range(trials))


def _made(folder: Path) -> Path:
    folder.mkdir()
    return folder


if __name__ == "__main__":
    main()
