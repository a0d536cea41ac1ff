"""Children: consecutive sentences of one parent, packed to a size that an embedder takes whole."""

from array import array
from collections.abc import Sequence
from dataclasses import dataclass

from tailgate.models import Child, Parent, Sentence
from tailgate.segment.lazy import Lazy
from tailgate.segment.ledger import Ledger
from tailgate.segment.packing import Run, pack


def children_of(sentences: Sequence[Sentence], parents: Sequence[Parent], most: int, ledger: Ledger) -> Sequence[Child]:
    """Children that partition the sentences, never across a parent, of at most `most` tokens or of one sentence."""
    spans = [
        (parent.ordinal, parent.first_sentence + first, parent.first_sentence + last)
        for parent in parents
        for first, last in _runs(sentences[parent.first_sentence : parent.last_sentence + 1], most, ledger)
    ]
    counts = (ledger.count(sentences[first].char_start, sentences[last].char_end) for _, first, last in spans)
    return _Children(ledger.text, sentences, spans, array("Q", counts))


@dataclass(frozen=True, slots=True, eq=False)
class _Children(Lazy[Child]):
    """Together their texts are as long as the document, which is there already."""

    text: str
    sentences: Sequence[Sentence]
    spans: Sequence[tuple[int, int, int]]
    """Of each child: its parent, its first and its last sentence."""
    tokens: "array[int]"

    def __len__(self) -> int:
        return len(self.spans)

    def at(self, position: int) -> Child:
        parent, first, last = self.spans[position]
        start, end = self.sentences[first].char_start, self.sentences[last].char_end
        return Child(
            ordinal=position,
            parent=parent,
            first_sentence=first,
            last_sentence=last,
            char_start=start,
            char_end=end,
            text=self.text[start:end],
            tokens=self.tokens[position],
        )


def _runs(inside: Sequence[Sentence], most: int, ledger: Ledger) -> list[Run]:
    spans = [(sentence.char_start, sentence.char_end) for sentence in inside]
    return pack(spans, most, ledger, preferred=lambda unit: False)
