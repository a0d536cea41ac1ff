"""What the gates and the release row read: the units that the release would hold, carried over and new together."""

from collections.abc import Collection
from typing import TYPE_CHECKING, get_args

from tailgate.gates import ShapeUnits
from tailgate.models import Origin, Release
from tailgate.planning import Plan
from tailgate.store import RunFolder, Snapshot, Table

if TYPE_CHECKING:
    import pandas as pd

SENTENCES = (
    "document_id",
    "ordinal",
    "kind",
    "char_start",
    "char_end",
    "raw_tokens",
    "piece",
    "pseudo",
    "window_tokens",
)
PARENTS = ("document_id", "heading_path", "origin", "piece", "tokens", "raw_tokens")
DOCUMENTS = ("document_id", "path", "shape")


def shape_units(
    folder: RunFolder, carried: Snapshot | None, plan: Plan, base: Release | None, refused: int
) -> ShapeUnits:
    """The raw material of the release that would be: sentences before the cap, parents before a split."""
    import pandas as pd

    new = {document for document in folder.frame("documents", ["document_id"])["document_id"]}
    replaced = new | set(plan.drop)

    def together(table: Table, columns: Collection[str]) -> "pd.DataFrame":
        frames = [folder.frame(table, list(columns))]
        if carried and carried.has(table):
            old = carried.frame(table, list(columns))
            kept = old[~old["document_id"].isin(replaced)]
            frames.append(_with_new_windows(kept, folder) if table == "sentences" and plan.windows else kept)
        return pd.concat(frames, ignore_index=True)

    documents = together("documents", DOCUMENTS)
    sentences = together("sentences", SENTENCES).merge(documents, on="document_id").rename(columns={"path": "document"})
    sentences["chars"] = sentences["char_end"] - sentences["char_start"]
    parents = together("parents", PARENTS).merge(documents, on="document_id").rename(columns={"path": "document"})
    before = int(base.metrics["documents"]) if base else None
    return ShapeUnits(
        sentences=sentences,
        parents=parents,
        documents=len(documents),
        quarantined=refused + plan.still_quarantined,
        lost_documents=max(0, (before or 0) - len(documents)),
        base_documents=before,
        base_sentences=int(base.metrics["sentences"]) if base else None,
        largest_window_tokens=int(sentences["window_tokens"].max()) if sentences["window_tokens"].notna().any() else 0,
    )


def _with_new_windows(sentences: "pd.DataFrame", folder: RunFolder) -> "pd.DataFrame":
    """The sentences with the sizes of the windows that this run has cut for them."""
    import pandas as pd

    key = ["document_id", "ordinal"]
    sizes = pd.concat([batch.to_pandas() for batch in folder.windows([*key, "window_tokens"])], ignore_index=True)
    return sentences.drop(columns="window_tokens").merge(sizes, on=key)


def embed_counts(folder: RunFolder, plan: Plan) -> dict[str, int]:
    """How many texts there were, how many were embedded, and how many of those the model cut, over all parts."""
    parts = [folder.read_json(f"embed-{shard}.json") for shard in plan.shards]
    return {key: sum(part[key] for part in parts) for key in ("texts", "embedded", "truncated")}


def release_metrics(candidate: Snapshot, embedded: dict[str, int]) -> dict[str, float]:
    """The figures that a release row keeps."""
    metrics: dict[str, float] = {"embedded": embedded["embedded"], "texts": embedded["texts"]}
    for table in get_args(Table):
        metrics[table] = candidate.count(table) if candidate.has(table) else 0
    metrics["tokens"] = int(candidate.frame("documents", ["n_tokens"])["n_tokens"].sum())
    if candidate.has("parents"):
        origins = candidate.frame("parents", ["origin"])["origin"].value_counts()
        metrics |= {f"parents_{origin}": int(origins.get(origin.value, 0)) for origin in Origin}
    return metrics
