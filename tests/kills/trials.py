"""A night that is stopped somewhere, what readers see after it, and the night after that."""

import json
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, Self

import yaml

from tailgate import config
from tailgate.store import open_store

How = Literal["kill", "refuse", "vanish"]
HISTORY = ("run_id", "indexed_at", "uri")
"""What a row says about when and from where it was written."""
KEYS = {"documents": "document_id", "parents": "parent_id", "sentences": "sentence_id", "children": "child_id"}
BEFORE = {
    "guide.md": "# Pump\n\n## Priming\n\nClose the valve. Prime twice.\n\n| part | Nm |\n| --- | --- |\n| bolt | 4 |\n",
    "call.txt": "Agent: How can I help?\nCaller: The pump knocks. It does so at night.\nAgent: It sucks air.\n",
    "note.txt": "The gauge shows two bar. The hose was replaced in March. Nobody has seen a leak since.",
    "gone.txt": "This note is about to go. Nobody will miss it.",
}
AFTER = {
    "guide.md": BEFORE["guide.md"].replace("twice", "three times"),
    "call.txt": BEFORE["call.txt"],
    "note.txt": "The gauge shows two bar.",
    "new.txt": "A new note. It has two sentences.",
}
SCENES: dict[str, tuple[dict[str, str], dict[str, Any]]] = {
    "first": ({}, {}),
    "changed": (BEFORE, {}),
    "radius": (BEFORE, {"window": {"before": 0, "after": 3}}),
}
"""What the store held before the night (nothing: there was none), and what the corpus file asks for that night."""
Rows = dict[str, list[dict[str, Any]]]


class NightServer:
    """Builds, in processes of their own, of which each can be stopped."""

    def __enter__(self) -> Self:
        command = [sys.executable, str(Path(__file__).with_name("night_server.py"))]
        env = os.environ | {"OMP_NUM_THREADS": "1", "LANCEDB_LOG": "error"}
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=env)
        return self

    def __exit__(self, *_: object) -> None:
        self._process.terminate()
        self._process.wait()

    def night(self, corpus: Path, **order: Any) -> tuple[int, int]:
        """The exit code, negative for a signal, and the number of commit points that were passed."""
        if self._process.stdin is None or self._process.stdout is None:
            raise RuntimeError("the server has no pipes")
        self._process.stdin.write(json.dumps({"corpus": str(corpus)} | order) + "\n")
        self._process.stdin.flush()
        answer = json.loads(self._process.stdout.readline())
        return answer["code"], answer["passed"]


@dataclass(frozen=True)
class Scene:
    """A store as it was before the night, the night's documents, and the rows before and after."""

    folder: Path
    server: NightServer
    before: Rows
    after: Rows
    points: int
    """Commit points of an undisturbed night."""

    @property
    def corpus(self) -> Path:
        return self.folder / "corpus.yaml"

    def trial(self, **order: Any) -> int:
        """The exit code of a night that was stopped as ordered.

        Raises AssertionError where readers then see anything but one whole release, or where the next night does not
        end as an undisturbed one would.
        """
        for name in ("data", "docs"):
            self._reset(name)
        code, _ = self.server.night(self.corpus, **order)
        seen = served(self.corpus)
        if seen not in (self.before, self.after):
            raise AssertionError(f"readers see neither the old nor the new release after {order}")
        self._reset("docs")
        again, _ = self.server.night(self.corpus)
        if again or served(self.corpus) != self.after:
            raise AssertionError(f"the night after {order} ended with {again}, and not as an undisturbed one")
        return code

    def _reset(self, name: str) -> None:
        shutil.rmtree(self.folder / name, ignore_errors=True)
        if (self.folder / f"{name}.kept").exists():
            shutil.copytree(self.folder / f"{name}.kept", self.folder / name)


def scene(name: str, folder: Path, server: NightServer) -> Scene:
    """The scene of that name, made ready in the folder."""
    documents, settings = SCENES[name]
    corpus = folder / "corpus.yaml"
    _write_corpus(corpus, {})
    if documents:
        _write(folder / "docs", documents)
        _must(server.night(corpus)[0] == 0, "the first build")
        shutil.copytree(folder / "data", folder / "data.kept")
    before = served(corpus)
    _write(folder / "docs", AFTER)
    shutil.copytree(folder / "docs", folder / "docs.kept")
    _write_corpus(corpus, settings)
    code, points = server.night(corpus)
    _must(code == 0, "an undisturbed night")
    after = served(corpus)
    shutil.rmtree(folder / "data")
    _must(server.night(corpus)[0] == 0, "a fresh build")
    _must(served(corpus) == after, "an undisturbed night ends as a fresh build does")
    return Scene(folder, server, before, after, points)


def served(corpus: Path) -> Rows:
    """What readers see; nothing where no release is served."""
    settings = config.load(corpus)
    store = open_store(settings)
    release = store.latest()
    if release is None:
        return {}
    snapshot, found = store.snapshot(release), {}
    for table in ("documents", "parents", "sentences", "children"):
        rows = snapshot.arrow(table).drop_columns([c for c in HISTORY if table == "documents"]).to_pylist()
        found[table] = sorted(rows, key=lambda row: str(row[KEYS[table]]))
    return found


def _write(folder: Path, documents: dict[str, str]) -> None:
    """The folder holds these documents and no others; those that are there with the same text are left alone."""
    folder.mkdir(parents=True, exist_ok=True)
    for file in folder.iterdir():
        if file.name not in documents:
            file.unlink()
    for name, text in documents.items():
        file = folder / name
        if not file.exists() or file.read_text() != text:
            file.write_text(text)


def _write_corpus(path: Path, settings: dict[str, Any]) -> None:
    gates = {gate: {"max": 1} for gate in ("documents_lost_share", "sentences_lost_share", "quarantined_share")}
    tree = {
        "name": "pumps",
        "source": {"uri": str(path.parent / "docs")},
        "store": {"uri": str(path.parent / "data")},
        "embed": {"model": "hashing:16"},
        "parse": {"isolate": False},
        "gates": gates,
        **settings,
    }
    path.write_text(yaml.safe_dump(tree))


def _must(holds: bool, what: str) -> None:
    if not holds:
        raise AssertionError(f"{what} must succeed")
