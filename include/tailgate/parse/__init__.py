"""Reads one file into its canonical text and the elements that cover it."""

from tailgate.parse.registry import parse

__all__ = ["parse"]
