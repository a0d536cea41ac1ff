"""Tokens of any slice of a text, put together from counts of parts that no token spans.

Windows, parents and children are made of the same sentences: without this each character is encoded ten times.
"""

import re
from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Iterable
from dataclasses import dataclass

from tailgate.segment.tokens import Tokenizer

PROVEN = frozenset({
    *("gpt2", "r50k_base", "p50k_base", "p50k_edit", "cl100k_base", "o200k_base", "o200k_harmony"),
})
"""Encodings whose patterns end a piece at each mark, whatever stands around it; with any other, all is encoded."""
SHORT = 48
"""Characters below which a part's count is remembered: such parts are the ends of sentences, and come back often."""

# No pattern goes on with a blank behind something that is none, nor with one of these signs or a line end behind a
# letter or a digit; and none looks back, or ahead from something that is not blank. So what stands before a mark is
# encoded as if the text ended there, and what stands behind it as if it began there.
_MARK = re.compile(r"(?<=\S) |(?<=[A-Za-z0-9\u3041-\u3096\u30a1-\u30fa\u4e00-\u9fff])[\r\n.,;:!?。，、！？；：]")


@dataclass(frozen=True, slots=True)
class Ledger:
    """Counts any slice of its text exactly as the tokenizer does, and encodes only what lies outside the marks."""

    text: str
    tokenizer: Tokenizer
    _marks: "array[int]"
    """Places in the text that no token spans, whichever slice of the text is encoded."""
    _sums: "array[int]"
    """Tokens between the first mark and each."""

    def count(self, start: int, end: int) -> int:
        """How many tokens `text[start:end]` is."""
        marks = self._marks
        first, last = bisect_left(marks, start), bisect_right(marks, end) - 1
        if first > last:
            return self._encoded(start, end)
        between = self._sums[last] - self._sums[first]
        return self._encoded(start, marks[first]) + between + self._encoded(marks[last], end)

    def _encoded(self, start: int, end: int) -> int:
        part = self.text[start:end]
        return self.tokenizer.count_known(part) if end - start < SHORT else self.tokenizer.count(part)


def ledger_of(text: str, units: Iterable[tuple[int, int, int]], tokenizer: Tokenizer) -> Ledger:
    """A ledger with the first and the last mark of each unit: its start, its end, and how many tokens it is.

    The units come in order and do not overlap; nothing of them is encoded again but their ends.
    """
    marks, sums = array("Q"), array("Q")
    ledger = Ledger(text, tokenizer, marks, sums)
    total, encoded = 0, ledger._encoded
    for start, end, tokens in units if tokenizer.encoding in PROVEN else ():
        first, last = _ends(text, start, end)
        if first < 0:
            continue
        total += encoded(marks[-1], first) if marks else 0
        marks.append(first)
        sums.append(total)
        if last > first:
            total += tokens - encoded(start, first) - encoded(last, end)
            marks.append(last)
            sums.append(total)
    return ledger


def _ends(text: str, start: int, end: int) -> tuple[int, int]:
    """The first and the last mark of a unit; -1 where there is none. The last is one that is quickly found."""
    found = _MARK.search(text, start, end + 1)
    if found is None:
        return -1, -1
    first = found.start()
    for last in (end, end - 1, text.rfind(" ", first, end)):
        if last > first and _MARK.match(text, last):
            return first, last
    return first, first
