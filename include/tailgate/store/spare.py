"""Vectors that lie somewhere already: in older releases, in the folders of runs that did not publish."""

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import TYPE_CHECKING

from tailgate.errors import StoreUnreachable
from tailgate.store.leftovers import Leftovers
from tailgate.store.rows import only
from tailgate.store.schema import EMBEDDED
from tailgate.store.snapshot import Snapshot

if TYPE_CHECKING:
    import pyarrow as pa


def text_hashes(snapshot: Snapshot) -> set[str]:
    """Hashes of the texts whose vectors the tables hold."""
    columns = chain.from_iterable(snapshot.batches(table, ["text_hash"]) for table in EMBEDDED if snapshot.has(table))
    return {key for batch in columns for key in batch.column("text_hash").to_pylist() if key is not None}


def spare_vectors(wanted: set[str], leftovers: Leftovers, older: Sequence[Snapshot]) -> Iterator["pa.RecordBatch"]:
    """Vectors of the wanted texts (`text_hash`, `vector`), each text once; `wanted` is left as it is."""
    missing = set(wanted)
    for batch in chain(leftovers.vectors(), *(_held(snapshot, missing) for snapshot in older)):
        if not missing:
            return
        found = _once(only(batch, "text_hash", missing))
        missing -= set(found.column("text_hash").to_pylist())
        if found.num_rows:
            yield found


def _held(snapshot: Snapshot, missing: set[str]) -> Iterator["pa.RecordBatch"]:
    """The release's vectors, read only where it has some that are missing; nothing where its tables are gone."""
    try:
        if missing & text_hashes(snapshot):
            for table in EMBEDDED:
                if snapshot.dimension(table):
                    yield from snapshot.batches(table, ["text_hash", "vector"])
    except StoreUnreachable:
        return


def _once(rows: "pa.RecordBatch") -> "pa.RecordBatch":
    """The first row of each hash."""
    first: dict[str, int] = {}
    for row, key in enumerate(rows.column("text_hash").to_pylist()):
        first.setdefault(key, row)
    return rows.take(list(first.values())) if len(first) < rows.num_rows else rows
