"""Publishing: one row, appended by compare-and-swap, is what makes readers see a release."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from tailgate.config import Corpus
from tailgate.errors import ConfigError, PublishConflict
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


def rollback(store: Store, corpus: Corpus, release_id: str | None, *, run_id: str, as_of: datetime) -> Release:
    """Readers are back on the tables of a release, by default the one before the tables that they see now.

    It is a release of its own: the next run starts from it, and what was served until now can be served again. Raises
    NoRelease, ConfigError where the release cannot be served, PublishConflict where a run publishes meanwhile.
    """
    rows = store.releases()
    served = store.release()
    target = store.release(release_id) if release_id else _before(corpus, rows, served)
    if not store.holds(target):
        reason = f"the tables of release {target.release_id} are no longer kept (`retention`)"
        raise ConfigError(corpus.name, reason, f"`tailgate releases {corpus.name}` lists those that are.")
    reason = f"readers are back on {target.release_id}; until now they saw {served.release_id}"
    back = _numbered(replace(target, run_id=run_id, created_at=as_of, reason=reason), rows)
    if not store.append(back):
        raise PublishConflict(corpus.name, back.sequence)
    return back


def _before(corpus: Corpus, rows: Sequence[Release], served: Release) -> Release:
    """The newest release before the one whose tables are served."""
    published = [row for row in rows if row.status == "published"]
    first = min(row.sequence for row in published if row.table_versions == served.table_versions)
    older = next((row for row in published if row.sequence < first), None)
    if older is None:
        raise ConfigError(corpus.name, f"there is no release before {served.release_id}", "Nothing was changed.")
    return older


def _same(row: Release, release: Release) -> bool:
    of_row = (row.status, row.run_id, row.table_versions)
    return of_row == (release.status, release.run_id, release.table_versions)


def _numbered(release: Release, rows: Sequence[Release]) -> Release:
    """The release with the number after the highest of all rows, published or not."""
    sequence = max((row.sequence for row in rows), default=0) + 1
    return replace(release, sequence=sequence, release_id=f"r{sequence:06d}")
