"""What is kept: tables of so many releases and days, the work of runs that did not publish, every release's row."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, get_args

from tailgate.config import Corpus
from tailgate.errors import StoreUnreachable
from tailgate.models import Release
from tailgate.store.lance import Database
from tailgate.store.run_folder import RunFolder, run_folders, safe_name
from tailgate.store.schema import Table

MARGIN = timedelta(seconds=5)
"""Added to the age of the oldest version that is kept: Lance's clock is read later than ours."""
LISTS = ("releases", "quarantine")
LIST_VERSIONS = 16
"""Rows, and versions, of a list above which it is written in one piece."""
LIST_AGE = timedelta(minutes=10)
"""Age of an old version of a list at which no reader can still be in the middle of it."""
UNPUBLISHED_AGE = timedelta(days=2)
"""Age at which the shards of a run that ended without a word are not waited for any more."""


@dataclass(frozen=True, slots=True)
class Kept:
    """What a maintenance has left."""

    releases: tuple[str, ...]
    """Ids of the releases whose tables can be read, newest first."""
    dropped: tuple[str, ...]
    """Ids of those whose tables were let go this time."""
    runs_removed: int


def maintain(corpus: Corpus, database: Database, releases: Sequence[Release], now: datetime) -> Kept:
    """Old versions, and the folders of old runs, are gone; no version of a release that is kept is.

    Each kept release is a tag on its tables, so that no other program's clean-up takes it away.
    """
    published = [release for release in releases if release.status != "rejected"]
    kept = _kept(corpus, published, now)
    dropped: set[str] = set()
    for table in get_args(Table):
        dropped |= _prune(database, table, kept)
    for name in LISTS:
        _shorten(database, name)
    removed = _remove_runs(corpus, releases, kept, now)
    return Kept(tuple(release.release_id for release in kept), tuple(sorted(dropped, reverse=True)), removed)


def _kept(corpus: Corpus, published: Sequence[Release], now: datetime) -> list[Release]:
    """The newest so many, and those of the last so many days: never fewer than the one that is served."""
    since = now - timedelta(days=corpus.retention.days)
    most = corpus.retention.releases
    return [release for rank, release in enumerate(published) if rank < most or release.created_at >= since]


def _prune(database: Database, name: Table, kept: Sequence[Release]) -> set[str]:
    """Ids of the releases whose tags are gone from this table now, and with them, sooner or later, their versions."""
    wanted = {release.release_id: release.table_versions[name] for release in kept if name in release.table_versions}
    opened = database.find(name)
    if opened is None or not wanted:
        return set()
    with database.errors():
        dropped = _retag(opened, wanted)
        # Clean-up compacts, too, at a version that no release has: it waits until a load has left the table compact.
        if opened.stats()["fragment_stats"]["num_small_fragments"] <= 1:
            opened.optimize(cleanup_older_than=_age(opened, min(wanted.values())) + MARGIN)
    return dropped


def _retag(opened: Any, wanted: Mapping[str, int]) -> set[str]:
    """Tailgate's tags are the wanted ones; tags that somebody else has made stay."""
    held = {name for name in opened.tags.list() if _is_release(name)}
    for name in sorted(wanted.keys() - held):
        opened.tags.create(name, wanted[name])
    for name in sorted(held - wanted.keys()):
        opened.tags.delete(name)
    return held - wanted.keys()


def _is_release(tag: str) -> bool:
    return tag[:1] == "r" and tag[1:].isdigit()


def _age(opened: Any, version: int) -> timedelta:
    versions: list[dict[str, Any]] = opened.list_versions()
    made: datetime | None = next((one["timestamp"] for one in versions if one["version"] == version), None)
    if made is None:
        raise StoreUnreachable(opened.name, f"version {version}, which a release needs, is gone")
    return datetime.now(UTC) - made.astimezone(UTC)


def _shorten(database: Database, name: str) -> None:
    """A list to which each night adds a row, and a version, is in one piece again."""
    opened = database.find(name)
    if opened is not None:
        with database.errors():
            if (
                opened.stats()["fragment_stats"]["num_fragments"] > LIST_VERSIONS
                or len(opened.list_versions()) > LIST_VERSIONS
            ):
                opened.optimize(cleanup_older_than=LIST_AGE)


def _remove_runs(corpus: Corpus, releases: Sequence[Release], kept: Sequence[Release], now: datetime) -> int:
    """Run folders that nobody asks for any more are gone: neither of a kept release nor young, nor useful to a run."""
    served = {safe_name(release.run_id) for release in kept}
    ended = {safe_name(release.run_id) for release in releases}
    rejected = next((safe_name(one.run_id) for one in releases if one.status == "rejected"), None)
    removed = 0
    for folder in run_folders(corpus):
        age = now - _moment(folder, now)
        if folder.run_id not in served and age > timedelta(days=corpus.retention.days) + UNPUBLISHED_AGE:
            folder.clear()
            removed += 1
        elif folder.run_id != rejected and (folder.run_id in ended or age > UNPUBLISHED_AGE):
            folder.discard_shards()
    return removed


def _moment(folder: RunFolder, now: datetime) -> datetime:
    """When the run looked at its source; now, where it has not written that down yet."""
    try:
        return datetime.fromisoformat(folder.read_json("plan.json")["as_of"])
    except (StoreUnreachable, KeyError):
        return now
