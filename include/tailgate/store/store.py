"""The store of one corpus: releases, the snapshots that readers read, the versions that a run prepares."""

from collections.abc import Sequence

from tailgate.config import Corpus
from tailgate.errors import ConfigError, NoRelease
from tailgate.models import QuarantineEntry, Release
from tailgate.store.lance import open_database
from tailgate.store.quarantine import list_quarantined, record_quarantine
from tailgate.store.releases import append_release, list_releases
from tailgate.store.run_folder import RunFolder
from tailgate.store.schema import EMBEDDED
from tailgate.store.snapshot import Snapshot
from tailgate.store.staging import stage


class Store:
    """Reads and writes the tables of one corpus, below `<store>/<corpus>/tables`."""

    def __init__(self, corpus: Corpus) -> None:
        self._corpus = corpus
        self._database = open_database(corpus)

    def releases(self) -> list[Release]:
        """Every release, newest first, the rejected ones too."""
        return list_releases(self._database)

    def latest(self) -> Release | None:
        """The release that readers see, if there is one."""
        return next((release for release in self.releases() if release.status == "published"), None)

    def release(self, release_id: str | None = None) -> Release:
        """The release that readers see, or the published one named. Raises NoRelease, or ConfigError for the name."""
        published = [release for release in self.releases() if release.status == "published"]
        if not published:
            raise NoRelease(self._corpus.name)
        if release_id is None:
            return published[0]
        for release in published:
            if release.release_id == release_id:
                return release
        known = ", ".join(release.release_id for release in published[:5])
        raise ConfigError(self._corpus.name, f"no published release `{release_id}`", f"The newest are: {known}.")

    def snapshot(self, release: Release) -> Snapshot:
        """The tables of a release."""
        return Snapshot(self._database, release.table_versions)

    def candidate(self, versions: dict[str, int]) -> Snapshot:
        """Tables that `stage` prepared and nobody has published."""
        return Snapshot(self._database, versions)

    def stage(self, base: Release | None, folder: RunFolder, drop: Sequence[str]) -> dict[str, int]:
        """The versions that hold the base's rows less `drop` plus the folder's shards; see `staging.stage`."""
        return stage(self._corpus, self._database, base, folder, drop)

    def append(self, release: Release) -> bool:
        """Whether the release is the row of its sequence now; False where another run took the number."""
        return append_release(self._database, release)

    def known_hashes(self, base: Release) -> set[str]:
        """Hashes of the texts whose vectors the release holds."""
        snapshot = self.snapshot(base)
        tables = [table for table in EMBEDDED if snapshot.has(table)]
        return {
            key
            for table in tables
            for batch in snapshot.batches(table, ["text_hash"])
            for key in batch.column("text_hash").to_pylist()
            if key is not None
        }

    def quarantined(self) -> list[QuarantineEntry]:
        """Every file in quarantine."""
        return list_quarantined(self._database)

    def record_quarantine(self, entries: Sequence[QuarantineEntry], cleared: Sequence[str]) -> None:
        """The entries are in quarantine, the files `cleared` are not."""
        record_quarantine(self._database, entries, cleared)


def open_store(corpus: Corpus) -> Store:
    """The corpus's store; nothing is created or opened before it is needed."""
    return Store(corpus)
