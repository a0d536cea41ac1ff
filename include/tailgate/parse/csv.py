"""CSV and TSV: one table, a row a line, the first row its header."""

import csv
from io import StringIO

from tailgate.errors import UnreadableDocument
from tailgate.models import ParsedDocument, SourceFile
from tailgate.parse.builder import compose
from tailgate.parse.decode import decode
from tailgate.parse.tables import table_block

_DELIMITERS = ",;\t|"
_SAMPLE_CHARS = 16_384
_MOST_CELL_CHARS = 10_000_000


def parse(data: bytes, file: SourceFile) -> ParsedDocument:
    """One TABLE whose cells are joined by ` | `. Raises UnreadableDocument where the bytes are no such table."""
    text, warnings = decode(data, file)
    is_tsv = file.path.lower().endswith(".tsv")
    csv.field_size_limit(_MOST_CELL_CHARS)
    try:
        rows = list(csv.reader(StringIO(text, newline=""), delimiter="\t" if is_tsv else _delimiter(text)))
    except csv.Error as error:
        raise UnreadableDocument(file.uri, f"it cannot be read as a table: {error}") from error
    media_type = "text/tab-separated-values" if is_tsv else "text/csv"
    return compose([table_block(rows, 1)], media_type=media_type, warnings=warnings)


def _delimiter(text: str) -> str:
    """The sign that splits the most lines, and the first lines alike; a comma where none does."""
    lines = [line for line in text[:_SAMPLE_CHARS].splitlines() if line.strip()][:20]

    def fit(sign: str) -> tuple[int, int]:
        counts = [line.count(sign) for line in lines]
        return sum(count > 0 and count == counts[0] for count in counts), counts[0] if counts else 0

    return max(_DELIMITERS, key=fit)
