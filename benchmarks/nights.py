"""Simulates nights, and prints what they cost and what they leave: seconds, pieces, versions, files, bytes, latency.

    python benchmarks/nights.py [--nights 300] [--documents 200]

A made-up corpus with the hashing embedder; each night, a day after the one before, one document in a hundred changes,
every tenth night one goes and one comes. Releases are kept for 14 days. `latency` is the median of searches with
windows by a searcher of that night; the last column compares it with the first. Ends with a comparison of all rows with
a fresh build.
"""

import argparse
import random
import statistics
import tempfile
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

import yaml

from tailgate import config, ingest
from tailgate.search import Searcher
from tailgate.store import open_store
from tailgate.store.lance import Database

WORDS = [
    "pump",
    "valve",
    "gauge",
    "hose",
    "filter",
    "clamp",
    "motor",
    "shaft",
    "seal",
    "bolt",
    "flange",
    "pipe",
    "relay",
]
FIRST_NIGHT = datetime(2026, 1, 1, 2, tzinfo=UTC)
QUERIES = 15
HISTORY = ("run_id", "indexed_at")


def main() -> None:
    """Prints one row every 25 nights."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--nights", type=int, default=300)
    parser.add_argument("--documents", type=int, default=200)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        corpus = _corpus(Path(folder), "data")
        draw = random.Random(7)
        for number in range(asked.documents):
            _write(Path(folder), number, draw)
        names = ("night", "seconds", "pieces", "versions", "files", "MB", "latency ms", "× first")
        print("".join(f"{name:>12}" for name in names))
        first = 0.0
        for night in range(asked.nights + 1):
            seconds = _night(corpus, night)
            if night % 25 == 0:
                latency = _latency(corpus)
                first = first or latency
                _row(night, seconds, *_left(corpus), latency, latency / first)
            _change(Path(folder), night, asked.documents, draw)
        _night(corpus, asked.nights + 1)
        fresh = _corpus(Path(folder), "fresh")
        _night(fresh, 0)
        same = _rows(corpus) == _rows(fresh)
        print("rows are those of a fresh build" if same else "ROWS DIFFER from a fresh build")
        raise SystemExit(not same)


def _corpus(folder: Path, store: str) -> str:
    path = folder / f"{store}.yaml"
    gates = {gate: {"max": 1} for gate in ("documents_lost_share", "sentences_lost_share")}
    tree = {
        "name": "pumps",
        "source": {"uri": str(folder / "docs")},
        "store": {"uri": str(folder / store)},
        "embed": {"model": "hashing:64"},
        "parse": {"isolate": False},
        "retention": {"releases": 14, "days": 14},
        "gates": gates,
    }
    path.write_text(yaml.safe_dump(tree))
    return str(path)


def _write(folder: Path, number: int, draw: random.Random) -> None:
    sentences = (" ".join(draw.choices(WORDS, k=draw.randint(4, 18))).capitalize() + "." for _ in range(40))
    file = folder / "docs" / f"{number:04}.txt"
    file.parent.mkdir(exist_ok=True)
    file.write_text(" ".join(sentences))


def _change(folder: Path, night: int, documents: int, draw: random.Random) -> None:
    files = sorted((folder / "docs").iterdir())
    for file in draw.sample(files, max(1, len(files) // 100)):
        file.write_text(f"It was changed in night {night}. {file.read_text()}")
    if night % 10 == 9:
        files[night % len(files)].unlink()
        _write(folder, documents + night, draw)


def _night(corpus: str, night: int) -> float:
    start = time.monotonic()
    ingest.build(corpus, as_of=FIRST_NIGHT + timedelta(days=night))
    return time.monotonic() - start


def _latency(corpus: str) -> float:
    """Milliseconds of a search, the median of several; the searcher is warm."""
    searcher, draw, took = Searcher(config.load(corpus)), random.Random(1), []
    for query in range(QUERIES + 3):
        text = " ".join(draw.choices(WORDS, k=6))
        start = time.monotonic()
        searcher.search(text, expand="window", k=8)
        took += [1000 * (time.monotonic() - start)] if query >= 3 else []
    return statistics.median(took)


def _left(corpus: str) -> tuple[int, int, int, float]:
    """Pieces and versions of all tables together; files and megabytes of the corpus's folder."""
    settings = config.load(corpus)
    database = Database(f"{settings.folder}/tables")
    tables = [database.find(name) for name in ("documents", "parents", "sentences", "children", "releases")]
    pieces = sum(table.stats()["fragment_stats"]["num_fragments"] for table in tables if table)
    versions = sum(len(table.list_versions()) for table in tables if table)
    files = [file for file in Path(settings.folder).rglob("*") if file.is_file()]
    return pieces, versions, len(files), sum(file.stat().st_size for file in files) / 1e6


def _row(
    night: int, seconds: float, pieces: int, versions: int, files: int, mb: float, ms: float, ratio: float
) -> None:
    print(f"{night:12}{seconds:12.1f}{pieces:12}{versions:12}{files:12}{mb:12.1f}{ms:12.1f}{ratio:12.2f}", flush=True)


def _rows(corpus: str) -> list[list[dict[str, object]]]:
    store = open_store(config.load(corpus))
    snapshot = store.snapshot(store.release())
    tables = [snapshot.arrow(name) for name in ("documents", "parents", "sentences", "children")]
    kept = [table.drop_columns([name for name in HISTORY if name in table.column_names]) for table in tables]
    return [sorted(table.to_pylist(), key=str) for table in kept]


if __name__ == "__main__":
    main()
