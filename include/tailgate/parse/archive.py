"""Opens the zip archives that documents are packed in, after a look at how much they would unpack to."""

import zipfile
from io import BytesIO
from typing import Any

from tailgate.errors import EncryptedDocument, UnreadableDocument
from tailgate.models import SourceFile

MOST_UNPACKED_BYTES = 512 << 20
"""What all members together may unpack to: readers hold them in memory."""
MOST_MARKUP_BYTES = 192 << 20
"""What the members with markup may unpack to: as a tree they need several times that."""
MOST_TIMES = 200
"""How many times the file's own size it may unpack to, above UNSUSPICIOUS_BYTES; office files reach about 40."""
UNSUSPICIOUS_BYTES = 16 << 20
_MARKUP = (".xml", ".rels", ".html", ".htm", ".xhtml", ".opf", ".ncx", ".svg")
_ENCRYPTED = 0x1


def opened(data: bytes, file: SourceFile) -> zipfile.ZipFile:
    """The archive, ready to be read. Raises UnreadableDocument where it is none or a bomb, EncryptedDocument.

    The sizes are those that its directory states: what a member really holds beyond them is never unpacked.
    """
    suffix = file.path.rpartition(".")[2].lower()
    try:
        archive = zipfile.ZipFile(BytesIO(data))
    except (zipfile.BadZipFile, ValueError, OSError) as error:
        raise UnreadableDocument(
            file.uri, f"it is no .{suffix} file (not a zip archive), or a broken one ({error})"
        ) from error
    members = archive.infolist()
    if any(member.flag_bits & _ENCRYPTED for member in members):
        raise EncryptedDocument(file.uri, "it can only be opened with a password; store a copy without one")
    unpacked = sum(member.file_size for member in members)
    markup = sum(member.file_size for member in members if member.filename.lower().endswith(_MARKUP))
    if unpacked > MOST_UNPACKED_BYTES or markup > MOST_MARKUP_BYTES:
        raise UnreadableDocument(file.uri, f"it unpacks to {unpacked:,} bytes, more than any document needs")
    if unpacked > max(UNSUSPICIOUS_BYTES, MOST_TIMES * len(data)):
        raise UnreadableDocument(
            file.uri, f"it unpacks to {unpacked:,} bytes, {unpacked // len(data):,} times its size, as zip bombs do"
        )
    return archive


def tree_of(data: bytes) -> Any:
    """The root of an XML document; its entities stay what they are, and nothing outside of it is read.

    Raises lxml's XMLSyntaxError, also for trees that are nested too deeply.
    """
    from lxml import etree

    return etree.fromstring(data, etree.XMLParser(resolve_entities=False, no_network=True, remove_comments=True))
