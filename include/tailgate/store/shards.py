"""Segmented documents as rows: one set of shard files a shard, whole or not there."""

import sys
from collections.abc import Collection, Iterator
from contextlib import ExitStack
from datetime import datetime
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from tailgate import ids
from tailgate.config import Corpus
from tailgate.models import SegmentedDocument, SourceFile
from tailgate.store.files import reachable, write_whole
from tailgate.store.leftovers import Leftover, names_by_shard
from tailgate.store.rows import only
from tailgate.store.run_folder import RunFolder
from tailgate.store.schema import Table, shard_schema, tables_of

if TYPE_CHECKING:
    import pyarrow as pa
    import pyarrow.parquet as pq

ROWS = 2000
CHARS = 8_000_000
"""Rows and characters of one table that are held before they are written: what a reader holds at a time, too."""
LONG = ("text", "window_text", "embed_text")
Row = dict[str, Any]


class ShardWriter:
    """A context manager: when it ends well, the shard's files hold the rows of every document that was added."""

    def __init__(self, folder: RunFolder, shard: int, corpus: Corpus, as_of: datetime) -> None:
        self._folder = folder
        self._shard = shard
        self._corpus = corpus
        self._as_of = as_of
        self._stack = ExitStack()
        self._writers: dict[Table, pq.ParquetWriter] = {}
        self._rows: dict[Table, list[Row]] = {}
        self._chars: dict[Table, int] = {}

    def __enter__(self) -> Self:
        import pyarrow.parquet as pq

        for table in tables_of(self._corpus):
            path = self._folder.shard_path(table, self._shard)
            file = self._stack.enter_context(write_whole(self._folder.fs, path))
            schema = shard_schema(table)
            # A dictionary and a smallest and a largest value of long texts: of no use, and copies of them in memory.
            short = [name for name in schema.names if name not in LONG]
            writer = pq.ParquetWriter(file, schema, use_dictionary=short, write_statistics=False)
            self._writers[table] = self._stack.enter_context(writer)
            self._rows[table], self._chars[table] = [], 0
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with reachable(self._folder.uri):
            try:
                for table in self._writers if error is None else ():
                    self._flush(table)
            except BaseException:
                self._stack.__exit__(*sys.exc_info())
                raise
            self._stack.__exit__(kind, error, trace)

    def add(self, file: SourceFile, content_hash: str, document: SegmentedDocument) -> None:
        """The document's rows are held, and written when there are enough of them."""
        name = ids.document_id(self._corpus.name, file.path)
        self._hold("documents", self._documents(name, file, content_hash, document))
        self._hold("sentences", self._sentences(name, document))
        if "parents" in self._writers:
            self._hold("parents", _parents(name, document))
            self._hold("children", self._children(name, document))

    def take(self, leftovers: Collection[Leftover]) -> None:
        """The documents' rows are in the shard as another run has made them; this run vouches for them."""
        for (folder, shard), names in names_by_shard(leftovers).items():
            for table in self._writers:
                for batch in folder.batches(table, shard=shard):
                    rows = only(batch, "document_id", names)
                    if rows.num_rows:
                        self._write(table, self._signed(rows) if table == "documents" else rows)

    def _signed(self, documents: "pa.RecordBatch") -> "pa.RecordBatch":
        """The documents as this run's own."""
        import pyarrow as pa

        own = {"run_id": self._folder.run_id, "indexed_at": self._as_of, "config_fingerprint": self._corpus.fingerprint}
        for name, value in own.items():
            field = documents.schema.field(name)
            column = pa.array([value] * documents.num_rows, field.type)
            documents = documents.set_column(documents.schema.get_field_index(name), field, column)
        return documents

    def _write(self, table: Table, rows: "pa.RecordBatch") -> None:
        with reachable(self._folder.shard_path(table, self._shard)):
            self._writers[table].write_batch(rows)

    def _hold(self, table: Table, rows: Iterator[Row]) -> None:
        for row in rows:
            self._rows[table].append(row)
            self._chars[table] += len(row["text"]) + len(row.get("window_text") or "")
            del row  # a document's text would be held by its name while it is written
            if len(self._rows[table]) >= ROWS or self._chars[table] >= CHARS:
                self._flush(table)

    def _flush(self, table: Table) -> None:
        import pyarrow as pa

        if self._rows[table]:
            batch = pa.RecordBatch.from_pylist(self._rows[table], schema=shard_schema(table))
            self._rows[table], self._chars[table] = [], 0
            self._write(table, batch)
            del batch
            pa.default_memory_pool().release_unused()

    def _documents(self, name: str, file: SourceFile, content_hash: str, document: SegmentedDocument) -> Iterator[Row]:
        parsed = document.parsed
        yield {
            "document_id": name,
            "path": file.path,
            "uri": file.uri,
            "fingerprint": file.fingerprint,
            "modified": file.modified,
            "content_hash": content_hash,
            "config_fingerprint": self._corpus.fingerprint,
            "media_type": parsed.media_type,
            "language": parsed.language,
            "shape": document.shape.value,
            # As bytes: Arrow leaves a copy in UTF-8 with every string that it is given.
            "text": parsed.text.encode(),
            "n_chars": len(parsed.text),
            "n_tokens": document.tokens,
            "n_sentences": len(document.sentences),
            "n_parents": len(document.parents),
            "warnings": list(parsed.warnings),
            "run_id": self._folder.run_id,
            "indexed_at": self._as_of,
        }

    def _sentences(self, name: str, document: SegmentedDocument) -> Iterator[Row]:
        windows = document.windows or (None,) * len(document.sentences)
        paths = _heading_paths(document)
        for sentence, window in zip(document.sentences, windows, strict=True):
            yield {
                "sentence_id": ids.sentence_id(name, sentence.ordinal),
                "document_id": name,
                "ordinal": sentence.ordinal,
                "kind": sentence.kind.value,
                "text": sentence.text,
                "tokens": sentence.tokens,
                "raw_tokens": sentence.raw_tokens,
                "piece": sentence.piece,
                "pseudo": sentence.pseudo,
                "char_start": sentence.char_start,
                "char_end": sentence.char_end,
                "parent_id": ids.parent_id(name, sentence.parent),
                "header": sentence.header,
                "header_end": sentence.header_end,
                "window_text": window.text if window else None,
                "window_first": window.first if window else None,
                "window_last": window.last if window else None,
                "window_tokens": window.tokens if window else None,
                "clause": sentence.clause,
                "page": sentence.page,
                "speaker": sentence.speaker,
                "start_s": sentence.start_s,
                "end_s": sentence.end_s,
                **(self._embedded(sentence.text, paths[sentence.parent]) if window else {}),
            }

    def _children(self, name: str, document: SegmentedDocument) -> Iterator[Row]:
        paths = _heading_paths(document)
        for child in document.children:
            yield {
                "child_id": ids.child_id(name, child.ordinal),
                "document_id": name,
                "parent_id": ids.parent_id(name, child.parent),
                "ordinal": child.ordinal,
                "first_sentence": child.first_sentence,
                "last_sentence": child.last_sentence,
                "char_start": child.char_start,
                "char_end": child.char_end,
                "text": child.text,
                "tokens": child.tokens,
                **self._embedded(child.text, paths[child.parent]),
            }

    def _embedded(self, text: str, heading_path: tuple[str, ...]) -> Row:
        """What is embedded for a unit, where that is more than the unit, and its hash."""
        if self._corpus.embed.context == "none" or not heading_path:
            return {"text_hash": ids.text_hash(text), "embed_text": None}
        shown = f"{' > '.join(heading_path)}\n{text}"
        return {"text_hash": ids.text_hash(shown), "embed_text": shown}


def _heading_paths(document: SegmentedDocument) -> list[tuple[str, ...]]:
    """Of each parent, without making it again for each of its units."""
    return [parent.heading_path for parent in document.parents]


def _parents(name: str, document: SegmentedDocument) -> Iterator[Row]:
    for parent in document.parents:
        yield {
            "parent_id": ids.parent_id(name, parent.ordinal),
            "document_id": name,
            "ordinal": parent.ordinal,
            "kind": parent.kind,
            "origin": parent.origin.value,
            "heading_path": list(parent.heading_path),
            "level": parent.level,
            "page": parent.page,
            "char_start": parent.char_start,
            "char_end": parent.char_end,
            "first_sentence": parent.first_sentence,
            "last_sentence": parent.last_sentence,
            "tokens": parent.tokens,
            "raw_tokens": parent.raw_tokens,
            "piece": parent.piece,
            "text": parent.text,
        }
