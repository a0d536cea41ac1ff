"""The store of one corpus: releases, the snapshots that readers read, the versions that a run prepares."""

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from datetime import datetime
from typing import TYPE_CHECKING

from tailgate.config import Corpus
from tailgate.errors import ConfigError, NoRelease, StoreUnreachable
from tailgate.models import QuarantineEntry, Release
from tailgate.store.lance import open_database
from tailgate.store.leftovers import Leftovers
from tailgate.store.lock import one_writer
from tailgate.store.quarantine import list_quarantined, record_quarantine
from tailgate.store.releases import append_release, list_releases
from tailgate.store.retention import Kept, maintain
from tailgate.store.run_folder import RunFolder
from tailgate.store.snapshot import Snapshot
from tailgate.store.spare import spare_vectors, text_hashes
from tailgate.store.staging import Changes, same_vectors, stage
from tailgate.store.windows import window_rows

if TYPE_CHECKING:
    import pyarrow as pa


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
        published = [release for release in self.releases() if release.status != "rejected"]
        if not published:
            raise NoRelease(self._corpus.name)
        for release in published:
            if release.release_id == release_id or (release_id is None and release.status == "published"):
                return release
        known = ", ".join(release.release_id for release in published[:5])
        raise ConfigError(self._corpus.name, f"no published release `{release_id}`", f"The newest are: {known}.")

    def snapshot(self, release: Release) -> Snapshot:
        """The tables of a release."""
        return Snapshot(self._database, release.table_versions)

    def candidate(self, versions: dict[str, int]) -> Snapshot:
        """Tables that `stage` prepared and nobody has published."""
        return Snapshot(self._database, versions)

    def stage(self, base: Release | None, folder: RunFolder, changes: Changes) -> dict[str, int]:
        """The versions that hold the base's rows, changed, and the folder's shards; see `staging.stage`."""
        return stage(self._corpus, self._database, base, folder, changes)

    def cut_windows(self, base: Release, folder: RunFolder, part: int, parts: int) -> None:
        """The folder holds the windows that the corpus file asks for, of one of `parts` parts of the base."""
        folder.write_windows(part, window_rows(self._corpus, self.snapshot(base), part, parts))

    def one_writer(self, run_id: str) -> AbstractContextManager[None]:
        """A block in which no other run on this machine writes; see `lock.one_writer`."""
        return one_writer(self._corpus, run_id)

    def maintain(self, now: datetime) -> Kept:
        """What the corpus file no longer asks to keep is gone; see `retention.maintain`."""
        return maintain(self._corpus, self._database, self.releases(), now)

    def holds(self, release: Release) -> bool:
        """Whether the release's tables can still be read."""
        try:
            self.snapshot(release).probe()
        except StoreUnreachable:
            return False
        return True

    def append(self, release: Release) -> bool:
        """Whether the release is the row of its sequence now; False where another run took the number."""
        return append_release(self._database, release)

    def known_hashes(self, base: Release) -> set[str]:
        """Hashes of the texts whose vectors the release holds."""
        return text_hashes(self.snapshot(base))

    def spare_vectors(self, wanted: set[str], run_id: str) -> Iterator["pa.RecordBatch"]:
        """Vectors of the wanted texts, by hash, that other kept releases and unpublished runs hold, each once."""
        published = (release for release in self.releases() if release.table_versions)
        older = [self.snapshot(release) for release in published if same_vectors(self._corpus, release)]
        return spare_vectors(wanted, Leftovers(self._corpus, run_id), older)

    def quarantined(self) -> list[QuarantineEntry]:
        """Every file in quarantine."""
        return list_quarantined(self._database)

    def record_quarantine(self, entries: Sequence[QuarantineEntry], cleared: Sequence[str]) -> None:
        """The entries are in quarantine, the files `cleared` are not."""
        record_quarantine(self._database, entries, cleared)


def open_store(corpus: Corpus) -> Store:
    """The corpus's store; nothing is created or opened before it is needed."""
    return Store(corpus)
