"""LanceDB, opened late and with errors in Tailgate's own words: the only module that imports it."""

import os
import re
import shutil
from collections.abc import Callable, Generator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from tailgate.config import Connection, Corpus
from tailgate.errors import StoreConflict, StoreUnreachable
from tailgate.storage import lance_options, open_filesystem
from tailgate.store.files import copy_new, reachable

if TYPE_CHECKING:
    import pyarrow as pa


class Database:
    """The LanceDB database of one corpus; nothing is created, and no secret is asked for, before it is needed."""

    def __init__(self, uri: str, connection: Callable[[], Connection | None] = lambda: None) -> None:
        self.uri = uri
        self._secrets = connection
        self._connection: Any = None

    @property
    def connection(self) -> Any:
        """The connection, opened at first use."""
        if self._connection is None:
            # Lance warns on standard error about each table that is new, which is no news to anybody.
            os.environ.setdefault("LANCEDB_LOG", "error")
            import lancedb

            options = lance_options(self.uri, self._secrets())
            with self.errors():
                self._connection = lancedb.connect(self.uri, storage_options=options or None)
        return self._connection

    def find(self, table: str) -> Any | None:
        """The table at its newest version, or None where none was ever committed; asking creates no folder.

        A writer that was killed before its first commit leaves a table that is listed and cannot be opened: not there.
        """
        if "://" not in self.uri and not (Path(self.uri) / f"{table}.lance").is_dir():
            return None
        with self.errors():
            try:
                return self.connection.open_table(table)
            except ValueError as error:
                if "was not found" in str(error):
                    return None
                raise

    def at(self, table: str, version: int) -> Any:
        """The table as it was at that version."""
        with self.errors():
            opened = self.connection.open_table(table)
            opened.checkout(version)
            return opened

    def create(self, table: str, schema: "pa.Schema", rows: Any = None, *, mode: str = "create") -> Any:
        """A new table, or with mode `overwrite` a new version that keeps none of the rows or columns before it."""
        with self.errors():
            return self.connection.create_table(table, data=rows, schema=schema, mode=mode, exist_ok=mode == "create")

    def create_once(self, table: str, schema: "pa.Schema") -> Any:
        """The table, empty if it is new; however many ask at once, one creates it and nobody's rows are lost.

        LanceDB's own creation is not exclusive: of two that find no table, the second replaces what the first has made
        and already written to. A table made aside and then brought into place cannot be replaced so: a folder that
        holds something is not moved over, and a file that is there is not written over.
        """
        aside = f"{self.uri}.{uuid4().hex}"
        Database(aside, self._secrets).create(table, schema)
        if "://" in self.uri:
            self._copy_in(aside, table)
        else:
            self._move_in(Path(aside), table)
        found = self.find(table)
        return self.create(table, schema) if found is None else found

    def _move_in(self, aside: Path, table: str) -> None:
        with self.errors():
            Path(self.uri).mkdir(parents=True, exist_ok=True)
            # Refused where another has moved its own table there first: then that one is opened.
            with suppress(OSError):
                (aside / f"{table}.lance").rename(Path(self.uri) / f"{table}.lance")
            shutil.rmtree(aside)

    def _copy_in(self, aside: str, table: str) -> None:
        """The manifest, whose name sorts behind the transaction's, makes the table be there: it comes last."""
        fs, here = open_filesystem(self.uri, self._secrets())
        there = open_filesystem(aside, self._secrets())[1]
        with reachable(self.uri):
            for path in sorted(fs.find(there)):
                copy_new(fs, path, f"{here}{path.removeprefix(there)}")
            fs.rm(there, recursive=True)

    @contextmanager
    def errors(self) -> Generator[None]:
        """What LanceDB or the file system raises in the block is raised as an error that says what to do."""
        try:
            yield
        except (OSError, RuntimeError, ValueError) as error:
            reason = _reason(error)
            if "ncompatible transaction" in reason or "ommit conflict" in reason:
                raise StoreConflict(self.uri, reason) from error
            raise StoreUnreachable(self.uri, reason) from error


def open_database(corpus: Corpus) -> Database:
    """The database of a corpus."""
    return Database(f"{corpus.folder}/tables", lambda: corpus.store_connection)


def _reason(error: Exception) -> str:
    """The first line of what LanceDB says, without the place in its own source."""
    line = (str(error).strip().splitlines() or [type(error).__name__])[0]
    return re.split(r",?\s+\S*\.rs:\d+", line)[0].rstrip(".")
