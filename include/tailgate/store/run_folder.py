"""The folder that one run works in: its plan, its shards, its vectors, its reports. Local, or any fsspec URL."""

import json
import re
import tempfile
from collections.abc import Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from tailgate.config import Corpus
from tailgate.errors import StoreUnreachable
from tailgate.storage import open_filesystem
from tailgate.store.files import reachable, write_whole
from tailgate.store.schema import EMBEDDED, Table, shard_schema, vector_schema, window_schema

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa

SHARDS = "shards"


class RunFolder:
    """`<store>/<corpus>/runs/<run id>/`; a file in it is whole or not there."""

    def __init__(self, corpus: Corpus, run_id: str) -> None:
        self.run_id = run_id
        self.uri = f"{corpus.folder}/runs/{safe_name(run_id)}"
        self.fs, self.path = open_filesystem(self.uri, corpus.store_connection)

    def local(self) -> Path | None:
        """The folder as a path, where it is on this machine."""
        return Path(self.path) if "file" in self.fs.protocol else None

    @contextmanager
    def workplace(self) -> Generator[Path]:
        """A folder on this machine: what the block leaves in it is in the run's folder when the block ends."""
        local = self.local()
        if local is not None:
            yield local
            return
        with tempfile.TemporaryDirectory(prefix="tailgate-run-") as made:
            yield Path(made)
            with reachable(self.uri):
                for file in sorted(path for path in Path(made).rglob("*") if path.is_file()):
                    self.fs.pipe_file(f"{self.path}/{file.relative_to(made).as_posix()}", file.read_bytes())

    def exists(self, name: str) -> bool:
        """Whether a step has written this file."""
        with reachable(self.uri):
            return bool(self.fs.exists(f"{self.path}/{name}"))

    def write_json(self, name: str, value: Any) -> None:
        """The value is in the file `name`, instead of what was there."""
        text, path = json.dumps(value, ensure_ascii=False, sort_keys=True), f"{self.path}/{name}"
        with write_whole(self.fs, path) as file, reachable(path):
            file.write(text.encode("utf-8", "surrogatepass"))

    def read_json(self, name: str) -> Any:
        """What `write_json` wrote; raises StoreUnreachable where the step that writes it has not run."""
        uri = f"{self.uri}/{name}"
        try:
            with reachable(uri):
                return json.loads(self.fs.cat_file(f"{self.path}/{name}"))
        except ValueError as error:
            raise StoreUnreachable(uri, f"the run's folder holds it in pieces ({error})") from error

    def clear(self) -> None:
        """The folder holds nothing of an earlier try of the same run."""
        self._discard(self.path)

    def discard_shards(self) -> None:
        """Shards and vectors are gone; plan, counts and reports stay."""
        self._discard(f"{self.path}/{SHARDS}")

    def shard_path(self, kind: str, shard: int | str) -> str:
        """Where the shard file of a table (or of `vectors`) lies."""
        return f"{self.path}/{SHARDS}/{kind}-{shard}.parquet"

    def has_shards(self) -> bool:
        """Whether the run's work is still here: what publishing has not taken yet."""
        return self.exists(SHARDS)

    def whole_shards(self, tables: Sequence[Table]) -> list[int]:
        """The shards that have a whole file for each of the tables, by number."""
        numbers = [{_number(path) for path in self._files(table)} for table in tables]
        return sorted(set.intersection(*numbers))

    def batches(
        self, table: Table, columns: Sequence[str] | None = None, *, shard: int | None = None
    ) -> Iterator["pa.RecordBatch"]:
        """The rows of all shards of a table, or of one, a batch at a time, in the shards' order."""
        for path in self._files(table):
            if shard is None or _number(path) == shard:
                yield from self._read(path, columns)

    def arrow(self, table: Table, columns: Sequence[str]) -> "pa.Table":
        """These columns of all shards of a table together."""
        import pyarrow as pa

        schema = pa.schema([shard_schema(table).field(name) for name in columns])
        rows = [batch.select(list(columns)) for batch in self.batches(table, columns)]
        return pa.Table.from_batches(rows, schema=schema)

    def frame(self, table: Table, columns: Sequence[str]) -> "pd.DataFrame":
        """These columns of all shards of a table together."""
        frame: pd.DataFrame = self.arrow(table, columns).to_pandas()
        return frame

    def texts(self, part: int, parts: int) -> dict[str, str]:
        """The different texts to embed of one of `parts` parts, by hash; each text is in exactly one part."""
        found: dict[str, str] = {}
        for table in EMBEDDED:
            for batch in self.batches(table, ["text_hash", "text", "embed_text"]):
                for key, text, shown in zip(*(column.to_pylist() for column in batch.columns), strict=True):
                    if key is not None and int(key[:8], 16) % parts == part:
                        found.setdefault(key, text if shown is None else shown)
        return found

    def write_vectors(self, part: int | str, hashes: Sequence[str], vectors: npt.NDArray[np.float32]) -> None:
        """The vectors, shape (n, d), are in the folder under their texts' hashes."""
        import pyarrow as pa
        import pyarrow.parquet as pq

        schema = vector_schema(vectors.shape[1])
        flat = pa.array(np.ascontiguousarray(vectors, dtype=np.float32).reshape(-1))
        rows = [pa.array(list(hashes), pa.string()), pa.FixedSizeListArray.from_arrays(flat, vectors.shape[1])]
        path = self.shard_path("vectors", part)
        with write_whole(self.fs, path) as file, reachable(path):
            pq.write_table(pa.Table.from_arrays(rows, schema=schema), file)

    def copy_vectors(self, part: str, vectors: "pa.RecordBatch") -> None:
        """The vectors (`text_hash`, `vector`) are in the folder, too."""
        import pyarrow.parquet as pq

        path = self.shard_path("vectors", part)
        with write_whole(self.fs, path) as file, reachable(path), pq.ParquetWriter(file, vectors.schema) as writer:
            writer.write_batch(vectors)

    def write_windows(self, shard: int, batches: Iterable["pa.RecordBatch"]) -> None:
        """New windows of sentences that stay as they are lie in the folder."""
        import pyarrow.parquet as pq

        path = self.shard_path("windows", shard)
        with write_whole(self.fs, path) as file, reachable(path), pq.ParquetWriter(file, window_schema()) as writer:
            for batch in batches:
                writer.write_batch(batch)

    def windows(self, columns: Sequence[str] | None = None) -> Iterator["pa.RecordBatch"]:
        """All windows that were written, a batch at a time."""
        for path in self._files("windows"):
            yield from self._read(path, columns)

    def vectors(self) -> Iterator["pa.RecordBatch"]:
        """All vectors that were written, a batch at a time."""
        for path in self._files("vectors"):
            yield from self._read(path, None)

    def _discard(self, path: str) -> None:
        with reachable(path):
            if self.fs.exists(path):
                self.fs.rm(path, recursive=True)

    def _files(self, kind: str) -> list[str]:
        """The whole files of one kind; by listing, since a folder's name may hold what a pattern would take for one."""
        folder = f"{self.path}/{SHARDS}"
        with reachable(folder):
            names = self.fs.ls(folder, detail=False) if self.fs.exists(folder) else []
        own = (name for name in names if name.rpartition("/")[2].startswith(f"{kind}-"))
        return sorted(name for name in own if name.endswith(".parquet"))

    def _read(self, path: str, columns: Sequence[str] | None) -> Iterator["pa.RecordBatch"]:
        """A row group at a time: the writer keeps each small in bytes, however long its texts are."""
        import pyarrow.parquet as pq

        with reachable(path), self.fs.open(path, "rb") as file:
            rows = pq.ParquetFile(file)
            for group in range(rows.num_row_groups):
                yield from rows.read_row_group(group, columns=None if columns is None else list(columns)).to_batches()


def run_folders(corpus: Corpus) -> list[RunFolder]:
    """The folders of all runs of the corpus, by name; their run ids are folder names."""
    above = RunFolder(corpus, "any")
    runs = above.path.rpartition("/")[0]
    with reachable(runs):
        above.fs.invalidate_cache(runs)
        names = above.fs.ls(runs, detail=False) if above.fs.exists(runs) else []
    return [RunFolder(corpus, str(name).rstrip("/").rpartition("/")[2]) for name in sorted(names)]


def _number(path: str) -> int:
    """The shard of a shard file."""
    return int(path.rpartition("-")[2].removesuffix(".parquet"))


def safe_name(run_id: str) -> str:
    """A run id as a folder's name on any file system."""
    return re.sub(r"[^A-Za-z0-9._-]", "_", run_id)
