"""Sentences, windows, parents and children of one parsed document."""

from tailgate.segment.segmenter import Segmenter, open_segmenter
from tailgate.segment.tokens import open_tokenizer
from tailgate.segment.windows import windows_of

__all__ = ["Segmenter", "open_segmenter", "open_tokenizer", "windows_of"]
