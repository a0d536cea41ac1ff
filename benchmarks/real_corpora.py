"""Runs the Dag over real corpora, asks each a question, and prints what happened.

    python benchmarks/real_corpora.py [SET ...] [--root FOLDER] [--model hashing]

The documents are those of `$TAILGATE_CORPORA` or `~/.cache/tailgate-corpora`; the corpus files lie in
`benchmarks/corpora/`, each bound that differs from the default with its reason beside it. Everything is written below
`--root`, which is made when it is missing and can be thrown away.
"""

import argparse
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

from tailgate_local import screen
from tailgate_local.environment import Home
from tailgate_local.runs import Outcome, run_dag

HERE = Path(__file__).resolve().parent
SETS = sorted(path.stem for path in (HERE / "corpora").glob("*.yaml"))
QUESTIONS = {
    "qmsum_product": "What did the group say about the cost of the remote control?",
    "anthropic_docs_split": "How do I stream a response?",
    "handbook_18f": "How many days of leave can I carry over?",
    "cuad_300": "Which law governs this agreement?",
}


def main() -> None:
    """Each set has been run through its Dag; what the Dag, the store and a search say of it is on the screen."""
    asked = _arguments()
    _prepare(asked.root, asked.model)
    os.environ["TAILGATE_ROOT"] = str(asked.root)
    for name in asked.sets:
        print(f"\n== {name}", flush=True)
        started = time.monotonic()
        outcome = _dag(asked.root, name)
        print(f"Dag run {outcome.state} after {time.monotonic() - started:.0f} s", flush=True)
        _tailgate("releases", name)
        if outcome.succeeded and name in QUESTIONS:
            for expand in ("window", "parent"):
                _tailgate("search", name, QUESTIONS[name], "--expand", expand, "-k", "3")


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sets", nargs="*", default=SETS, metavar="SET", help=f"any of {', '.join(SETS)}")
    parser.add_argument("--root", type=Path, default=Path.home() / ".cache" / "tailgate-benchmark")
    parser.add_argument("--model", help="another embedding model, such as `hashing`")
    return parser.parse_args()


def _prepare(root: Path, model: str | None) -> None:
    """The root holds corpus files and a `corpora` folder with the documents."""
    documents = Path(os.environ.get("TAILGATE_CORPORA", Path.home() / ".cache" / "tailgate-corpora"))
    files, links = root / "include" / "corpora", root / "corpora"
    files.mkdir(parents=True, exist_ok=True)
    links.mkdir(exist_ok=True)
    for name in SETS:
        text = (HERE / "corpora" / f"{name}.yaml").read_text(encoding="utf-8")
        (files / f"{name}.yaml").write_text(text + (f"embed: {{model: {model}}}\n" if model else ""), encoding="utf-8")
    for found in sorted(documents.iterdir()):
        if not (links / found.name).exists():
            (links / found.name).symlink_to(found)
    _first_contracts(documents / "cuad" / "docs", links / "cuad_300")


def _first_contracts(source: Path, target: Path) -> None:
    if target.exists() or not source.exists():
        return
    target.mkdir()
    for path in sorted(source.iterdir())[:300]:
        shutil.copy2(path, target / path.name)


def _dag(root: Path, name: str) -> Outcome:
    home = Home(folder=root / ".airflow")
    with screen.quiet(home.run_log) as console:
        return run_dag(
            home, f"tailgate_{name}", lambda text: screen.line(console, text), lambda step: screen.step(console, step)
        )


def _tailgate(*words: str) -> None:
    subprocess.run([sys.executable, "-m", "tailgate", *words], check=False)


if __name__ == "__main__":
    main()
