"""The corpus's `alerts.jsonl`: every alert is there first, whatever becomes of the channels."""

import fcntl
import json
import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from tailgate.alert.message import Alert, text
from tailgate.config import Corpus
from tailgate.records import to_json
from tailgate.storage import open_filesystem

NAME = "alerts.jsonl"


def record(corpus: Corpus, alert: Alert) -> bool:
    """The alert is in the corpus's journal; False where it was there before, by run, place and headline.

    Raises OSError, or what the service's client raises, where it cannot be written.
    """
    return _record_remotely(corpus, alert) if "://" in corpus.folder else _record_locally(Path(corpus.folder), alert)


def _record_locally(folder: Path, alert: Alert) -> bool:
    """One write to the end of the file, under a lock, so that of two processes only one sends the same alert."""
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / NAME).open("a+b", buffering=0) as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        file.seek(0)
        held = file.read()
        if _is_in(held.splitlines(), alert):
            return False
        file.write(_addition(held, alert))
        os.fsync(file)
    return True


def _record_remotely(corpus: Corpus, alert: Alert) -> bool:
    """Object stores cannot append: the whole journal is written again."""
    system, path = open_filesystem(f"{corpus.folder}/{NAME}", corpus.store_connection)
    held = system.cat_file(path) if system.exists(path) else b""
    if _is_in(held.splitlines(), alert):
        return False
    system.makedirs(path.rpartition("/")[0], exist_ok=True)
    system.pipe_file(path, held + _addition(held, alert))
    return True


def _addition(held: bytes, alert: Alert) -> bytes:
    """One line; on a line of its own even where an earlier writer was killed in the middle of one."""
    line = json.dumps({**to_json(alert), "text": text(alert)}).encode("ascii") + b"\n"
    return line if not held or held.endswith(b"\n") else b"\n" + line


def _is_in(lines: Iterable[bytes], alert: Alert) -> bool:
    return any((held.get("run_id"), held.get("place"), held.get("headline")) == alert.key for held in _read(lines))


def _read(lines: Iterable[bytes]) -> Iterator[dict[str, Any]]:
    for line in lines:
        try:
            held = json.loads(line)
        except ValueError:
            continue
        if isinstance(held, dict):
            yield held
