"""What DOCX and PPTX share: both are zip archives, and what looks like one may be encrypted or older."""

import zipfile
from io import BytesIO

from tailgate.errors import EncryptedDocument, UnreadableDocument
from tailgate.models import SourceFile

_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_ENCRYPTED_STREAM = "EncryptedPackage".encode("utf-16-le")
_STRICT = b"http://purl.oclc.org/ooxml/officeDocument"
_MOST_UNPACKED_BYTES = 1 << 30


def check_package(data: bytes, file: SourceFile) -> None:
    """Raises EncryptedDocument or UnreadableDocument where the bytes are no Office file that can be opened."""
    suffix = file.path.rpartition(".")[2].lower()
    if data.startswith(_OLE):
        if _ENCRYPTED_STREAM in data:
            raise EncryptedDocument(file.uri, "it can only be opened with a password; store a copy without one")
        raise UnreadableDocument(file.uri, f"it is a file of the older Office format; save it as .{suffix}")
    if not zipfile.is_zipfile(BytesIO(data)):
        raise UnreadableDocument(file.uri, f"it is no .{suffix} file (not a zip archive), or a broken one")
    with zipfile.ZipFile(BytesIO(data)) as archive:
        unpacked = sum(entry.file_size for entry in archive.infolist())
        strict = "_rels/.rels" in archive.namelist() and _STRICT in archive.read("_rels/.rels")
    if strict:
        raise UnreadableDocument(file.uri, f"it is saved as Strict Open XML; save it as an ordinary .{suffix}")
    if unpacked > _MOST_UNPACKED_BYTES:
        raise UnreadableDocument(file.uri, f"it unpacks to {unpacked:,} bytes, more than any document needs")
