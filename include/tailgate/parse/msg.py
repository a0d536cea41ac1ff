"""Outlook messages (.msg) by python-oxmsg: a section a message, as with every e-mail."""

from io import BytesIO
from typing import Any

from tailgate.errors import EncryptedDocument, UnreadableDocument
from tailgate.models import ParsedDocument, SourceFile
from tailgate.parse.builder import Block, compose
from tailgate.parse.html import blocks_of
from tailgate.parse.loss import left_out
from tailgate.parse.mail import Head, blocks_of_body, blocks_of_message
from tailgate.parse.markup import prepared

_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"


def parse(data: bytes, file: SourceFile) -> ParsedDocument:
    """Subject, sender and date as headings, and the text, plain where there is one, else HTML.

    Raises UnreadableDocument, and EncryptedDocument where the text is encrypted.
    """
    from oxmsg import Message

    if not data.startswith(_OLE):
        raise UnreadableDocument(file.uri, "it is no Outlook message, or a broken one")
    message = Message.load(BytesIO(data))
    headers = message.message_headers
    if "encrypted" in headers.get("Content-Type", "") or "SMIME" in str(message.message_class).upper():
        raise EncryptedDocument(file.uri, "its text is encrypted; store a copy that is not")
    body, skipped = _body(message)
    lost = left_out({"attachments": len(message.attachments)})
    return compose(
        blocks_of_message(_head(message, headers), body),
        media_type="application/vnd.ms-outlook",
        warnings=(*skipped, *lost),
    )


def _head(message: Any, headers: Any) -> Head:
    sent = message.sent_date
    receivers = [f"{name}: {' '.join(headers[name].split())}" for name in ("To", "Cc") if headers.get(name)]
    if not receivers:
        receivers = [f"To: {', '.join(each.email_address or each.name for each in message.recipients)}"]
    return Head(
        subject=" ".join((message.subject or "").split()),
        sender=" ".join((message.sender or headers.get("From", "")).split()),
        date=sent.isoformat(sep=" ", timespec="seconds") if sent else headers.get("Date", ""),
        receivers=tuple(receivers),
    )


def _body(message: Any) -> tuple[list[Block], tuple[str, ...]]:
    if message.body and message.body.strip():
        return list(blocks_of_body(message.body)), ()
    if message.html_body:
        return blocks_of(prepared(message.html_body))
    return [], ("it has no text, or only one in Outlook's own rich text, which is not read",)
