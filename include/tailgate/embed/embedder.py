"""What an embedder is, and which one a corpus file means."""

from collections.abc import Sequence
from typing import Protocol

import numpy as np
import numpy.typing as npt

from tailgate.config import Embed
from tailgate.errors import ConfigError

HASHING = "hashing"
HASHING_DIMENSION = 256


class Embedder(Protocol):
    """Turns texts into unit vectors; equal texts get equal vectors, whatever stands beside them."""

    name: str
    dimension: int
    max_tokens: int | None
    """The model's own limit in its own tokens, beyond which it reads nothing; None where there is no limit."""

    def embed(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        """One unit vector a text, shape (n, d), in the order of the texts."""

    def count_truncated(self, texts: Sequence[str]) -> int:
        """How many of the texts are longer than the model reads."""


def open_embedder(config: Embed) -> Embedder:
    """The embedder that a corpus file names. Raises ModelUnavailable where its weights cannot be loaded."""
    name, _, dimension = config.model.partition(":")
    if name == HASHING:
        from tailgate.embed.hashing import HashingEmbedder

        if dimension and not (dimension.isdigit() and int(dimension) > 0):
            raise ConfigError("embed.model", f"`{config.model}` is no size", "Write `hashing` or `hashing:256`.")
        return HashingEmbedder(int(dimension or HASHING_DIMENSION))
    from tailgate.embed.transformer import TransformerEmbedder

    return TransformerEmbedder(config.model, config.batch_tokens)
