"""The releases of a corpus: one row each, appended by compare-and-swap, never changed."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from tailgate.models import GateResult, Release
from tailgate.records import from_json, to_json
from tailgate.store.lance import Database
from tailgate.store.schema import release_schema

TABLE = "releases"


def list_releases(database: Database) -> list[Release]:
    """Every release, newest first; those that somebody has moved readers back from are `rolled_back`."""
    table = database.find(TABLE)
    if table is None:
        return []
    with database.errors():
        rows = table.search().to_list()
    return _marked([_release(row) for row in sorted(rows, key=lambda row: -int(row["sequence"]))])


def _marked(rows: Sequence[Release]) -> list[Release]:
    """Rows are never changed, so that moving back is one step: what it leaves behind is told from what it serves."""
    marked, served = [], None
    for row in rows:
        served = None if row.table_versions == served else served
        left_behind = served is not None and row.status == "published"
        marked.append(replace(row, status="rolled_back") if left_behind else row)
        if row.moves_back and not left_behind:
            served = row.table_versions
    return marked


def append_release(database: Database, release: Release) -> bool:
    """Whether the release is the row of its sequence; of several that ask for one sequence, exactly one is."""
    import pyarrow as pa

    table = database.find(TABLE)
    if table is None:
        table = database.create_once(TABLE, release_schema())
    row = pa.Table.from_pylist([_row(release)], schema=release_schema())
    with database.errors():
        outcome = table.merge_insert("sequence").when_not_matched_insert_all().execute(row)
    return int(outcome.num_inserted_rows) == 1


def _row(release: Release) -> dict[str, Any]:
    return {
        "release_id": release.release_id,
        "sequence": release.sequence,
        "created_at": release.created_at,
        "run_id": release.run_id,
        "status": release.status,
        "reason": release.reason,
        "config_fingerprint": release.config_fingerprint,
        "table_versions": json.dumps(release.table_versions, sort_keys=True),
        "metrics": json.dumps(release.metrics, sort_keys=True),
        "gates": json.dumps([to_json(result) for result in release.gates], ensure_ascii=False),
    }


def _release(row: Mapping[str, Any]) -> Release:
    created: datetime = row["created_at"]
    return Release(
        release_id=row["release_id"],
        sequence=int(row["sequence"]),
        created_at=created,
        run_id=row["run_id"],
        status=row["status"],
        reason=row["reason"],
        config_fingerprint=row["config_fingerprint"],
        table_versions=json.loads(row["table_versions"]),
        metrics=json.loads(row["metrics"]),
        gates=from_json(tuple[GateResult, ...], json.loads(row["gates"])),
    )
