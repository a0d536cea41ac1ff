"""Folders to check, and frames to advise on, built from a few numbers."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import pandas as pd

from tailgate import config
from tailgate.config import Corpus
from tailgate.survey import Material, Sight

CALL = "Ann: Where is the key?\nBob: It hangs by the door. It has a red tag.\nAnn: Thanks.\n"
GUIDE = "# Keys\n\nAll keys hang by the door.\n\n## Spare keys\n\nAsk the porter for one. He is there from eight.\n"


def corpus(**tree: object) -> Corpus:
    return config.parse({"name": "check", "source": {"uri": "."}} | tree, where="test")


def folder(path: Path, files: Mapping[str, str | bytes]) -> str:
    for name, content in files.items():
        (path / name).parent.mkdir(parents=True, exist_ok=True)
        data = content if isinstance(content, bytes) else content.encode()
        (path / name).write_bytes(data)
    return str(path)


def material(shapes: Mapping[str, Mapping[str, Sequence[int]]]) -> Material:
    """A document for each shape, with sentences, windows and authored or synthetic parents of the sizes given."""
    documents, sentences, parents = [], [], []
    for shape, sizes in shapes.items():
        name, pseudo, kind = f"{shape}.txt", sizes.get("pseudo", []), "json" if shape == "dump" else "prose"
        said, windows = list(sizes.get("sentences", [])), list(sizes.get("windows", []))
        held = [(n, "authored") for n in sizes.get("authored", [])]
        held += [(n, "synthetic") for n in sizes.get("synthetic", [])]
        documents.append((name, shape, 4 * sum(said), sum(said), len(said), len(held), 0))
        for at, n in enumerate(said):
            window = windows[at % len(windows)] if windows else 5 * n
            sentences.append((name, shape, at, kind, 4 * n, n, 0, at in pseudo, window))
        for at, (n, origin) in enumerate(held):
            parents.append((name, shape, at, ("Guide",), origin, 0, n, n))
    return Material(
        documents=_frame(documents, "document shape chars tokens sentences parents warnings"),
        sentences=_frame(sentences, "document shape ordinal kind chars raw_tokens piece pseudo window_tokens"),
        parents=_frame(parents, "document shape ordinal heading_path origin piece tokens raw_tokens"),
        warnings=(),
        sight=lambda unit, name, ordinal: Sight(),
    )


def _frame(rows: list[tuple[object, ...]], columns: str) -> pd.DataFrame:
    return pd.DataFrame(rows, columns=columns.split())
