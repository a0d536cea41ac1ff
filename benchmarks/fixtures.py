"""Parses every file of `binary_fixtures` and counts by suffix how it ended.

    python benchmarks/fixtures.py [--list]

Each file goes through the parser alone. `silent` are documents without a letter of text and without an error, `slow`
those that took more than ten seconds: both, and `crashed`, must be 0.
"""

import argparse
import os
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from tailgate.errors import DocumentError
from tailgate.models import SourceFile
from tailgate.parse import parse

SLOW_S = 10.0


@dataclass(frozen=True, slots=True)
class Outcome:
    """How one file ended: `parsed`, `silent`, `crashed` or the name of a DocumentError, and why."""

    suffix: str
    path: str
    result: str
    reason: str
    seconds: float


def outcomes() -> list[Outcome]:
    """One for each file below `binary_fixtures/docs`, in the order of their paths."""
    root = Path(os.environ.get("TAILGATE_CORPORA", Path.home() / ".cache" / "tailgate-corpora"))
    folder = root / "binary_fixtures" / "docs"
    return [_outcome(path, folder) for path in sorted(folder.rglob("*")) if path.is_file()]


def measure() -> list[tuple[str, str, int]]:
    """(suffix, result, files), by suffix; `slow` counts files a second time."""
    counts = Counter[tuple[str, str]]()
    for outcome in outcomes():
        counts[outcome.suffix, outcome.result] += 1
        counts[outcome.suffix, "slow"] += outcome.seconds > SLOW_S
    return [(suffix, result, count) for (suffix, result), count in sorted(counts.items()) if count]


def _outcome(path: Path, folder: Path) -> Outcome:
    data = path.read_bytes()
    name = path.relative_to(folder).as_posix()
    started = time.perf_counter()
    result, reason = _parsed(data, SourceFile(name, name, len(data), None))
    return Outcome(path.suffix.lower(), name, result, reason, time.perf_counter() - started)


def _parsed(data: bytes, file: SourceFile) -> tuple[str, str]:
    try:
        document = parse(data, file)
    except DocumentError as error:
        return type(error).__name__, error.reason
    except BaseException as error:  # noqa: BLE001 - a crash of whatever kind is what is counted here
        return "crashed", repr(error)
    return ("parsed" if any(map(str.isalnum, document.text)) else "silent"), "; ".join(document.warnings)


def main() -> None:
    """The counts are on the screen, and with `--list` every file that is no document, and why."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--list", action="store_true", help="show every file with how it ended")
    listed = parser.parse_args().list
    counts = measure() if not listed else []
    for outcome in outcomes() if listed else ():
        print(f"{outcome.result:20} {outcome.seconds:6.2f} s  {outcome.path}  {outcome.reason}")
    for suffix, result, count in counts:
        print(f"{suffix or '(none)':10} {result:20} {count:4}")
    totals = Counter[str]()
    for _, result, count in counts:
        totals[result] += count
    print("   ".join(f"{result} {count}" for result, count in totals.most_common()))


if __name__ == "__main__":
    main()
