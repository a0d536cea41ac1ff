"""The material of a published release, read from its tables."""

from collections import Counter
from typing import TYPE_CHECKING, Any

from tailgate import ids
from tailgate.store import Snapshot, Table
from tailgate.survey.material import Material, Sight, Unit, Warned
from tailgate.survey.sights import is_file_text, sight_of

if TYPE_CHECKING:
    import pandas as pd

DOCUMENTS = ["document_id", "path", "shape", "n_chars", "n_tokens", "n_sentences", "n_parents", "warnings"]
NAMES = {
    "path": "document",
    "n_chars": "chars",
    "n_tokens": "tokens",
    "n_sentences": "sentences",
    "n_parents": "parents",
}
SENTENCES = ["document_id", "ordinal", "kind", "char_start", "char_end", "raw_tokens", "piece", "pseudo"]
PARENTS = ["document_id", "ordinal", "heading_path", "origin", "piece", "tokens", "raw_tokens"]


def published(corpus: str, snapshot: Snapshot, *, windows: bool) -> Material:
    """The units that readers see; `windows` says whether the release has them. Texts are read of few units only."""
    documents = snapshot.frame("documents", DOCUMENTS).rename(columns=NAMES).sort_values("document")
    said = Counter(message for messages in documents["warnings"] for message in _listed(messages))
    examples = {message: row.document for row in _rows(documents) for message in _listed(row.warnings)}
    documents["warnings"] = documents["warnings"].map(lambda messages: len(_listed(messages)))
    shapes = documents[["document_id", "document", "shape"]]
    sentences = _units(snapshot, "sentences", SENTENCES + (["window_tokens"] if windows else []), shapes)
    sentences["chars"] = sentences["char_end"] - sentences["char_start"]
    return Material(
        documents=documents,
        sentences=sentences,
        parents=_units(snapshot, "parents", PARENTS, shapes),
        warnings=tuple(Warned(message, count, examples[message]) for message, count in said.most_common()),
        sight=lambda unit, name, ordinal: _sight(snapshot, unit, ids.document_id(corpus, name), ordinal),
    )


def _units(snapshot: Snapshot, table: Table, columns: list[str], shapes: "pd.DataFrame") -> "pd.DataFrame":
    import pandas as pd

    rows = snapshot.frame(table, columns) if snapshot.has(table) else pd.DataFrame(columns=columns)
    return rows.merge(shapes, on="document_id").sort_values(["document", "ordinal"], ignore_index=True)


def _sight(snapshot: Snapshot, unit: Unit, document: str, ordinal: int) -> Sight:
    parent_of = ["parent_id"] if unit == "sentence" else ["heading_path"]
    table: Table = "sentences" if unit == "sentence" else "parents"
    where = f"document_id = '{document}' AND ordinal = {ordinal}"
    row = snapshot.frame(table, ["char_start", "char_end", "page", *parent_of], where).iloc[0]
    read = snapshot.frame("documents", ["text", "content_hash"], f"document_id = '{document}'").iloc[0]
    return sight_of(
        read["text"],
        int(row["char_start"]),
        int(row["char_end"]),
        page=None if row["page"] is None or row["page"] != row["page"] else int(row["page"]),
        heading_path=_path(snapshot, row),
        in_file=is_file_text(read["text"], read["content_hash"]),
    )


def _path(snapshot: Snapshot, row: "pd.Series[Any]") -> tuple[str, ...]:
    if "heading_path" in row:
        return tuple(_listed(row["heading_path"]))
    if not snapshot.has("parents"):
        return ()
    held = snapshot.frame("parents", ["heading_path"], f"parent_id = '{row['parent_id']}'")
    return tuple(_listed(held["heading_path"].iloc[0])) if len(held) else ()


def _listed(values: Any) -> list[str]:
    return [] if values is None else [str(value) for value in values]


def _rows(frame: "pd.DataFrame") -> Any:
    return frame.itertuples(index=False)
