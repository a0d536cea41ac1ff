"""What DOCX, PPTX and XLSX share: all are zip archives, and what looks like one may be encrypted or older."""

import zipfile

from tailgate.errors import EncryptedDocument, UnreadableDocument
from tailgate.models import SourceFile
from tailgate.parse.archive import opened

_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_ENCRYPTED_STREAM = "EncryptedPackage".encode("utf-16-le")
_STRICT = b"http://purl.oclc.org/ooxml/officeDocument"
_MOST_HEAD_BYTES = 4096


def check_package(data: bytes, file: SourceFile) -> None:
    """Raises EncryptedDocument or UnreadableDocument where the bytes are no Office file that can be opened."""
    suffix = file.path.rpartition(".")[2].lower()
    if data.startswith(_OLE):
        if _ENCRYPTED_STREAM in data:
            raise EncryptedDocument(file.uri, "it can only be opened with a password; store a copy without one")
        raise UnreadableDocument(file.uri, f"it is a file of the older Office format; save it as .{suffix}")
    with opened(data, file) as archive:
        if "_rels/.rels" in archive.namelist() and _STRICT in archive.read("_rels/.rels"):
            raise UnreadableDocument(file.uri, f"it is saved as Strict Open XML; save it as an ordinary .{suffix}")
        _check_markup(archive, file)


def _check_markup(archive: zipfile.ZipFile, file: SourceFile) -> None:
    """Raises UnreadableDocument where a part declares a document type, which the format forbids and bombs need."""
    for name in archive.namelist():
        if name.lower().endswith((".xml", ".rels")):
            with archive.open(name) as member:
                if b"<!DOCTYPE" in member.read(_MOST_HEAD_BYTES):
                    raise UnreadableDocument(file.uri, f"its part {name} declares entities, as entity bombs do")
