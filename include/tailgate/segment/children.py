"""Children: consecutive sentences of one parent, packed to a size that an embedder takes whole."""

from collections.abc import Sequence

from tailgate.models import Child, Parent, Sentence
from tailgate.segment.packing import Run, pack
from tailgate.segment.tokens import Tokenizer


def children_of(
    text: str, sentences: Sequence[Sentence], parents: Sequence[Parent], most: int, tokenizer: Tokenizer
) -> tuple[Child, ...]:
    """Children that partition the sentences, never across a parent, of at most `most` tokens or of one sentence."""
    spans = [
        (parent.ordinal, parent.first_sentence + first, parent.first_sentence + last)
        for parent in parents
        for first, last in _runs(text, sentences[parent.first_sentence : parent.last_sentence + 1], most, tokenizer)
    ]
    texts = [text[sentences[first].char_start : sentences[last].char_end] for _, first, last in spans]
    return tuple(
        Child(
            ordinal=ordinal,
            parent=parent,
            first_sentence=first,
            last_sentence=last,
            char_start=sentences[first].char_start,
            char_end=sentences[last].char_end,
            text=texts[ordinal],
            tokens=tokens,
        )
        for ordinal, ((parent, first, last), tokens) in enumerate(zip(spans, tokenizer.counts(texts), strict=True))
    )


def _runs(text: str, inside: Sequence[Sentence], most: int, tokenizer: Tokenizer) -> list[Run]:
    spans = [(sentence.char_start, sentence.char_end) for sentence in inside]
    return pack(text, spans, most, tokenizer, preferred=lambda unit: False)
