"""Documents made by hand, one sentence a line and a section below each `# ` line, and nights that load and publish."""

from collections.abc import Collection, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np

from tailgate import ids
from tailgate.config import Corpus
from tailgate.embed import open_embedder
from tailgate.models import (
    Child,
    Kind,
    Origin,
    Parent,
    ParsedDocument,
    Release,
    SegmentedDocument,
    Sentence,
    Shape,
    SourceFile,
    Window,
)
from tailgate.publish import publish
from tailgate.store import Changes, RunFolder, ShardWriter, Store, Table, open_store

AS_OF = datetime(2026, 3, 4, 5, 6, 7, 890123, tzinfo=UTC)
KEYS: dict[Table, str] = {
    "documents": "document_id",
    "parents": "parent_id",
    "sentences": "sentence_id",
    "children": "child_id",
}


def make_corpus(store: Path | str, **settings: Any) -> Corpus:
    """A corpus whose store is there; settings replace whole keys of its file."""
    tree = {"name": "notes", "source": {"uri": "in"}, "embed": {"model": "hashing:16"}, "store": {"uri": str(store)}}
    return Corpus.model_validate(tree | settings)


def make_file(path: str) -> SourceFile:
    return SourceFile(uri=f"/in/{path}", path=path, size=7, modified=AS_OF)


def make_document(text: str, corpus: Corpus) -> SegmentedDocument:
    """Lines as sentences; windows of one line to both sides, children of one sentence, where their design is built."""
    spans = _spans(text)
    parents = _parents(text, spans)
    owner = {i: p.ordinal for p in parents for i in range(p.first_sentence, p.last_sentence + 1)}
    sentences = tuple(
        Sentence(i, Kind.HEADING if text.startswith("# ", a) else Kind.PROSE, a, b, text[a:b], 5, 5, owner[i])
        for i, (a, b) in enumerate(spans)
    )
    windows = tuple(_window(text, spans, i) for i in range(len(spans)))
    children = tuple(Child(s.ordinal, s.parent, s.ordinal, s.ordinal, *spans[s.ordinal], s.text, 5) for s in sentences)
    return SegmentedDocument(
        parsed=ParsedDocument(text=text, elements=(), media_type="text/plain", warnings=("one table skipped",)),
        shape=Shape.PROSE,
        tokens=5 * len(spans),
        sentences=sentences,
        windows=windows if "window" in corpus.designs else (),
        parents=parents,
        children=children if "parent" in corpus.designs else (),
    )


def shape(corpus: Corpus, folder: RunFolder, documents: Mapping[str, str], *, shard: int = 0) -> None:
    """The documents, by path, are in the folder's shard."""
    with ShardWriter(folder, shard, corpus, AS_OF) as writer:
        for path, text in documents.items():
            writer.add(make_file(path), ids.content_hash(text.encode()), make_document(text, corpus))


def embed(corpus: Corpus, folder: RunFolder, *, known: Collection[str] = ()) -> list[str]:
    """The texts that are not known have vectors in the folder; gives them back."""
    texts = {key: text for key, text in folder.texts(0, 1).items() if key not in known}
    vectors = open_embedder(corpus.embed).embed(list(texts.values()))
    folder.write_vectors(0, list(texts), vectors)
    return list(texts.values())


def load(corpus: Corpus, run_id: str, documents: Mapping[str, str], *, drop: Sequence[str] = ()) -> dict[str, int]:
    """Unpublished versions that hold the documents beside those of the newest release."""
    store, folder = open_store(corpus), RunFolder(corpus, run_id)
    shape(corpus, folder, documents)
    embed(corpus, folder)
    return store.stage(store.latest(), folder, Changes(drop=[ids.document_id(corpus.name, path) for path in drop]))


def night(corpus: Corpus, run_id: str, documents: Mapping[str, str], *, drop: Sequence[str] = ()) -> Release:
    """A whole run that publishes."""
    store = open_store(corpus)
    base = store.latest()
    versions = load(corpus, run_id, documents, drop=drop)
    return publish(
        store, corpus, run_id=run_id, as_of=AS_OF, base=base, versions=versions, metrics={"documents": 1.0}, gates=()
    )


def rows(store: Store, release: Release, table: Table, *, without: Sequence[str] = ()) -> list[dict[str, Any]]:
    """All rows of a table of a release, by id."""
    snapshot = store.snapshot(release)
    names = [name for name in snapshot.arrow(table).column_names if name not in without]
    return sorted(snapshot.arrow(table, names).to_pylist(), key=lambda row: str(row[KEYS[table]]))


def everything(store: Store, release: Release, *, without: Sequence[str] = ()) -> dict[str, list[dict[str, Any]]]:
    """All rows of all tables of a release."""
    return {table: rows(store, release, table, without=without) for table in release.table_versions}


def unit(*numbers: float, dimension: int = 16) -> np.ndarray[Any, np.dtype[np.float32]]:
    """A unit vector that starts with these numbers."""
    vector = np.zeros(dimension, dtype=np.float32)
    vector[: len(numbers)] = numbers
    return vector / np.linalg.norm(vector)


def _spans(text: str) -> list[tuple[int, int]]:
    spans, start = [], 0
    for line in text.split("\n"):
        if line.strip():
            spans.append((start, start + len(line)))
        start += len(line) + 1
    return spans


def _parents(text: str, spans: list[tuple[int, int]]) -> tuple[Parent, ...]:
    starts = [i for i, (a, _) in enumerate(spans) if i == 0 or text.startswith("# ", a)]
    parents = []
    for ordinal, first in enumerate(starts):
        last = (starts[ordinal + 1] if ordinal + 1 < len(starts) else len(spans)) - 1
        (a, end), b = spans[first], spans[last][1]
        path = (text[a + 2 : end],) if text.startswith("# ", a) else ()
        parents.append(
            Parent(ordinal, "section", Origin.AUTHORED, path, None, None, a, b, first, last, text[a:b], 5, 5)
        )
    return tuple(parents)


def _window(text: str, spans: list[tuple[int, int]], i: int) -> Window:
    first, last = max(0, i - 1), min(len(spans) - 1, i + 1)
    return Window(first, last, text[spans[first][0] : spans[last][1]], 5 * (last - first + 1))
