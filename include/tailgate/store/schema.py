"""The columns of every table; their names are a contract with other programs that read the tables."""

from typing import TYPE_CHECKING, Literal, get_args

from tailgate.config import Corpus, Design

if TYPE_CHECKING:
    import pyarrow as pa

Table = Literal["documents", "parents", "sentences", "children"]
EMBEDDED: dict[Table, Design] = {"sentences": "window", "children": "parent"}
"""The tables whose texts are embedded, each where its design is built."""
KEYS: dict[Table, str] = {
    "documents": "document_id",
    "parents": "parent_id",
    "sentences": "sentence_id",
    "children": "child_id",
}
PRIMARY_KEY = {"lance-schema:unenforced-primary-key": "true", "lance-schema:unenforced-primary-key:position": "1"}
"""What `set_unenforced_primary_key` writes beside a column."""
WORDS = {
    "documents": "document_id path uri fingerprint content_hash config_fingerprint media_type language shape text "
    "run_id",
    "parents": "parent_id document_id kind origin text",
    "sentences": "sentence_id document_id kind text text_hash parent_id window_text clause speaker",
    "children": "child_id document_id parent_id text text_hash",
}
NUMBERS = {
    "documents": "n_chars n_tokens n_sentences n_parents",
    "parents": "ordinal level page char_start char_end first_sentence last_sentence tokens raw_tokens piece",
    "sentences": "ordinal tokens raw_tokens piece char_start char_end header header_end window_first window_last "
    "window_tokens page",
    "children": "ordinal first_sentence last_sentence char_start char_end tokens",
}


def tables_of(corpus: Corpus) -> tuple[Table, ...]:
    """The tables that the corpus's designs need; sentences are always there, since the gates read them."""
    return tuple(
        table for table in get_args(Table) if table in {"documents", "sentences"} or "parent" in corpus.designs
    )


def shard_schema(table: Table) -> "pa.Schema":
    """What a run's shard files hold: the table's columns without vectors, and the text to embed beside the unit."""
    import pyarrow as pa

    fields = [pa.field(name, pa.string()) for name in WORDS[table].split()]
    fields += [pa.field(name, pa.int64()) for name in NUMBERS[table].split()]
    match table:
        case "documents":
            fields += [pa.field("modified", moment())]
            fields += [pa.field("warnings", pa.list_(pa.string())), pa.field("indexed_at", moment())]
        case "parents":
            fields += [pa.field("heading_path", pa.list_(pa.string()))]
        case "sentences":
            fields += [pa.field("pseudo", pa.bool_())]
            fields += [pa.field("start_s", pa.float64()), pa.field("end_s", pa.float64())]
        case "children":
            pass
    if table in EMBEDDED:
        fields += [pa.field("embed_text", pa.string())]
    return pa.schema(fields)


def table_schema(table: Table, corpus: Corpus, dimension: int) -> "pa.Schema":
    """What the LanceDB table holds; vectors are unit vectors of `dimension` float32 numbers, where they are built."""
    import pyarrow as pa

    fields = [field for field in shard_schema(table) if field.name != "embed_text"]
    embedded = EMBEDDED.get(table) in corpus.designs
    return pa.schema([*fields, *([pa.field("vector", pa.list_(pa.float32(), dimension))] if embedded else [])])


def vector_schema(dimension: int) -> "pa.Schema":
    """What a run's vector files hold."""
    import pyarrow as pa

    return pa.schema([pa.field("text_hash", pa.string()), pa.field("vector", pa.list_(pa.float32(), dimension))])


def window_schema() -> "pa.Schema":
    """What a run's window files hold: new windows of sentences that stay as they are."""
    import pyarrow as pa

    sentences = shard_schema("sentences")
    names = ["sentence_id", "document_id", "ordinal", "window_text", "window_first", "window_last", "window_tokens"]
    return pa.schema([sentences.field(name) for name in names])


def release_schema() -> "pa.Schema":
    """One row a release; `sequence` is the key that the compare-and-swap of publishing goes by.

    The key is part of the schema, not set afterwards, so that no writer ever sees the table without it: without it,
    concurrent inserts of one sequence all succeed.
    """
    import pyarrow as pa

    names = "release_id run_id status reason config_fingerprint table_versions metrics gates"
    sequence = pa.field("sequence", pa.int64(), nullable=False, metadata=PRIMARY_KEY)
    fields = [sequence, pa.field("created_at", moment())]
    return pa.schema([*fields, *(pa.field(name, pa.string()) for name in names.split())])


def quarantine_schema() -> "pa.Schema":
    """One row a file that could not be indexed."""
    import pyarrow as pa

    fields = [pa.field(name, pa.string()) for name in ("uri", "error", "message", "fingerprint")]
    return pa.schema([*fields, pa.field("first_seen", moment()), pa.field("last_seen", moment())])


def moment() -> "pa.DataType":
    """Moments are UTC, to the microsecond."""
    import pyarrow as pa

    return pa.timestamp("us", tz="UTC")
