"""Sentences, windows, parents and children of one parsed document."""

from tailgate.segment.ledger import ledger_of
from tailgate.segment.segmenter import Segmenter, open_segmenter
from tailgate.segment.tokens import open_tokenizer
from tailgate.segment.windows import layout_of, windows_of

__all__ = ["Segmenter", "layout_of", "ledger_of", "open_segmenter", "open_tokenizer", "windows_of"]
