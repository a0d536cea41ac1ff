"""LanceDB, opened late and with errors in Tailgate's own words: the only module that imports it."""

import os
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tailgate.errors import StoreConflict, StoreUnreachable

if TYPE_CHECKING:
    import pyarrow as pa


class Database:
    """The LanceDB database of one corpus; nothing is created before something is written."""

    def __init__(self, uri: str) -> None:
        self.uri = uri
        self._connection: Any = None

    @property
    def connection(self) -> Any:
        """The connection, opened at first use."""
        if self._connection is None:
            # Lance warns on standard error about each table that is new, which is no news to anybody.
            os.environ.setdefault("LANCEDB_LOG", "error")
            import lancedb

            with self.errors():
                self._connection = lancedb.connect(self.uri)
        return self._connection

    def exists(self, table: str) -> bool:
        """Whether the table was ever written; a local folder is not created by asking."""
        if "://" not in self.uri and not (Path(self.uri) / f"{table}.lance").is_dir():
            return False
        with self.errors():
            return table in self.connection.list_tables(limit=1000).tables

    def open(self, table: str) -> Any:
        """The table at its newest version."""
        with self.errors():
            return self.connection.open_table(table)

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

    @contextmanager
    def errors(self) -> Generator[None]:
        """What LanceDB or the file system raises in the block is raised as an error that says what to do."""
        try:
            yield
        except (OSError, RuntimeError, ValueError) as error:
            reason = str(error).split(", /root/")[0].splitlines()[0] if str(error) else type(error).__name__
            if "ncompatible transaction" in reason or "ommit conflict" in reason:
                raise StoreConflict(self.uri, reason) from error
            raise StoreUnreachable(self.uri, reason) from error
