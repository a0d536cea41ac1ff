import socket
from pathlib import Path

import pytest

from tailgate.errors import ModelUnavailable
from tailgate.segment.tokens import open_tokenizer

TOKENIZER = open_tokenizer("cl100k_base")


def test_tokens_are_those_of_the_encoding():
    assert TOKENIZER.count("A window counts positions.") == 5
    assert TOKENIZER.counts(["", "A", "<|endoftext|>"]) == [0, 1, 7]


def test_starts_are_characters():
    assert TOKENIZER.starts("ab 漢 cd")[0] == 0
    assert list(TOKENIZER.starts("one two three")) == [0, 3, 7]


def test_white_space_that_tiktoken_panics_at_is_counted():
    assert 0 < TOKENIZER.count("x" + " " * 1_500_000 + "y") < 20_000
    assert TOKENIZER.counts(["x" + "\n" * 1_500_000 + "y"])[0] > 0


def test_an_unknown_encoding_is_refused_with_the_known_ones():
    with pytest.raises(ModelUnavailable, match="cl100k_base"):
        open_tokenizer("cl100k")


def test_ranks_that_are_not_here_are_never_fetched(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    def refuse(*args: object) -> None:
        pytest.fail("tiktoken went to the network")

    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    monkeypatch.setenv("TIKTOKEN_CACHE_DIR", str(tmp_path))
    with pytest.raises(ModelUnavailable, match="TIKTOKEN_CACHE_DIR"):
        open_tokenizer("p50k_edit")
    assert open_tokenizer("cl100k_base").count("word") == 1
