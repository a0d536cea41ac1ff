"""Files that could not be indexed stay in quarantine until they can."""

from dataclasses import replace
from datetime import timedelta
from pathlib import Path

from store_samples import AS_OF, make_corpus

from tailgate.models import QuarantineEntry
from tailgate.store import open_store
from tailgate.store.lance import Database

BROKEN = QuarantineEntry("/in/o'b.pdf", "UnreadableDocument", "it is cut off", AS_OF, AS_OF, "abc")
LOCKED = QuarantineEntry("/in/a.pdf", "EncryptedDocument", "it needs a password", AS_OF, AS_OF)


def test_entries_are_read_back_by_address(tmp_path: Path) -> None:
    store = open_store(make_corpus(tmp_path))
    store.record_quarantine([BROKEN, LOCKED], [])
    assert store.quarantined() == [LOCKED, BROKEN]


def test_second_failure_keeps_when_it_was_first_seen(tmp_path: Path) -> None:
    store, later = open_store(make_corpus(tmp_path)), AS_OF + timedelta(days=1)
    store.record_quarantine([BROKEN], [])
    store.record_quarantine([replace(BROKEN, message="still", first_seen=later, last_seen=later)], [])
    assert store.quarantined() == [replace(BROKEN, message="still", last_seen=later)]


def test_file_that_is_cleared_leaves_and_the_others_stay(tmp_path: Path) -> None:
    store = open_store(make_corpus(tmp_path))
    store.record_quarantine([BROKEN, LOCKED], [])
    store.record_quarantine([], [BROKEN.uri, "/in/never-seen.pdf"])
    assert store.quarantined() == [LOCKED]
    store.record_quarantine([], [LOCKED.uri])
    assert store.quarantined() == []


def test_nothing_new_writes_nothing(tmp_path: Path) -> None:
    corpus = make_corpus(tmp_path)
    store = open_store(corpus)
    store.record_quarantine([], ["/in/a.pdf"])
    assert list(tmp_path.iterdir()) == []
    store.record_quarantine([BROKEN], [])
    store.record_quarantine([BROKEN], [])
    table = Database(f"{corpus.folder}/tables").find("quarantine")
    assert table is not None
    assert table.version == 1
