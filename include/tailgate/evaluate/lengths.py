"""Exact token counts of every window of a release, at any radius, from stored sentences and texts."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tailgate.retrieve import Radius
from tailgate.segment.tokens import Tokenizer
from tailgate.segment.windows import join_ranges
from tailgate.store import Snapshot

Ints = npt.NDArray[np.int64]
COLUMNS = ["document_id", "ordinal", "char_start", "char_end", "tokens", "parent_id", "header", "header_end"]


@dataclass(frozen=True, slots=True)
class Lengths:
    """Of every window of one document, in order: what it measures, and what its sentences' lengths predict."""

    measured: Ints
    """Tokens of the window's text, tokenised."""
    sentences: Ints
    """Sum of the tokens of the window's sentences, each tokenised alone."""
    headers: Ints
    """Tokens of the table header that the window carries besides."""


@dataclass(frozen=True, slots=True)
class Layout:
    """Where the sentences of one document lie, by ordinal; -1 stands for no header."""

    text: str
    starts: Ints
    ends: Ints
    tokens: Ints
    section_first: Ints
    section_last: Ints
    header: Ints
    header_end: Ints

    def lengths(self, radius: Radius, tokenizer: Tokenizer) -> Lengths:
        """The lengths of this document's windows at that radius."""
        places = np.arange(len(self.tokens))
        section = radius.within == "section"
        first = np.maximum(places - radius.before, self.section_first if section else 0)
        last = np.minimum(places + radius.after, self.section_last if section else len(places) - 1)
        headed = (self.header[first] >= 0) & (self.header[first] < first)
        sums = np.concatenate(([0], np.cumsum(self.tokens)))
        header, header_end = self.header[first], self.header_end[first]
        headers = np.where(headed, sums[header_end + 1] - sums[np.maximum(header, 0)], 0)
        measured = tokenizer.counts(list(self._texts(first, last, headed)))
        return Lengths(np.asarray(measured, dtype=np.int64), sums[last + 1] - sums[first], headers)

    def _texts(self, first: Ints, last: Ints, headed: npt.NDArray[np.bool_]) -> Iterator[str]:
        for lo, hi, with_header in zip(first.tolist(), last.tolist(), headed.tolist(), strict=True):
            body = (int(self.starts[lo]), int(self.ends[hi]))
            if with_header:
                above = (int(self.starts[self.header[lo]]), int(self.ends[self.header_end[lo]]))
                yield join_ranges(self.text, (above, body))
            else:
                yield join_ranges(self.text, (body,))


def layouts(snapshot: Snapshot) -> list[Layout]:
    """The layout of every document that holds a sentence, in the order of their ids."""
    frame = snapshot.frame("sentences", COLUMNS).sort_values(["document_id", "ordinal"])
    frame = frame.fillna({"header": -1, "header_end": -1})
    texts = snapshot.frame("documents", ["document_id", "text"]).set_index("document_id")["text"]
    made = []
    for document_id, rows in frame.groupby("document_id", sort=True):
        numbers = {name: rows[name].to_numpy(dtype=np.int64) for name in COLUMNS if not name.endswith("_id")}
        first, last = _sections(rows["parent_id"].fillna("").to_numpy(dtype=str))
        made.append(
            Layout(
                str(texts[document_id]),
                numbers["char_start"],
                numbers["char_end"],
                numbers["tokens"],
                first,
                last,
                numbers["header"],
                numbers["header_end"],
            )
        )
    return made


def _sections(parents: npt.NDArray[np.str_]) -> tuple[Ints, Ints]:
    """For every sentence the first and the last one of its section: parents are runs of sentences."""
    starts = np.flatnonzero(np.concatenate(([True], parents[1:] != parents[:-1])))
    sizes = np.diff(np.concatenate((starts, [len(parents)])))
    return np.repeat(starts, sizes), np.repeat(starts + sizes - 1, sizes)
