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
    done = _published_by(store, run_id, versions)
    if done:
        return done
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
        newest = store.latest()
        if (newest.release_id if newest else None) != (base.release_id if base else None):
            raise PublishConflict(corpus.name, newest.sequence if newest else 0)
        numbered = _numbered(release, store)
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
        numbered = _numbered(release, store)
        if store.append(numbered):
            return numbered


def _published_by(store: Store, run_id: str, versions: Mapping[str, int]) -> Release | None:
    same = (row for row in store.releases() if row.run_id == run_id and row.table_versions == dict(versions))
    return next((row for row in same if row.status == "published"), None)


def _numbered(release: Release, store: Store) -> Release:
    """The release with the next free number; whether it is still free shows when it is appended."""
    sequence = max((row.sequence for row in store.releases()), default=0) + 1
    return replace(release, sequence=sequence, release_id=f"r{sequence:06d}")
