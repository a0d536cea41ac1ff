"""The hard cap: a sentence that is too long is cut, its pieces are marked, and its raw length is kept for the gate."""

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from unicodedata import combining

from tailgate.segment.drafts import Draft, Drafts
from tailgate.segment.splitter import Span, stripped
from tailgate.segment.tokens import Tokenizer

BATCH = 4096
"""Drafts whose texts are there at once while their tokens are counted."""


def capped(raw: Iterable[Draft], text: str, most: int, tokenizer: Tokenizer) -> Drafts:
    """The drafts with their tokens counted; those above `most` tokens as pieces of at most `most` tokens each."""
    drafts, left = Drafts(), iter(raw)
    while batch := list(islice(left, BATCH)):
        counts = tokenizer.counts([text[draft.start : draft.end] for draft in batch])
        for draft, tokens in zip(batch, counts, strict=True):
            if tokens <= most:
                drafts.add(Draft(draft.element, draft.kind, draft.start, draft.end, tokens, tokens))
            else:
                for piece in _pieces(draft._replace(raw_tokens=tokens), text, most, tokenizer):
                    drafts.add(piece)
    return drafts


def _pieces(draft: Draft, text: str, most: int, tokenizer: Tokenizer) -> Iterator[Draft]:
    for number, (start, end) in enumerate(_cut(text[draft.start : draft.end], most, tokenizer)):
        span = draft.start + start, draft.start + end
        tokens = tokenizer.count(text[span[0] : span[1]])
        yield draft._replace(start=span[0], end=span[1], tokens=tokens, piece=number, pseudo=True)


def _cut(text: str, most: int, tokenizer: Tokenizer) -> Iterator[Span]:
    """Pieces that end at the last place before the cap where a word does, or at a token; linear in the text."""
    starts = tokenizer.starts(text)
    begin = 0
    while begin < len(text):
        token = bisect_left(starts, begin) + most
        end = _end_of_piece(text, begin, starts, token, most, tokenizer)
        span = stripped(text, begin, end)
        if span[0] < span[1]:
            yield span
        begin = end


def _end_of_piece(text: str, begin: int, starts: Sequence[int], token: int, most: int, tokenizer: Tokenizer) -> int:
    """Where the piece that begins at `begin` ends: never at `begin`, never above the cap unless one character is."""
    while True:
        limit = starts[token] if token < len(starts) else len(text)
        end = _at_word_end(text, begin, limit) if limit < len(text) else limit
        if end <= begin + 1 or tokenizer.count(text[begin:end].strip()) <= most:
            return max(end, begin + 1)
        token = min(token, len(starts)) - max(1, most // 16)


def _at_word_end(text: str, begin: int, limit: int) -> int:
    """Behind the last white space of text[begin:limit], or else the last punctuation, or else `limit`.

    `limit` itself where white space stands there.
    """
    if text[limit].isspace():
        return limit
    for is_end in (str.isspace, _is_punctuation):
        for position in range(limit - 1, begin, -1):
            if is_end(text[position]):
                return position + 1
    return limit


def _is_punctuation(character: str) -> bool:
    return not character.isalnum() and not combining(character)
