"""Sentences, windows, parents and children of one parsed document."""

from tailgate.segment.segmenter import Segmenter, open_segmenter

__all__ = ["Segmenter", "open_segmenter"]
