"""Ids are derived from corpus, document and position, never random and never from text alone."""

import hashlib


def document_id(corpus: str, path: str) -> str:
    """The same for the same corpus and path (relative to the source, `/` between parts), on every machine."""
    return _digest(f"{corpus}\0{path}", size=12)


def sentence_id(document: str, ordinal: int) -> str:
    """Unique in a corpus; sorts by document, then by position."""
    return f"{document}:s{ordinal:07d}"


def parent_id(document: str, ordinal: int) -> str:
    """Unique in a corpus, also where two documents hold the same section."""
    return f"{document}:p{ordinal:07d}"


def child_id(document: str, ordinal: int) -> str:
    """Unique in a corpus; sorts by document, then by position."""
    return f"{document}:c{ordinal:07d}"


def text_hash(text: str) -> str:
    """Names a text to embed: equal texts share one vector."""
    return _digest(text, size=16)


def content_hash(data: bytes) -> str:
    """Names a file's bytes."""
    return hashlib.blake2b(data, digest_size=16).hexdigest()


def fingerprint(text: str) -> str:
    """A short name of a canonical text, such as a part of a config."""
    return _digest(text, size=6)


def _digest(text: str, *, size: int) -> str:
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=size).hexdigest()
