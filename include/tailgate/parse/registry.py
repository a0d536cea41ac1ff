"""Which parser takes which file, by its suffix; whatever happens in one, a document or a DocumentError comes out."""

from collections.abc import Callable

from tailgate.errors import DocumentError, EmptyDocument, UnreadableDocument, UnsupportedDocument
from tailgate.models import ParsedDocument, SourceFile
from tailgate.parse import (
    csv,
    docx,
    eml,
    epub,
    html,
    json,
    markdown,
    msg,
    opendocument,
    pdf,
    pptx,
    rst,
    rtf,
    subtitles,
    text,
    xlsx,
    xml,
)

Parser = Callable[[bytes, SourceFile], ParsedDocument]

PARSERS: dict[str, Parser] = {
    ".txt": text.parse,
    ".text": text.parse,
    ".log": text.parse,
    ".md": markdown.parse,
    ".markdown": markdown.parse,
    ".html": html.parse,
    ".htm": html.parse,
    ".xhtml": html.parse,
    ".rst": rst.parse,
    ".docx": docx.parse,
    ".pptx": pptx.parse,
    ".xlsx": xlsx.parse,
    ".xlsm": xlsx.parse,
    ".odt": opendocument.parse,
    ".ods": opendocument.parse,
    ".pdf": pdf.parse,
    ".epub": epub.parse,
    ".rtf": rtf.parse,
    ".vtt": subtitles.parse,
    ".srt": subtitles.parse,
    ".json": json.parse,
    ".jsonl": json.parse,
    ".ndjson": json.parse,
    ".csv": csv.parse,
    ".tsv": csv.parse,
    ".eml": eml.parse,
    ".mbox": eml.parse,
    ".msg": msg.parse,
    ".xml": xml.parse,
    ".nxml": xml.parse,
}
_REMEDIES = {
    ".xls": "save it as .xlsx",
    ".xlsb": "save it as .xlsx",
    ".doc": "save it as .docx",
    ".dot": "save it as .docx",
    ".pages": "save it as .docx",
    ".ppt": "save it as .pptx",
    ".odp": "save it as .pptx",
    ".key": "save it as .pptx",
    ".numbers": "save it as .xlsx",
    ".mobi": "convert it to .epub",
    ".azw3": "convert it to .epub",
    ".org": "convert it to .html or .md",
    ".adoc": "convert it to .html or .md",
    ".asciidoc": "convert it to .html or .md",
    ".tex": "convert it to .html or .pdf",
    ".p7s": "it is a signature; store the message itself as .eml",
    ".p7m": "it is signed or encrypted; store the message itself as .eml",
    ".zip": "unpack it",
    ".gz": "unpack it",
    ".tar": "unpack it",
    ".7z": "unpack it",
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
    remedy = f"; {_REMEDIES[suffix]}" if suffix in _REMEDIES else f" (taken are {' '.join(PARSERS)})"
    raise UnsupportedDocument(file.uri, f"{kind}{remedy}")


def _reason(error: Exception) -> str:
    if isinstance(error, RecursionError):
        return "it is nested too deeply to be read"
    said = " ".join(str(error).split())[:200]
    return f"it is broken and cannot be read ({type(error).__name__}{': ' if said else ''}{said})"


def _because(document: ParsedDocument) -> str:
    return f": {'; '.join(document.warnings)}" if document.warnings else ""
