"""Windows of another radius for sentences that are stored already: nothing is parsed, nothing is embedded."""

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Any
from zlib import crc32

from tailgate import ids
from tailgate.config import Corpus
from tailgate.models import Kind, Sentence, Window
from tailgate.segment import layout_of, ledger_of, open_tokenizer, windows_of
from tailgate.store.schema import window_schema
from tailgate.store.snapshot import Snapshot

if TYPE_CHECKING:
    import pyarrow as pa

CHARS = 8_000_000
"""Characters of window texts that are held before they are written."""
COLUMNS = ("document_id", "ordinal", "kind", "char_start", "char_end", "tokens", "parent_id", "header", "header_end")


def window_rows(corpus: Corpus, base: Snapshot, part: int, parts: int) -> Iterator["pa.RecordBatch"]:
    """The window columns of every sentence of the base's documents, of which this is one of `parts` parts."""
    tokenizer = open_tokenizer(corpus.tokens.encoding)
    rows: list[dict[str, Any]] = []
    chars = 0
    for name, text, sentences in _documents(base, part, parts):
        ledger = ledger_of(text, ((s.char_start, s.char_end, s.tokens) for s in sentences), tokenizer)
        windows = windows_of(layout_of(sentences), _sections(sentences), corpus.window, ledger)
        rows += [_row(name, ordinal, window) for ordinal, window in enumerate(windows)]
        chars += sum(len(row["window_text"]) for row in rows[len(rows) - len(sentences) :])
        if chars > CHARS:
            yield _batch(rows)
            rows, chars = [], 0
    yield _batch(rows)


def _documents(base: Snapshot, part: int, parts: int) -> Iterator[tuple[str, str, list[Sentence]]]:
    """Id, text and sentences of each document of the part."""
    table = base.arrow("sentences", COLUMNS).sort_by([("document_id", "ascending"), ("ordinal", "ascending")])
    rows = groupby(zip(*(column.to_pylist() for column in table.columns), strict=True), key=lambda row: row[0])
    stored = {name: _sentences(list(group)) for name, group in rows if crc32(name.encode()) % parts == part}
    for batch in base.batches("documents", ["document_id", "text"]):
        for name, text in zip(*(column.to_pylist() for column in batch.columns), strict=True):
            if name in stored:
                yield name, text, stored.pop(name)


def _sentences(rows: Sequence[tuple[Any, ...]]) -> list[Sentence]:
    """What of each sentence decides about windows; sections are counted from 0, as they follow one another."""
    made: list[Sentence] = []
    section, before = -1, None
    for _, ordinal, kind, start, end, tokens, parent, header, header_end in rows:
        section += parent != before
        before = parent
        made.append(
            Sentence(ordinal, Kind(kind), start, end, "", tokens, tokens, section, header=header, header_end=header_end)
        )
    return made


def _sections(sentences: Sequence[Sentence]) -> list[tuple[int, int]]:
    """The ordinals of the first and the last sentence of each section."""
    groups = (list(group) for _, group in groupby(sentences, key=lambda sentence: sentence.parent))
    return [(group[0].ordinal, group[-1].ordinal) for group in groups]


def _row(document: str, ordinal: int, window: Window) -> dict[str, Any]:
    return {
        "sentence_id": ids.sentence_id(document, ordinal),
        "document_id": document,
        "ordinal": ordinal,
        "window_text": window.text,
        "window_first": window.first,
        "window_last": window.last,
        "window_tokens": window.tokens,
    }


def _batch(rows: Sequence[dict[str, Any]]) -> "pa.RecordBatch":
    import pyarrow as pa

    return pa.RecordBatch.from_pylist(list(rows), schema=window_schema())
