"""LanceDB tables of a corpus, one consistent set of versions a release; and the folder that a run works in."""

from tailgate.store.run_folder import RunFolder
from tailgate.store.schema import Table
from tailgate.store.shards import ShardWriter
from tailgate.store.snapshot import Snapshot
from tailgate.store.staging import carries_over, same_vectors
from tailgate.store.store import Store, open_store

__all__ = [
    "RunFolder",
    "ShardWriter",
    "Snapshot",
    "Store",
    "Table",
    "carries_over",
    "open_store",
    "same_vectors",
]
