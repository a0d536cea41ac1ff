"""Children: consecutive sentences of one parent, packed to a size that an embedder takes whole."""

from array import array
from collections.abc import Sequence
from dataclasses import dataclass

from tailgate.models import Child
from tailgate.segment.drafts import Drafts
from tailgate.segment.lazy import Lazy
from tailgate.segment.ledger import Ledger
from tailgate.segment.packing import pack


def children_of(drafts: Drafts, sections: Sequence[tuple[int, int]], most: int, ledger: Ledger) -> Sequence[Child]:
    """Children that partition the sentences, never across a parent, of at most `most` tokens or of one sentence.

    `sections` has the ordinals of the first and the last sentence of each parent, by the parent's ordinal.
    """
    children = _Children(ledger.text, drafts, array("I"), array("I"), array("I"), array("I"))
    for parent, (first, last) in enumerate(sections):
        starts, ends = drafts.starts[first : last + 1], drafts.ends[first : last + 1]
        for begin, end in pack(starts, ends, most, ledger, preferred=lambda unit: False):
            children.add(parent, first + begin, first + end, ledger.count(starts[begin], ends[end]))
    return children


@dataclass(frozen=True, slots=True, eq=False)
class _Children(Lazy[Child]):
    """Together their texts are as long as the document, which is there already."""

    text: str
    drafts: Drafts
    parents: "array[int]"
    firsts: "array[int]"
    """Of each child: its first sentence."""
    lasts: "array[int]"
    tokens: "array[int]"

    def __len__(self) -> int:
        return len(self.tokens)

    def add(self, parent: int, first: int, last: int, tokens: int) -> None:
        """There is one child more."""
        self.parents.append(parent)
        self.firsts.append(first)
        self.lasts.append(last)
        self.tokens.append(tokens)

    def at(self, position: int) -> Child:
        first, last = self.firsts[position], self.lasts[position]
        start, end = self.drafts.starts[first], self.drafts.ends[last]
        return Child(
            ordinal=position,
            parent=self.parents[position],
            first_sentence=first,
            last_sentence=last,
            char_start=start,
            char_end=end,
            text=self.text[start:end],
            tokens=self.tokens[position],
        )
