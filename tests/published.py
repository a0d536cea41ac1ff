"""Small real releases for tests: parsed, segmented, embedded by hashing and published through the real store."""

from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from tailgate import ids
from tailgate.config import Corpus
from tailgate.embed import open_embedder
from tailgate.models import Release, SourceFile
from tailgate.parse import parse
from tailgate.segment import open_segmenter
from tailgate.store import Changes, RunFolder, ShardWriter, open_store

AS_OF = datetime(2026, 1, 2, tzinfo=UTC)


def small_corpus(store: Path, **settings: Any) -> Corpus:
    """A corpus with its store in that folder; settings replace whole keys of its file."""
    tree = {"name": "small", "source": {"uri": "unused"}, "embed": {"model": "hashing"}, "store": {"uri": str(store)}}
    return Corpus.model_validate(tree | settings)


def publish(corpus: Corpus, documents: Mapping[str, str]) -> Release:
    """The documents, by path, are what readers of the corpus find, beside those of the release before."""
    store = open_store(corpus)
    base = store.latest()
    sequence = base.sequence + 1 if base else 1
    folder = RunFolder(corpus, f"run-{sequence}")
    _shape(corpus, folder, documents)
    texts = folder.texts(0, 1)
    folder.write_vectors(0, list(texts), open_embedder(corpus.embed).embed(list(texts.values())))
    release = Release(
        release_id=f"r{sequence}",
        sequence=sequence,
        created_at=AS_OF,
        run_id=f"run-{sequence}",
        status="published",
        reason="",
        config_fingerprint=corpus.fingerprint,
        table_versions=store.stage(base, folder, Changes()),
        metrics={},
        gates=(),
    )
    if not store.append(release):
        raise RuntimeError("another release took the sequence")
    return release


def _shape(corpus: Corpus, folder: RunFolder, documents: Mapping[str, str]) -> None:
    segmenter = open_segmenter(corpus)
    with ShardWriter(folder, 0, corpus, AS_OF) as writer:
        for path, text in documents.items():
            data = text.encode()
            file = SourceFile(uri=f"/source/{path}", path=path, size=len(data), modified=None)
            writer.add(file, ids.content_hash(data), segmenter.segment(parse(data, file)))
