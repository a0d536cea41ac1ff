"""What is long is worked off in parts, and nothing can tell."""

import random

import pytest
import tiktoken
from hypothesis import given, settings
from hypothesis import strategies as st

from tailgate.config import Corpus, Source
from tailgate.models import Element, Kind, ParsedDocument
from tailgate.segment import open_segmenter, tokens
from tailgate.segment.lazy import Lazy
from tailgate.segment.tokens import open_tokenizer

TOKENIZER = open_tokenizer("cl100k_base")
PIECES = st.sampled_from([
    *("the", "harbour", "don't", "3", "2024", "3.5", "x_y", "É", "naïve", "海", "今天。", "ไทย", "👩‍👩‍👧", "e\u0301"),
    *(" ", " ", " ", "  ", "\n", "\n\n", " \n", "\n ", "\r\n", "\t", ".", ". ", ",", "'", "'s", "—", "(", '"', "</a>"),
])


ENCODINGS = [name for name in tiktoken.list_encoding_names() if name.endswith(tokens.OFFLINE)]


@given(st.lists(PIECES, max_size=60).map("".join), st.sampled_from(ENCODINGS))
@settings(deadline=None)
def test_no_token_spans_the_places_where_long_texts_are_cut(text: str, encoding: str) -> None:
    ranks = tiktoken.get_encoding(encoding)
    whole = ranks.encode_ordinary(text)
    cuts = [0, *(match.end() for match in tokens._BETWEEN_TOKENS.finditer(text)), len(text)]
    parts = [ranks.encode_ordinary(text[a:b]) for a, b in zip(cuts, cuts[1:], strict=False)]
    assert [token for part in parts for token in part] == whole


def test_tokens_of_a_long_text_are_counted_exactly() -> None:
    chance = random.Random(3)
    words = ["crane", "quay", "don't", "3.5", "naïve", "海。", "\n\n", "(see", "§", "x_y"]
    text = " ".join(chance.choices(words, k=900_000))
    assert len(text) > 3 * tokens.STRETCH
    assert TOKENIZER.count(text) == len(TOKENIZER._ranks.encode_ordinary(text))


@pytest.mark.parametrize("text", ["a" * 5_000_000, "今天天气很好" * 600_000], ids=["one letter", "one sentence"])
def test_what_has_no_place_to_cut_is_counted_nearly(text: str) -> None:
    halves = text[: len(text) // 2], text[len(text) // 2 :]
    assert abs(TOKENIZER.count(text) - sum(map(TOKENIZER.count, halves))) < 10


def test_units_that_are_made_when_asked_for_are_a_sequence_like_any_other() -> None:
    text = " ".join(f"Sentence number {i} is here." for i in range(9_000))
    parsed = ParsedDocument(text=text, elements=(Element(Kind.PROSE, 0, len(text)),), media_type="text/plain")
    document = open_segmenter(Corpus(name="x", source=Source(uri="."))).segment(parsed)
    for units in (document.windows, document.children):
        assert isinstance(units, Lazy)
        made = tuple(units)
        assert units == made
        assert units[-1] == made[-1]
        assert units[4_000:4_100:7] == made[4_000:4_100:7]
        assert all(unit.tokens == TOKENIZER.count(unit.text) for unit in made[::50])
        with pytest.raises(IndexError):
            units[len(made)]
