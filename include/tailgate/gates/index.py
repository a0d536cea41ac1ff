"""The gates before publishing: the candidate's tables are sound."""

from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tailgate.config import Corpus
from tailgate.gates import references
from tailgate.gates.checks import AtMost, Check, Faultless, NotEmpty, Unique
from tailgate.gates.judge import judge
from tailgate.gates.rows import KEYS, TABLES, Table, Tables
from tailgate.gates.tail import WORST
from tailgate.gates.vectors import vector_faults
from tailgate.gates.verbatim import text_faults
from tailgate.models import GateReport, Offender

if TYPE_CHECKING:
    import pandas as pd

READ: dict[Table, list[str]] = {
    "documents": ["document_id", "path", "n_chars"],
    "parents": ["parent_id", "document_id", "ordinal", "char_start", "char_end"],
    "sentences": ["sentence_id", "document_id", "ordinal", "parent_id", "char_start", "char_end"],
    "children": ["child_id", "document_id", "ordinal", "parent_id", "char_start", "char_end"],
}
UNITS: dict[Table, str] = {"documents": "document", "parents": "parent", "sentences": "sentence", "children": "child"}

Faults = dict[str, "pd.Series[Any]"]
"""By gate: what is wrong with each row of one table, or None."""


def check_index(
    corpus: Corpus, run_id: str, candidate: Tables, docs: Path | None, *, truncated_share: float | None = None
) -> GateReport:
    """The report on keys, references, offsets, coverage and vectors; a broken gate is in it and raises nothing.

    `candidate` is a `tailgate.store.Snapshot` of unpublished versions; `docs` is the run's folder, below which the
    Data Docs are kept; `truncated_share` is of the texts that the model cut.
    """
    present = [table for table in TABLES if candidate.has(table)]
    frames = {table: candidate.frame(table, _columns(corpus, table)) for table in present}
    found = {table: Faults() for table in present}
    _find_reference_faults(corpus, frames, found)
    _find_text_faults(corpus, candidate, frames, found)
    measures = _find_vector_faults(corpus, candidate, frames, found)
    paths = frames["documents"].drop_duplicates("document_id").set_index("document_id")["path"]
    checks = [check for table in present for check in _checks(table, frames[table], found[table], paths)]
    checks += _measured(corpus, measures | {"truncated_share": truncated_share})
    asserted = {table: frames[table].assign(**found[table]) for table in present}
    return judge(corpus.name, run_id, "index", asserted | {"measures": _one_row(checks)}, checks, docs)


def _columns(corpus: Corpus, table: Table) -> list[str]:
    radius = table == "sentences" and "window" in corpus.designs
    return READ[table] + (["window_first", "window_last"] if radius else [])


def _find_reference_faults(corpus: Corpus, frames: Mapping[Table, "pd.DataFrame"], found: dict[Table, Faults]) -> None:
    targets: tuple[tuple[str, Table], ...] = (("document_id", "documents"), ("parent_id", "parents"))
    for table, rows in frames.items():
        for column, target in targets:
            if target in frames and table != target and column in rows:
                gate = f"references[{table}.{column}]"
                found[table][gate] = references.orphans(rows, column, frames[target][column])
        if "parents" in frames and "parent_id" in rows and table != "parents":
            found[table][f"inside_parent[{table}]"] = references.outside_parent(rows, frames["parents"])
    if "window" in corpus.designs and "sentences" in frames:
        radius = corpus.window.before, corpus.window.after
        found["sentences"]["window_radius"] = references.outside_radius(frames["sentences"], *radius)


def _find_text_faults(
    corpus: Corpus, candidate: Tables, frames: Mapping[Table, "pd.DataFrame"], found: dict[Table, Faults]
) -> None:
    units: list[Table] = [table for table in frames if table != "documents"]
    windows = "window" in corpus.designs
    text = text_faults(candidate, frames["documents"], units, windows=windows)
    for table, faults in text.slices.items():
        found[table][f"verbatim[{table}]"] = _by_id(frames[table], table, faults)
    found["documents"]["coverage"] = _by_id(frames["documents"], "documents", text.coverage)
    if windows:
        found["sentences"]["verbatim[windows]"] = _by_id(frames["sentences"], "sentences", text.windows)


def _find_vector_faults(
    corpus: Corpus, candidate: Tables, frames: Mapping[Table, "pd.DataFrame"], found: dict[Table, Faults]
) -> dict[str, float | None]:
    dimensions: set[int] = set()
    embedded: dict[Table, bool] = {
        "sentences": "window" in corpus.designs,
        "children": "parent" in corpus.designs,
    }
    for table in (table for table, built in embedded.items() if built and table in frames):
        faults, seen = vector_faults(candidate.batches(table, [KEYS[table], "vector"]), KEYS[table])
        found[table][f"unit_vectors[{table}]"] = _by_id(frames[table], table, faults)
        dimensions |= seen
    return {"vector_dimensions": float(len(dimensions))}


def _by_id(rows: "pd.DataFrame", table: Table, faults: Mapping[str, str]) -> "pd.Series[Any]":
    import pandas as pd

    return pd.Series([faults.get(name) for name in rows[KEYS[table]]], index=rows.index, dtype=object)


def _checks(table: Table, rows: "pd.DataFrame", found: Faults, paths: "pd.Series[Any]") -> Iterator[Check]:
    """Unique ids first, then each kind of fault; an empty table passes none of them."""
    unique = f"unique_ids[{table}]"
    if not len(rows):
        yield Check(unique, table, NotEmpty(), None, 0, note="the table is empty")
        return
    twice = rows[KEYS[table]].duplicated(keep=False)
    said = rows[KEYS[table]].astype(object).where(twice, None)
    yield Check(
        unique,
        table,
        Unique(KEYS[table]),
        float(twice.sum()),
        0,
        offenders=partial(_offenders, table, rows, said, paths),
    )
    for gate, faults in found.items():
        broken = float(faults.notna().sum())
        yield Check(gate, table, Faultless(gate), broken, 0, offenders=partial(_offenders, table, rows, faults, paths))


def _offenders(
    table: Table, rows: "pd.DataFrame", faults: "pd.Series[Any]", paths: "pd.Series[Any]"
) -> tuple[Offender, ...]:
    """The documents with the most faulty rows, each with its first."""
    faulty = rows[faults.notna()].assign(fault=faults[faults.notna()])
    faulty["document"] = faulty["document_id"].map(paths).fillna(faulty["document_id"])
    faulty["count"] = faulty.groupby("document")["document"].transform("size")
    first = faulty.drop_duplicates("document").sort_values(["count", "document"], ascending=[False, True]).head(WORST)
    return tuple(
        Offender(str(row["document"]), f"{_unit(table, row)}: {row['fault']}", float(row["count"]))
        for _, row in first.iterrows()
    )


def _unit(table: Table, row: "pd.Series[Any]") -> str:
    return UNITS[table] if table == "documents" else f"{UNITS[table]} {row['ordinal']}"


def _measured(corpus: Corpus, measures: Mapping[str, float | None]) -> Iterator[Check]:
    bound = corpus.gates.truncated_share
    dimensions, truncated = measures["vector_dimensions"], measures["truncated_share"]
    yield Check("vector_dimensions", "measures", AtMost("vector_dimensions", 1), dimensions, 1)
    if truncated is not None:
        most, note = AtMost("truncated_share", bound.max), "texts longer than the model's own limit"
        yield Check("truncated_share", "measures", most, truncated, bound.max, bound.action, note)


def _one_row(checks: list[Check]) -> "pd.DataFrame":
    import pandas as pd

    return pd.DataFrame([{check.gate: check.value for check in checks if check.frame == "measures"}])
