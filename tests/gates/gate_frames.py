"""Frames and tables to gate, built from a few numbers; good unless a test breaks them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa

from tailgate import config, ids
from tailgate.config import Corpus
from tailgate.gates import ShapeUnits
from tailgate.models import GateReport, GateResult

SENTENCE = ["document", "shape", "ordinal", "kind", "chars", "raw_tokens", "piece", "pseudo", "window_tokens"]
PARENT = ["document", "heading_path", "origin", "piece", "tokens", "raw_tokens"]


def corpus(**tree: Any) -> Corpus:
    return config.parse({"name": "calls", "source": {"uri": "in"}} | tree, where="test")


def sentences(lengths: Sequence[int], **same: Any) -> pd.DataFrame:
    """One raw sentence for each length."""
    row = {"document": "a.txt", "shape": "transcript", "kind": "prose", "piece": 0, "pseudo": False} | same
    rows = [
        row | {"ordinal": i, "chars": 4 * n, "raw_tokens": n, "window_tokens": 5 * n} for i, n in enumerate(lengths)
    ]
    return pd.DataFrame(rows, columns=SENTENCE)


def parents(sizes: Sequence[int], **same: Any) -> pd.DataFrame:
    """One parent for each size."""
    row = {"document": "a.md", "heading_path": ("Guide", "Setup"), "origin": "authored", "piece": 0} | same
    return pd.DataFrame([row | {"tokens": n, "raw_tokens": n} for n in sizes], columns=PARENT)


def units(said: pd.DataFrame | None = None, held: pd.DataFrame | None = None, **other: Any) -> ShapeUnits:
    said = sentences([10] * 40) if said is None else said
    held = parents([500] * 10) if held is None else held
    base: dict[str, Any] = {
        "documents": 2,
        "quarantined": 0,
        "lost_documents": 0,
        "base_documents": None,
        "base_sentences": None,
        "largest_window_tokens": int(said["window_tokens"].max()) if len(said) else 0,
    }
    return ShapeUnits(sentences=said, parents=held, **(base | other))


def result(report: GateReport, gate: str) -> GateResult:
    return next(result for result in report.results if result.gate == gate)


def broken(report: GateReport) -> set[str]:
    return {result.gate for result in report.results if not result.passed}


@dataclass
class MemoryTables:
    """Tables in memory with the reading side of a snapshot."""

    tables: dict[str, pd.DataFrame]
    vectors: dict[str, pa.Array] = field(default_factory=dict)

    def has(self, table: str) -> bool:
        return table in self.tables

    def frame(self, table: str, columns: Sequence[str], where: str | None = None) -> pd.DataFrame:
        rows = self.tables[table]
        if where:
            wanted = [name.strip("'") for name in where.removeprefix("document_id IN (")[:-1].split(", ")]
            rows = rows[rows["document_id"].isin(wanted)]
        return rows[list(columns)].reset_index(drop=True)

    def batches(self, table: str, columns: Sequence[str]) -> Iterator[pa.RecordBatch]:
        arrays = {c: self.vectors[table] if c == "vector" else pa.array(self.tables[table][c]) for c in columns}
        yield from pa.table(arrays).to_batches(max_chunksize=7)


def vectors(count: int, dimension: int = 4, seed: int = 0) -> np.ndarray:
    raw = np.random.default_rng(seed).normal(size=(count, dimension)).astype(np.float32)
    return raw / np.linalg.norm(raw, axis=1, keepdims=True)


def arrow(matrix: np.ndarray, missing: Sequence[int] = ()) -> pa.Array:
    rows = [None if i in missing else row for i, row in enumerate(matrix.tolist())]
    return pa.array(rows, pa.list_(pa.float32(), matrix.shape[1]))


def index_tables(documents: int = 3, lines: int = 6) -> MemoryTables:
    """Documents of one heading and numbered sentences; two of the sentences are rows under a header."""
    held: dict[str, list[dict[str, Any]]] = {"documents": [], "parents": [], "sentences": [], "children": []}
    for number in range(documents):
        _add_document(held, f"guide-{number}.md", ["Guide", "name | size", *(f"row {n}. " for n in range(lines))])
    tables = {name: pd.DataFrame(rows) for name, rows in held.items()}
    return MemoryTables(tables, {name: arrow(vectors(len(tables[name]))) for name in ("sentences", "children")})


def _add_document(held: dict[str, list[dict[str, Any]]], path: str, lines: list[str]) -> None:
    text, document = "\n".join(lines), ids.document_id("calls", path)
    held["documents"].append({"document_id": document, "path": path, "text": text, "n_chars": len(text)})
    parent, whole = ids.parent_id(document, 0), {"document_id": document, "char_start": 0, "char_end": len(text)}
    held["parents"].append(whole | {"parent_id": parent, "ordinal": 0, "text": text})
    held["children"].append(
        whole | {"child_id": ids.child_id(document, 0), "parent_id": parent, "ordinal": 0, "text": text}
    )
    starts = [sum(len(line) + 1 for line in lines[:n]) for n in range(len(lines))]
    for n, (start, line) in enumerate(zip(starts, lines, strict=True)):
        first, last = max(0, n - 2), min(len(lines) - 1, n + 2)
        window = text[starts[first] : starts[last] + len(lines[last])]
        header = 1.0 if n > 1 else float("nan")
        if first > 1:
            window = f"{lines[1]}\n{window}"
        held["sentences"].append({
            "sentence_id": ids.sentence_id(document, n),
            "document_id": document,
            "parent_id": parent,
            "ordinal": n,
            "kind": "heading" if n == 0 else "table_header" if n == 1 else "table_row",
            "header": header,
            "header_end": header,
            "char_start": start,
            "char_end": start + len(line),
            "text": line,
            "window_first": first,
            "window_last": last,
            "window_text": window,
        })
