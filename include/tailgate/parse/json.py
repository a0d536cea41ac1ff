"""JSON and JSON Lines: the canonical text is the file itself, in one element, for its lines are no prose."""

import json

from tailgate.models import Element, Kind, ParsedDocument, SourceFile
from tailgate.parse.decode import decode
from tailgate.parse.language import language_of


def parse(data: bytes, file: SourceFile) -> ParsedDocument:
    """One JSON element; a file that is no valid JSON is taken all the same, and a warning says so.

    Raises UnreadableDocument where the bytes are no text.
    """
    text, warnings = decode(data, file)
    stripped = text.strip()
    start = text.index(stripped)
    return ParsedDocument(
        text=text,
        elements=(Element(Kind.JSON, start, start + len(stripped)),) if stripped else (),
        media_type="application/json",
        language=language_of(text),
        warnings=warnings + _problems(stripped, by_line=file.path.lower().endswith(".jsonl")),
    )


def _problems(text: str, *, by_line: bool) -> tuple[str, ...]:
    documents = [line for line in text.split("\n") if line.strip()] if by_line else [text]
    broken = sum(1 for document in documents if not _is_valid(document))
    if not broken:
        return ()
    return (f"{broken} of {len(documents)} lines are no valid JSON" if by_line else "it is no valid JSON",)


def _is_valid(text: str) -> bool:
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True
