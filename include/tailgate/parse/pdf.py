"""PDF by pdfium: its pages, its outline (bookmarks), and the text layer of each page; there is no OCR."""

import re
from collections.abc import Iterator
from typing import Any

from tailgate.errors import EmptyDocument, EncryptedDocument, UnreadableDocument
from tailgate.models import Kind, OutlineEntry, ParsedDocument, SourceFile
from tailgate.parse.builder import Block, compose
from tailgate.parse.flow import flowed

# pdfium writes one of these where a word was broken at a line's end.
_BROKEN_WORD = re.compile("[\x02\ufffe](?:\r\n)?")
_CONTROL = re.compile("[\x00-\x08\x0b\x0e-\x1f\x7f]")


def parse(data: bytes, file: SourceFile) -> ParsedDocument:
    """Paragraphs with their page, and the outline; pages without text are counted in a warning.

    Raises EncryptedDocument, UnreadableDocument, and EmptyDocument where no page has a text layer.
    """
    import pypdfium2

    document = _opened(data, file)
    try:
        texts = [_page_text(document, number, pypdfium2.PdfiumError) for number in range(len(document))]
        outline = tuple(_outline(document))
    finally:
        document.close()
    blank = [number for number, text in enumerate(texts, start=1) if not text.strip()]
    if len(blank) == len(texts):
        raise EmptyDocument(file.uri, f"no page has a text layer (pages: {len(texts)}), and OCR is not done")
    return compose(
        _blocks(texts),
        media_type="application/pdf",
        pages="page",
        outline=outline,
        warnings=_warnings(blank, len(texts)),
    )


def _opened(data: bytes, file: SourceFile) -> Any:
    import pypdfium2

    try:
        document = pypdfium2.PdfDocument(data)
    except pypdfium2.PdfiumError as error:
        if "password" in str(error).lower():
            raise EncryptedDocument(
                file.uri, "it can only be opened with a password; store a copy without one"
            ) from error
        raise UnreadableDocument(file.uri, f"it is no PDF or a broken one ({_detail(error)})") from error
    if len(document) == 0:
        document.close()
        raise UnreadableDocument(file.uri, "it is a PDF without pages")
    return document


def _detail(error: Exception) -> str:
    match = re.search(r"PDFium: (.+?)\)?\.?$", str(error))
    return match[1] if match else str(error)


def _page_text(document: Any, number: int, page_error: type[Exception]) -> str:
    """Nothing for a page that is broken: the rest of the document is still worth having, and the page is counted."""
    page = None
    try:
        page = document[number]
        text: str = page.get_textpage().get_text_bounded()
    except page_error:
        return ""
    finally:
        if page is not None:
            # Closes its text too; pdfium would else hold every page until the document is closed.
            page.close()
    return _CONTROL.sub(" ", _BROKEN_WORD.sub("", text))


def _outline(document: Any) -> Iterator[OutlineEntry]:
    for bookmark in document.get_toc():
        title = " ".join(_CONTROL.sub(" ", bookmark.get_title()).split())
        place = bookmark.get_dest()
        page = place.get_index() if place else None
        if title and page is not None and 0 <= page < len(document):
            yield OutlineEntry(title=title, level=bookmark.level + 1, page=page + 1)


def _blocks(texts: list[str]) -> Iterator[Block]:
    for page, text in enumerate(texts, start=1):
        for item, paragraph in flowed(text):
            yield Block(Kind.LIST_ITEM if item else Kind.PROSE, paragraph, page=page)


def _warnings(blank: list[int], pages: int) -> tuple[str, ...]:
    if not blank:
        return ()
    named = ", ".join(map(str, blank[:10])) + (", …" if len(blank) > 10 else "")
    return (f"{len(blank)} of {pages} pages have no text layer (OCR is not done): {named}",)
