"""Faults of text: every unit is a slice of its document, and the sentences cover all of it.

Documents are read in groups of bounded size, so that memory does not grow with the corpus.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

from tailgate.gates.rows import KEYS, Table, Tables

if TYPE_CHECKING:
    import pandas as pd

GROUP_CHARS = 20_000_000
"""Document text that is held at one time."""
POSITION = ["document_id", "char_start", "char_end", "text"]
WINDOW = ["ordinal", "kind", "header", "header_end", "window_first", "window_last", "window_text"]

ORDINALS = ["header", "header_end", "window_first", "window_last"]
PLACE = ["document_id", "ordinal", "char_start", "char_end", "kind", "header", "header_end"]
ABSENT = -1
"""Stands for an ordinal that a row does not have."""

Faults = dict[str, str]
"""What is wrong with a row, by the row's id."""


@dataclass(frozen=True, slots=True)
class TextFaults:
    """What was found in all groups."""

    slices: dict[Table, Faults] = field(default_factory=dict)
    windows: Faults = field(default_factory=dict)
    coverage: Faults = field(default_factory=dict)


class _Place(NamedTuple):
    """Where one sentence is."""

    char_start: int
    char_end: int
    kind: str
    header: int
    header_end: int


def text_faults(tables: Tables, documents: "pd.DataFrame", present: Iterable[Table], *, windows: bool) -> TextFaults:
    """The faults of every unit of the tables `present`; a unit whose document does not exist is not counted here."""
    found = TextFaults(slices={table: {} for table in present})
    for where in _groups(documents):
        read = tables.frame("documents", ["document_id", "text"], where)
        texts = dict(zip(read["document_id"], read["text"], strict=True))
        for table, faults in found.slices.items():
            more = WINDOW if windows and table == "sentences" else []
            rows = tables.frame(table, [KEYS[table], *POSITION, *more], where)
            faults |= slice_faults(rows, KEYS[table], texts)
            if table == "sentences":
                found.coverage.update(_coverage_faults(rows, texts))
                found.windows.update(window_faults(rows, texts) if windows else {})
    return found


def slice_faults(rows: "pd.DataFrame", key: str, texts: Mapping[str, str]) -> Faults:
    """Units whose text is not the slice of the document text that their offsets name."""
    faults: Faults = {}
    for name, document, start, end, text in rows[[key, *POSITION]].itertuples(index=False, name=None):
        if document in texts and (start >= end or texts[document][start:end] != text):
            faults[name] = f"its text is not the document's characters {start} to {end}"
    return faults


def coverage_fault(text: str, spans: Sequence[tuple[int, int]]) -> str | None:
    """What is wrong where sentences, in order, do not hold every non-blank character exactly once."""
    reached = 0
    for start, end in spans:
        if text[start : min(reached, end)].strip():
            return f"characters {start} to {min(reached, end)} are in two sentences"
        if text[reached:start].strip():
            return f"characters {reached} to {start} are in no sentence"
        reached = max(reached, end)
    return f"characters {reached} to {len(text)} are in no sentence" if text[reached:].strip() else None


def window_faults(sentences: "pd.DataFrame", texts: Mapping[str, str]) -> Faults:
    """Sentences whose window text is not the slice from its first to its last sentence, after the table's header."""
    rows = sentences.fillna({column: ABSENT for column in ORDINALS}).astype(dict.fromkeys(ORDINALS, int))
    places: dict[tuple[str, int], _Place] = {
        (row[0], row[1]): _Place(*row[2:]) for row in rows[PLACE].itertuples(index=False, name=None)
    }
    faults: Faults = {}
    row: Any
    for row in rows.itertuples(index=False):
        if row.document_id not in texts:
            continue
        first, last = (places.get((row.document_id, at)) for at in (row.window_first, row.window_last))
        if first is None or last is None:
            faults[row.sentence_id] = f"its window is {row.window_first} to {row.window_last}, which are not there"
        elif _window_text(texts[row.document_id], first, last, row, places) != row.window_text:
            faults[row.sentence_id] = (
                f"its window text is not that of sentences {row.window_first} to {row.window_last}"
            )
    return faults


def _window_text(text: str, first: _Place, last: _Place, row: Any, places: Mapping[tuple[str, int], _Place]) -> str:
    body = text[first.char_start : last.char_end]
    if not ABSENT < first.header < row.window_first:
        return body
    top, bottom = (places.get((row.document_id, at)) for at in (first.header, first.header_end))
    return f"{text[top.char_start : bottom.char_end]}\n{body}" if top and bottom else body


def _coverage_faults(sentences: "pd.DataFrame", texts: Mapping[str, str]) -> Faults:
    spans: dict[str, list[tuple[int, int]]] = {document: [] for document in texts}
    for document, start, end in sentences[["document_id", "char_start", "char_end"]].itertuples(index=False, name=None):
        if document in spans:
            spans[document].append((start, end))
    found = {document: coverage_fault(texts[document], sorted(held)) for document, held in spans.items()}
    return {document: fault for document, fault in found.items() if fault}


def _groups(documents: "pd.DataFrame") -> Iterator[str | None]:
    """Filters that take the documents in groups; one group has no filter."""
    group = documents["n_chars"].cumsum() // GROUP_CHARS
    if group.nunique() <= 1:
        yield None
        return
    for _, ids in documents["document_id"].groupby(group):
        names = ", ".join(f"'{name}'" for name in ids)
        yield f"document_id IN ({names})"
