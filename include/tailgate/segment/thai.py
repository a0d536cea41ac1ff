"""Thai has no mark at the end of a sentence: PyThaiNLP's crfcut tells which blanks end one."""

import os
import re
from itertools import accumulate

from tailgate.errors import ModelUnavailable
from tailgate.segment.splitter import BLANK_LINE, SentencexSplitter, Span, in_stretches, spans_between

_THAI = re.compile(r"[\u0e00-\u0e7f]")
UNSURE = 200
"""Characters before the end of a stretch whose words may have been cut off."""


class ThaiSplitter:
    """Sentences of Thai text by crfcut, whose model comes with its package; all other text by the default rules."""

    def __init__(self) -> None:
        os.environ.setdefault("PYTHAINLP_READ_ONLY", "1")  # it would make a folder in the user's home
        try:
            from pythainlp.tokenize import crfcut
        except ImportError as error:
            raise ModelUnavailable(
                "Splitter `thai`",
                f"the package {error.name or 'pythainlp'} is not installed",
                "Install it with `pip install -c requirements.txt -e '.[thai]'` in Tailgate's checkout, or set "
                "`segment.splitter: rules`.",
            ) from error
        self._segment = crfcut.segment
        self._rules = SentencexSplitter()

    def split(self, text: str, language: str) -> list[Span]:
        """Stripped spans, in order, that hold every non-blank character of the text once."""
        if language != "th" or not _THAI.search(text):
            return self._rules.split(text, language)
        found = in_stretches(text, self._boundaries, UNSURE)
        starts = [position + start for position, _, starts in found for start in starts]
        return spans_between(text, [*starts, *(blank.end() for blank in BLANK_LINE.finditer(text))])

    def _boundaries(self, text: str) -> list[int]:
        """Where sentences after the first begin, at blanks alone: a full stop within a word is an abbreviation's."""
        if not text.strip():
            return []
        ends = accumulate(map(len, self._segment(text)))
        return [end for end in ends if 0 < end < len(text) and (text[end - 1].isspace() or text[end].isspace())]
