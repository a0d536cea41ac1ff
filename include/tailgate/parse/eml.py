"""E-mail: each message a section (those that it carries or quotes too); attachments are counted in a warning."""

import codecs
import email
import email.policy
import re
from collections.abc import Iterator
from email.message import EmailMessage, Message
from itertools import pairwise

from tailgate.errors import EncryptedDocument, UnreadableDocument
from tailgate.models import ParsedDocument, SourceFile
from tailgate.parse.builder import Block, compose
from tailgate.parse.decode import decode
from tailgate.parse.html import blocks_of
from tailgate.parse.loss import left_out
from tailgate.parse.mail import Head, blocks_of_body, blocks_of_message
from tailgate.parse.markup import prepared

_RECEIVERS = ("To", "Cc")
_MBOX_START = re.compile(rb"^From [^\r\n]*\r?\n", re.MULTILINE)
_MOST_NESTED = 50


def parse(data: bytes, file: SourceFile) -> ParsedDocument:
    """Of each message its subject, sender and date as headings, and its text: plain where there is one, else HTML.

    Raises UnreadableDocument where the file has none of an e-mail's headers, EncryptedDocument where it is encrypted.
    """
    found = [message for raw in _messages(_narrow(data, file), file) for message in _all(_message(raw), depth=0)]
    if not any(message["Subject"] or message["From"] for message in found):
        raise UnreadableDocument(file.uri, "it is no e-mail: it names neither a subject nor a sender")
    blocks, warnings, before = list[Block](), list[str](), ""
    for message in found:
        body, skipped = _body(message, file)
        head = _head(message)
        blocks += blocks_of_message(head, body, before)
        warnings += skipped
        before = head.subject or before
    attachments = sum(_is_attachment(part) for message in found for part in message.iter_attachments())
    encrypted = [message for message in found if _is_encrypted(message)]
    if encrypted and len(encrypted) == len(found):
        raise EncryptedDocument(file.uri, "its text is encrypted; store a copy that is not")
    lost = left_out({"attachments": attachments, "encrypted messages": len(encrypted)})
    return compose(blocks, media_type="message/rfc822", warnings=(*dict.fromkeys(warnings), *lost))


def _narrow(data: bytes, file: SourceFile) -> bytes:
    """The bytes as mail programs write them: a text editor may have stored the message as UTF-16."""
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)) or 0 in data[:4]:
        return decode(data, file)[0].encode("utf-8", "replace")
    return data.removeprefix(codecs.BOM_UTF8)


def _messages(data: bytes, file: SourceFile) -> Iterator[bytes]:
    """The messages of the file: one, or those of a mailbox (`.mbox`), each after a line that begins with `From `."""
    if not file.path.lower().endswith(".mbox"):
        yield data
        return
    starts = [match.start() for match in _MBOX_START.finditer(data)]
    if not starts:
        raise UnreadableDocument(file.uri, "it is no mailbox: no line begins with `From `")
    for start, end in pairwise([*starts, len(data)]):
        yield data[start:end].split(b"\n", 1)[1].replace(b"\n>From ", b"\nFrom ")


def _message(data: bytes) -> EmailMessage:
    message = email.message_from_bytes(data, policy=email.policy.default)
    return message if isinstance(message, EmailMessage) else EmailMessage()


def _all(message: EmailMessage, depth: int) -> Iterator[EmailMessage]:
    """The message, and in order the messages that it carries."""
    yield message
    if depth > _MOST_NESTED:
        raise RecursionError("messages in messages")
    for part in _carried(message):
        yield from _all(part, depth + 1)


def _carried(part: Message) -> Iterator[EmailMessage]:
    """The messages right inside a message, however deep its parts are nested."""
    payload = part.get_payload() if part.is_multipart() else []
    for inner in payload if isinstance(payload, list) else []:
        if part.get_content_type() == "message/rfc822" and isinstance(inner, EmailMessage):
            yield inner
        elif isinstance(inner, Message):
            yield from _carried(inner)


def _head(message: EmailMessage) -> Head:
    said = {name: " ".join(str(message[name] or "").split()) for name in ("Subject", "From", "Date", *_RECEIVERS)}
    receivers = tuple(f"{name}: {said[name]}" for name in _RECEIVERS if said[name])
    return Head(said["Subject"], said["From"], said["Date"], receivers)


def _is_encrypted(message: EmailMessage) -> bool:
    return message.get_content_type() in ("multipart/encrypted", "application/pkcs7-mime", "application/x-pkcs7-mime")


def _is_attachment(part: Message) -> bool:
    return part.get_content_type() != "message/rfc822"


def _body(message: EmailMessage, file: SourceFile) -> tuple[list[Block], tuple[str, ...]]:
    body = message.get_body(preferencelist=("plain", "html"))
    if body is None or _is_encrypted(message):
        return [], ()
    content, warnings = _content(body, file)
    if body.get_content_subtype() == "html":
        blocks, skipped = blocks_of(prepared(content))
        return blocks, warnings + skipped
    return list(blocks_of_body(content)), warnings


def _content(body: Message, file: SourceFile) -> tuple[str, tuple[str, ...]]:
    data = body.get_payload(decode=True)
    return (
        decode(data, file, stated=body.get_content_charset(""))
        if isinstance(data, bytes) and data.strip()
        else ("", ())
    )
