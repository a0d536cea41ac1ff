"""Vectors without a model: hashed words and letter triples, for tests and for trying scale."""

import re
import zlib
from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt

WORD = re.compile(r"\w+")


class HashingEmbedder:
    """Equal texts get equal vectors on every machine; texts that share words are near one another."""

    max_tokens: int | None = None

    def __init__(self, dimension: int) -> None:
        self.name = f"hashing:{dimension}"
        self.dimension = dimension

    def embed(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        """One unit vector a text, shape (n, d), in the order of the texts."""
        vectors = np.zeros((len(texts), self.dimension), dtype=np.float32)
        for row, text in enumerate(texts):
            places = [zlib.crc32(feature) for feature in _features(text)]
            hashes = np.array(places, dtype=np.int64)
            np.add.at(vectors[row], hashes % self.dimension, np.where(hashes & 0x10000, 1.0, -1.0))
        return _unit(vectors)

    def count_truncated(self, texts: Sequence[str]) -> int:
        """None: there is no limit."""
        return 0


def _features(text: str) -> Iterator[bytes]:
    """The words, their letter triples, and for a text without words the text itself."""
    words = WORD.findall(text.lower())
    for word in words or [text]:
        data = word.encode("utf-8", "surrogatepass")
        yield data
        yield from (b"#" + data[start : start + 3] for start in range(len(data) - 2))


def _unit(vectors: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    """Rows of length one; a row whose features cancelled out points along the first axis."""
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    vectors[lengths[:, 0] == 0, 0] = 1.0
    lengths[lengths == 0] = 1.0
    unit: npt.NDArray[np.float32] = vectors / lengths
    return unit
