"""Drafts and parents together: the sentences of a document."""

from array import array
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tailgate.models import Kind, Parent, ParsedDocument, Sentence
from tailgate.segment.clauses import Clause
from tailgate.segment.drafts import Drafts
from tailgate.segment.lazy import Lazy
from tailgate.segment.windows import Layout, Range


@dataclass(frozen=True, slots=True, eq=False)
class Sentences(Lazy[Sentence]):
    """A sentence for each draft, in order, that knows its parent, its clause and, in a table, its header."""

    parsed: ParsedDocument
    drafts: Drafts
    owners: "array[int]"
    """Of each sentence: the ordinal of its parent."""
    headers: Mapping[int, Range]
    """Of each table's element: the ordinals of its first and its last header line."""
    clauses: Sequence[int]
    """The elements that begin a clause, in order."""
    paths: Sequence[str]
    """The numbers of each of these clauses."""

    def __len__(self) -> int:
        return len(self.drafts)

    def at(self, position: int) -> Sentence:
        draft = self.drafts.at(position)
        element = self.parsed.elements[draft.element]
        first, last = self.header_above(position) or (None, None)
        return Sentence(
            ordinal=position,
            kind=draft.kind,
            char_start=draft.start,
            char_end=draft.end,
            text=self.parsed.text[draft.start : draft.end],
            tokens=draft.tokens,
            raw_tokens=draft.raw_tokens,
            parent=self.owners[position],
            piece=draft.piece,
            pseudo=draft.pseudo,
            header=first,
            header_end=last,
            clause=self._clause(draft.element),
            page=element.page,
            speaker=element.speaker,
            start_s=element.start_s,
            end_s=element.end_s,
        )

    @property
    def layout(self) -> Layout:
        """Where they lie."""
        return Layout(self.drafts.starts, self.drafts.ends, self.owners, self.header_above)

    def header_above(self, position: int) -> Range | None:
        """The header lines above a line of a table: all of them above a row, those before it above a header line."""
        header = self.headers.get(self.drafts.elements[position]) if self.headers else None
        if header is None or position == header[0]:
            return None
        return header[0], min(header[1], position - 1)

    def _clause(self, element: int) -> str | None:
        """The clause that the element begins, or the one before it."""
        place = bisect_right(self.clauses, element) - 1
        return self.paths[place] if place >= 0 else None


def sentences_of(
    parsed: ParsedDocument, drafts: Drafts, parents: Sequence[Parent], clauses: Mapping[int, Clause]
) -> Sentences:
    """A sentence for each draft, in order."""
    owners = array("I")
    for parent in parents:
        owners.extend([parent.ordinal] * (parent.last_sentence + 1 - parent.first_sentence))
    begun = sorted(clauses)
    return Sentences(parsed, drafts, owners, _headers(drafts), begun, [clauses[element].path for element in begun])


def _headers(drafts: Drafts) -> dict[int, Range]:
    """The ordinals of the first and the last header line of each table, by its element."""
    found: dict[int, Range] = {}
    for ordinal, draft in enumerate(drafts):
        if draft.kind is Kind.TABLE_HEADER:
            found[draft.element] = (found.get(draft.element, (ordinal, ordinal))[0], ordinal)
    return found
