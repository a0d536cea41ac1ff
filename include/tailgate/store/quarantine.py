"""Files that could not be indexed: one row each, until they can."""

from collections.abc import Sequence
from dataclasses import asdict, replace

from tailgate.models import QuarantineEntry
from tailgate.store.lance import Database
from tailgate.store.schema import quarantine_schema

TABLE = "quarantine"


def list_quarantined(database: Database) -> list[QuarantineEntry]:
    """Every file in quarantine, by address."""
    table = database.find(TABLE)
    if table is None:
        return []
    with database.errors():
        rows = table.search().to_list()
    return sorted((QuarantineEntry(**row) for row in rows), key=lambda entry: entry.uri)


def record_quarantine(database: Database, entries: Sequence[QuarantineEntry], cleared: Sequence[str]) -> None:
    """The entries are in quarantine, first seen when they first were; the files `cleared` are not in it any more."""
    import pyarrow as pa

    held = {entry.uri: entry for entry in list_quarantined(database)}
    after = {uri: entry for uri, entry in held.items() if uri not in set(cleared)}
    after |= {
        entry.uri: replace(entry, first_seen=held[entry.uri].first_seen) if entry.uri in held else entry
        for entry in entries
    }
    if after != held:
        rows = pa.Table.from_pylist([asdict(after[uri]) for uri in sorted(after)], schema=quarantine_schema())
        database.create(TABLE, quarantine_schema(), rows, mode="overwrite")
