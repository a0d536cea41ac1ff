"""Vectors by the hash of the text that was embedded."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from tailgate.config import Corpus
from tailgate.errors import ConfigError, MissingVectors

if TYPE_CHECKING:
    import pyarrow as pa


class Vectors:
    """The vectors that a load needs, found once and then attached to rows."""

    def __init__(self, corpus: Corpus, wanted: set[str]) -> None:
        self.dimension = 0
        self._corpus = corpus
        self._missing = set(wanted)
        self._places: dict[str, int] = {}
        self._blocks: list[npt.NDArray[np.float32]] = []
        self._stacked: npt.NDArray[np.float32] | None = None

    @property
    def complete(self) -> bool:
        """Whether every wanted text has its vector."""
        return not self._missing

    def take(self, batches: Iterable["pa.RecordBatch"]) -> None:
        """The wanted vectors among these rows (`text_hash`, `vector`) are kept; the first of a hash wins."""
        for batch in batches:
            self.measure(batch.schema.field("vector").type.list_size)
            if self.complete:
                return
            rows: dict[str, int] = {}
            for row, key in enumerate(batch.column("text_hash").to_pylist()):
                if key in self._missing:
                    rows.setdefault(key, row)
            if rows:
                self._keep(list(rows), _matrix(batch.column("vector"))[list(rows.values())])

    def measure(self, dimension: int) -> None:
        """Vectors are this long. Raises ConfigError where others were found to have another length."""
        if self.dimension not in {0, dimension}:
            raise ConfigError(
                f"Corpus {self._corpus.name}",
                f"`embed.model` {self._corpus.embed.model} gives vectors of {self.dimension} numbers, "
                f"and gave {dimension} for the last release",
                "Give the other model another name or folder in the corpus file; then everything is embedded again.",
            )
        self.dimension = dimension

    def attach(self, batch: "pa.RecordBatch", schema: "pa.Schema") -> "pa.RecordBatch":
        """The batch with its `vector` column, in the order of the schema; rows without a hash have none."""
        import pyarrow as pa

        keys = batch.column("text_hash").to_pylist()
        places = np.array([self._places[key] if key is not None else -1 for key in keys])
        dimension = schema.field("vector").type.list_size
        flat = self._stack(dimension)[places].reshape(-1)
        mask = pa.array(places < 0) if (places < 0).any() else None
        vector = pa.FixedSizeListArray.from_arrays(pa.array(flat), dimension, mask=mask)
        columns = {name: batch.column(name) for name in schema.names if name != "vector"}
        return pa.record_batch([{**columns, "vector": vector}[name] for name in schema.names], schema=schema)

    def require(self) -> None:
        """Raises MissingVectors where a wanted text has no vector."""
        if self._missing:
            raise MissingVectors(self._corpus.name, len(self._missing))

    def _keep(self, keys: list[str], vectors: npt.NDArray[np.float32]) -> None:
        start = len(self._places)
        self._places.update({key: start + offset for offset, key in enumerate(keys)})
        self._blocks.append(vectors)
        self._missing.difference_update(keys)

    def _stack(self, dimension: int) -> npt.NDArray[np.float32]:
        if self._stacked is None:
            self._stacked = np.concatenate([*self._blocks, np.zeros((1, dimension), dtype=np.float32)])
        return self._stacked


def _matrix(column: "pa.Array") -> npt.NDArray[np.float32]:
    """The vectors as an array of shape (n, d); rows without a vector are zeros and are never asked for."""
    matrix: npt.NDArray[np.float32] = column.fill_null([0.0] * column.type.list_size).flatten().to_numpy()
    return matrix.reshape(len(column), -1)
