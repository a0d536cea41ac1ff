"""EPUB: the pages of its spine, in reading order, each read as HTML."""

import posixpath
from collections.abc import Iterator
from typing import Any
from urllib.parse import unquote
from zipfile import ZipFile

from tailgate.errors import EncryptedDocument, UnreadableDocument
from tailgate.models import ParsedDocument, SourceFile
from tailgate.parse.archive import opened, tree_of
from tailgate.parse.builder import Block, compose
from tailgate.parse.decode import decode
from tailgate.parse.html import blocks_of
from tailgate.parse.language import stated_language
from tailgate.parse.loss import left_out
from tailgate.parse.markup import prepared

_OPF = "{http://www.idpf.org/2007/opf}"
_DC = "{http://purl.org/dc/elements/1.1/}"
_PAGES = ("application/xhtml+xml", "text/html", "application/html")
# Fonts may be scrambled in books without a password; pages are scrambled only where there is one.
_FONT_METHODS = (b"http://www.idpf.org/2008/embedding", b"http://ns.adobe.com/pdf/enc#RC")


def parse(data: bytes, file: SourceFile) -> ParsedDocument:
    """The text of the book's pages with their headings; pages that are missing are counted in a warning.

    Raises EncryptedDocument and UnreadableDocument.
    """
    with opened(data, file) as archive:
        _check_rights(archive, file)
        place = _package_place(archive, file)
        package = tree_of(archive.read(place))
        pages = list(_spine(package, posixpath.dirname(place)))
        names = frozenset(archive.namelist())
        read = [_page(archive.read(page), file) for page in pages if page in names]
    if not pages:
        raise UnreadableDocument(file.uri, "its package file names no page in its spine")
    blocks = [block for found, _ in read for block in found]
    warnings = dict.fromkeys(warning for _, found in read for warning in found if not warning.startswith("left out"))
    return compose(
        blocks,
        media_type="application/epub+zip",
        language=stated_language(package.findtext(f".//{_DC}language") or ""),
        warnings=(*warnings, *left_out({"pages that the archive does not hold": len(pages) - len(read)}), *_lost(read)),
    )


def _check_rights(archive: ZipFile, file: SourceFile) -> None:
    if "META-INF/encryption.xml" not in archive.namelist():
        return
    said = archive.read("META-INF/encryption.xml")
    if said.count(b"EncryptionMethod ") > sum(said.count(method) for method in _FONT_METHODS):
        raise EncryptedDocument(
            file.uri, "its pages are encrypted (digital rights management); store a copy without it"
        )


def _package_place(archive: ZipFile, file: SourceFile) -> str:
    names = archive.namelist()
    if "META-INF/container.xml" in names:
        container = tree_of(archive.read("META-INF/container.xml"))
        places = [str(node.get("full-path", "")) for node in container.iter("{*}rootfile")]
    else:
        places = [name for name in names if name.endswith(".opf")]
    place = next((place for place in places if place in names), None)
    if place is None:
        raise UnreadableDocument(file.uri, "it is no EPUB: it names no package file, or one that it does not hold")
    return place


def _spine(package: Any, folder: str) -> Iterator[str]:
    """The places of the pages, in reading order; a table of contents made for readers' menus is none."""
    items = {item.get("id"): item for item in package.iter(f"{_OPF}item")}
    seen: set[str] = set()
    for reference in package.iter(f"{_OPF}itemref"):
        item = items.get(reference.get("idref"))
        if item is None or item.get("media-type") not in _PAGES or "nav" in (item.get("properties") or "").split():
            continue
        place = posixpath.normpath(posixpath.join(folder, unquote(item.get("href", ""))))
        if place not in seen:
            seen.add(place)
            yield place


def _page(data: bytes, file: SourceFile) -> tuple[list[Block], tuple[str, ...]]:
    text, warnings = decode(data, file)
    blocks, skipped = blocks_of(prepared(text))
    return blocks, warnings + skipped


def _lost(read: list[tuple[list[Block], tuple[str, ...]]]) -> tuple[str, ...]:
    """One warning for all pages: how many of them leave something out."""
    pages = sum(1 for _, warnings in read if any(warning.startswith("left out") for warning in warnings))
    return left_out({"pictures or parts around the text, on pages": pages})
