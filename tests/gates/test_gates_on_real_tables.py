"""The gates over what parsers, segmenter and store really make."""

from datetime import UTC, datetime

import numpy as np
import pytest
from gate_frames import broken, result, vectors

from tailgate import config, ids
from tailgate.gates import ShapeUnits, check_index, check_shape
from tailgate.models import SourceFile
from tailgate.parse import parse
from tailgate.segment import open_segmenter
from tailgate.store import Changes, RunFolder, ShardWriter, open_store

GUIDE = """# Guide

Install it first. Then start it, and wait for the light.

## Sizes

| name | size |
| --- | --- |
| small | 10 |
| middle | 20 |
| large | 30 |
| huge | 40 |

- one thing
- another thing

```python
print("x")
```
"""
CALL = "Agent: Hello, how can I help? I am listening.\nCaller: My order is late. It was due on Monday.\n"
DESIGNS = (["window", "parent"], ["window"], ["parent"])


@pytest.fixture(params=DESIGNS, ids="+".join)
def corpus(request, tmp_path):
    tree = {"name": "calls", "source": {"uri": "in"}, "store": {"uri": str(tmp_path)}, "designs": request.param}
    return config.parse(tree, where="test")


def staged(corpus, *, spoil=lambda matrix: matrix):
    """Unpublished tables of a guide and two calls; returns the store and its versions."""
    folder, segmenter = RunFolder(corpus, "run"), open_segmenter(corpus)
    with ShardWriter(folder, 0, corpus, datetime(2026, 12, 1, tzinfo=UTC)) as writer:
        for path, text in (("guide.md", GUIDE), ("a.txt", CALL), ("b.txt", CALL)):
            data = text.encode()
            file = SourceFile(uri=f"/in/{path}", path=path, size=len(data), modified=None)
            writer.add(file, ids.content_hash(data), segmenter.segment(parse(data, file)))
    texts = folder.texts(0, 1)
    folder.write_vectors(0, list(texts), spoil(vectors(len(texts), dimension=8)))
    store = open_store(corpus)
    return folder, store.candidate(store.stage(None, folder, Changes()))


def test_tables_that_the_store_made_pass(corpus):
    folder, candidate = staged(corpus)
    report = check_index(corpus, "run", candidate, folder.local(), truncated_share=0.0)
    assert broken(report) == set()
    assert (folder.local() / "data-docs" / "index" / "index.html").is_file()


def test_vectors_that_are_no_unit_vectors_fail(corpus):
    def double_one(matrix):
        matrix[0] *= np.float32(2)
        return matrix

    _, candidate = staged(corpus, spoil=double_one)
    names = {seen.gate for seen in check_index(corpus, "run", candidate, None).failures}
    assert names
    assert all(name.startswith("unit_vectors[") for name in names)


def test_units_that_the_segmenter_made_pass(corpus):
    folder, _ = staged(corpus)
    documents = folder.frame("documents", ["document_id", "path", "shape"]).rename(columns={"path": "document"})
    columns = ["document_id", "ordinal", "kind", "char_start", "char_end", "raw_tokens", "piece", "pseudo"]
    said = folder.frame("sentences", [*columns, "window_tokens"]).merge(documents, on="document_id")
    said["chars"] = said["char_end"] - said["char_start"]
    held = said.iloc[:0]
    if "parent" in corpus.designs:
        held = folder.frame("parents", ["document_id", "heading_path", "origin", "piece", "tokens", "raw_tokens"])
        held = held.merge(documents, on="document_id")
    units = ShapeUnits(said, held, 3, 0, 0, None, None, 60)
    report = check_shape(corpus, "run", units, None)
    assert report.failures == ()
    if "window" in corpus.designs:
        assert result(report, "unsegmentable_share").value > 0
