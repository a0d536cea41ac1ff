"""Publishing: one row, appended by compare-and-swap, is what makes readers see a release."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from tailgate.config import Corpus
from tailgate.errors import PublishConflict
from tailgate.models import GateResult, Release
from tailgate.store import Store


def publish(
    store: Store,
    corpus: Corpus,
    *,
    run_id: str,
    as_of: datetime,
    base: Release | None,
    versions: Mapping[str, int],
    metrics: Mapping[str, float],
    gates: Sequence[GateResult],
) -> Release:
    """Readers see the release, all of its tables at once; one that this run has published already is returned again.

    Raises PublishConflict where another run has published a release after `base`.
    """
    release = Release(
        release_id="",
        sequence=0,
        created_at=as_of,
        run_id=run_id,
        status="published",
        reason="",
        config_fingerprint=corpus.fingerprint,
        table_versions=dict(versions),
        metrics=dict(metrics),
        gates=tuple(gates),
    )
    while True:
        rows = store.releases()
        done = next((row for row in rows if _same(row, release)), None)
        if done:
            return done
        newest = next((row for row in rows if row.status == "published"), None)
        if (newest.release_id if newest else None) != (base.release_id if base else None):
            raise PublishConflict(corpus.name, newest.sequence if newest else 0)
        # Numbered by the rows that were judged: whoever publishes in between takes this number, and the append fails.
        numbered = _numbered(release, rows)
        if store.append(numbered):
            return numbered


def reject(
    store: Store, corpus: Corpus, *, run_id: str, as_of: datetime, reason: str, gates: Sequence[GateResult]
) -> Release:
    """The list of releases says that this run's was rejected, and why; readers see nothing of it."""
    release = Release(
        release_id="",
        sequence=0,
        created_at=as_of,
        run_id=run_id,
        status="rejected",
        reason=reason,
        config_fingerprint=corpus.fingerprint,
        table_versions={},
        metrics={},
        gates=tuple(gates),
    )
    while True:
        numbered = _numbered(release, store.releases())
        if store.append(numbered):
            return numbered


def _same(row: Release, release: Release) -> bool:
    of_row = (row.status, row.run_id, row.table_versions)
    return of_row == (release.status, release.run_id, release.table_versions)


def _numbered(release: Release, rows: Sequence[Release]) -> Release:
    """The release with the number after the highest of all rows, published or not."""
    sequence = max((row.sequence for row in rows), default=0) + 1
    return replace(release, sequence=sequence, release_id=f"r{sequence:06d}")
