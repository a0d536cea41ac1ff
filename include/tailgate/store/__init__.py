"""LanceDB tables of a corpus, one consistent set of versions a release; and the folder that a run works in."""

from tailgate.store.leftovers import Leftovers
from tailgate.store.retention import Kept
from tailgate.store.run_folder import RunFolder
from tailgate.store.schema import Table
from tailgate.store.shards import ShardWriter
from tailgate.store.snapshot import Snapshot
from tailgate.store.staging import Changes, carries_over, same_vectors
from tailgate.store.store import Store, open_store

__all__ = [
    "Changes",
    "Kept",
    "Leftovers",
    "RunFolder",
    "ShardWriter",
    "Snapshot",
    "Store",
    "Table",
    "carries_over",
    "open_store",
    "same_vectors",
]
