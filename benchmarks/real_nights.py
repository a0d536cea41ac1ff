"""Two weeks of nights over real documents with the real model: what each costs against the first build.

    python benchmarks/real_nights.py [--set qmsum_product] [--model default] [--root FOLDER]

Each night is a `tailgate build` of its own, timed from start to end. After the first build: a night without changes;
13 nights in each of which one document in a hundred changes, one is deleted, one renamed and one shortened; a night
with another radius. After the last two, all rows but their vectors are compared with a fresh build's (with the hashing
embedder), and a sample of the vectors with those of the model.
"""

import argparse
import json
import os
import random
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import yaml

from tailgate import config
from tailgate.embed import open_embedder
from tailgate.models import Release
from tailgate.store import Snapshot, open_store

NIGHTS = 13
SAMPLE = 400
HISTORY = {"run_id", "indexed_at", "vector", "config_fingerprint"}


def main() -> None:
    """Prints one row a night."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--set", default="qmsum_product")
    parser.add_argument("--model", default="default")
    parser.add_argument("--root", type=Path, default=Path.home() / ".cache" / "tailgate-nights")
    asked = parser.parse_args()
    shutil.rmtree(asked.root, ignore_errors=True)
    cache = Path(os.environ.get("TAILGATE_CORPORA", Path.home() / ".cache" / "tailgate-corpora"))
    shutil.copytree(_documents(cache / asked.set), asked.root / "docs")
    corpus = _corpus(asked.root, "nights", model=asked.model)
    print(
        f"{'night':14}{'seconds':>9}{'of first':>10}{'embedded':>10}{'documents':>11}{'sentences':>11}{'MB':>8}",
        flush=True,
    )
    first = _night("first", corpus, 0.0)
    _night("unchanged", corpus, first)
    draw = random.Random(11)
    for night in range(1, NIGHTS + 1):
        _change(asked.root / "docs", night, draw)
        _night(f"changes {night}", corpus, first)
    _compare(asked.root, corpus, asked.model)
    _night("radius", _corpus(asked.root, "nights", model=asked.model, window={"before": 3, "after": 1}), first)
    _compare(asked.root, corpus, asked.model, window={"before": 3, "after": 1})


def _documents(folder: Path) -> Path:
    return folder / "docs" if (folder / "docs").is_dir() else folder


def _corpus(root: Path, name: str, **more: Any) -> Path:
    model = more.pop("model")
    tree = {"name": name, "source": {"uri": str(root / "docs"), "include": ["**/*.txt"]}, "embed": {"model": model}}
    path = root / f"{name}.yaml"
    path.write_text(yaml.safe_dump(tree | {"store": {"uri": str(root / "store")}} | more))
    return path


def _night(name: str, corpus: Path, first: float) -> float:
    start = time.monotonic()
    command = [sys.executable, "-m", "tailgate", "build", str(corpus), "--json"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    seconds = time.monotonic() - start
    if done.returncode:
        raise SystemExit(done.stdout + done.stderr)
    release = json.loads(done.stdout)["release"]
    metrics = release["metrics"] if release else {}
    numbers = [f"{int(metrics[key]):,}" if metrics else "–" for key in ("embedded", "documents", "sentences")]
    settings = config.load(corpus)
    size = sum(file.stat().st_size for file in Path(settings.folder).rglob("*") if file.is_file()) / 1e6
    share = f"{100 * seconds / (first or seconds):.1f} %"
    print(f"{name:14}{seconds:9.1f}{share:>10}{numbers[0]:>10}{numbers[1]:>11}{numbers[2]:>11}{size:8.0f}", flush=True)
    return seconds


def _change(docs: Path, night: int, draw: random.Random) -> None:
    """One in a hundred gets a sentence more, one goes, one is renamed, one loses its second half."""
    files = sorted(docs.rglob("*.txt"))
    chosen = draw.sample(files, max(1, round(len(files) / 100)) + 3)
    gone, renamed, shortened, *changed = chosen
    gone.unlink()
    renamed.rename(renamed.with_name(f"renamed-{night}-{renamed.name}"))
    text = shortened.read_text(encoding="utf-8")
    shortened.write_text(text[: text.find("\n", len(text) // 2)], encoding="utf-8")
    for file in changed:
        file.write_text(
            f"{file.read_text(encoding='utf-8')}\nChair: This was added in night {night}.\n", encoding="utf-8"
        )


def _compare(root: Path, corpus: Path, model: str, **more: Any) -> None:
    """Rows are those of a fresh build; vectors are those of the model."""
    fresh = _corpus(root, "fresh", model="hashing", **more)
    shutil.rmtree(root / "store" / "fresh", ignore_errors=True)
    _night("fresh, hashing", fresh, 0.0)
    kept, made = _snapshot(corpus), _snapshot(fresh)
    for table in ("documents", "parents", "sentences", "children"):
        if _rows(kept, table) != _rows(made, table):
            raise SystemExit(f"ROWS DIFFER in {table}")
    print(
        f"{'':14}rows equal a fresh build's; least cosine of {SAMPLE} vectors: {_cosine(kept, model):.6f}", flush=True
    )


def _snapshot(corpus: Path) -> Snapshot:
    store = open_store(config.load(corpus))
    release: Release = store.release()
    return store.snapshot(release)


def _rows(snapshot: Snapshot, table: Any) -> list[str]:
    """Every row, in an order of its own, without its history; ids hold the corpus's name, which differs."""
    rows = snapshot.arrow(table)
    kept = rows.select([name for name in rows.column_names if name not in HISTORY and not name.endswith("_id")])
    return sorted(json.dumps(row, sort_keys=True, default=str) for row in kept.to_pylist())


def _cosine(snapshot: Snapshot, model: str) -> float:
    rows = snapshot.arrow("sentences", ["text", "vector"]).to_pylist()
    drawn = random.Random(3).sample(rows, SAMPLE)
    again = open_embedder(config.Embed(model=model)).embed([row["text"] for row in drawn])
    return float(min(np.dot(row["vector"], vector) for row, vector in zip(drawn, again, strict=True)))


if __name__ == "__main__":
    main()
