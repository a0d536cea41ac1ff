"""Vectors for texts, by a model or by hashing."""

from tailgate.embed.embedder import Embedder, open_embedder

__all__ = ["Embedder", "open_embedder"]
