"""Which parser takes which file, by its suffix; whatever happens in one, a document or a DocumentError comes out."""

from collections.abc import Callable

from tailgate.errors import DocumentError, EmptyDocument, UnreadableDocument, UnsupportedDocument
from tailgate.models import ParsedDocument, SourceFile
from tailgate.parse import csv, docx, eml, html, json, markdown, pdf, pptx, text

Parser = Callable[[bytes, SourceFile], ParsedDocument]

PARSERS: dict[str, Parser] = {
    ".txt": text.parse,
    ".text": text.parse,
    ".log": text.parse,
    ".md": markdown.parse,
    ".markdown": markdown.parse,
    ".html": html.parse,
    ".htm": html.parse,
    ".docx": docx.parse,
    ".pptx": pptx.parse,
    ".pdf": pdf.parse,
    ".json": json.parse,
    ".jsonl": json.parse,
    ".csv": csv.parse,
    ".tsv": csv.parse,
    ".eml": eml.parse,
}
_REMEDIES = {
    ".xlsx": "save each sheet as .csv",
    ".xls": "save each sheet as .csv",
    ".ods": "save each sheet as .csv",
    ".doc": "save it as .docx",
    ".rtf": "save it as .docx",
    ".odt": "save it as .docx",
    ".ppt": "save it as .pptx",
    ".odp": "save it as .pptx",
    ".epub": "convert it to .html or .md",
    ".rst": "convert it to .html or .md",
    ".org": "convert it to .html or .md",
    ".adoc": "convert it to .html or .md",
    ".asciidoc": "convert it to .html or .md",
    ".tex": "convert it to .html or .pdf",
    ".xml": "convert it to .html or .md",
    ".msg": "save it as .eml",
    ".zip": "unpack it",
    ".gz": "unpack it",
}


def parse(data: bytes, file: SourceFile) -> ParsedDocument:
    """The canonical text of a file and the elements that cover every non-blank character of it.

    Raises UnsupportedDocument, EmptyDocument, EncryptedDocument or UnreadableDocument, and nothing else.
    """
    parser = _parser_of(file)
    if not data.strip():
        raise EmptyDocument(file.uri, "it holds no bytes" if not data else "it holds only white space")
    try:
        document = parser(data, file)
    except DocumentError:
        raise
    except Exception as error:  # noqa: BLE001 - parsers meet broken files of every kind; one of them must not end a run
        raise UnreadableDocument(file.uri, _reason(error)) from error
    if not document.elements:
        raise EmptyDocument(file.uri, f"no text was found in it{_because(document)}")
    return document


def _parser_of(file: SourceFile) -> Parser:
    name = file.path.rpartition("/")[2]
    suffix = f".{name.rpartition('.')[2].lower()}" if "." in name else ""
    if suffix in PARSERS:
        return PARSERS[suffix]
    kind = f"files ending in {suffix} are not taken" if suffix else "files without a suffix are not taken"
    remedy = f"; {_REMEDIES[suffix]}" if suffix in _REMEDIES else ""
    raise UnsupportedDocument(file.uri, f"{kind}{remedy} (taken are {' '.join(PARSERS)})")


def _reason(error: Exception) -> str:
    if isinstance(error, RecursionError):
        return "it is nested too deeply to be read"
    said = " ".join(str(error).split())[:200]
    return f"it is broken and cannot be read ({type(error).__name__}{': ' if said else ''}{said})"


def _because(document: ParsedDocument) -> str:
    return f": {'; '.join(document.warnings)}" if document.warnings else ""
