"""E-mail: who, when and what about, then the message's own text; attachments are counted in a warning."""

import email
import email.policy
from email.message import EmailMessage, Message

from tailgate.errors import UnreadableDocument
from tailgate.models import Kind, ParsedDocument, SourceFile
from tailgate.parse.builder import Block, compose
from tailgate.parse.decode import decode
from tailgate.parse.html import blocks_of
from tailgate.parse.loss import left_out
from tailgate.parse.markup import prepared
from tailgate.parse.text import elements_of

_HEADERS = ("Subject", "From", "To", "Cc", "Date")


def parse(data: bytes, file: SourceFile) -> ParsedDocument:
    """The headers as one paragraph and the text (plain where there is one, else HTML) of the message.

    Raises UnreadableDocument where the file has none of an e-mail's headers.
    """
    message = email.message_from_bytes(data, policy=email.policy.default)
    named = [f"{name}: {' '.join(str(message[name]).split())}" for name in _HEADERS if message[name]]
    if not isinstance(message, EmailMessage) or not named:
        raise UnreadableDocument(file.uri, "it is no e-mail: it names neither a subject nor a sender")
    blocks, skipped = _body(message, file)
    attachments = sum(1 for _ in message.iter_attachments())
    return compose(
        [Block(Kind.PROSE, "\n".join(named)), *blocks],
        media_type="message/rfc822",
        warnings=skipped + left_out({"attachments": attachments}),
    )


def _body(message: EmailMessage, file: SourceFile) -> tuple[list[Block], tuple[str, ...]]:
    body = message.get_body(preferencelist=("plain", "html"))
    if body is None:
        return [], ()
    content, warnings = _content(body, file)
    if body.get_content_subtype() == "html":
        blocks, skipped = blocks_of(prepared(content))
        return blocks, warnings + skipped
    found = elements_of(content)
    return [Block(element.kind, content[element.char_start : element.char_end]) for element in found], warnings


def _content(body: Message, file: SourceFile) -> tuple[str, tuple[str, ...]]:
    data = body.get_payload(decode=True)
    return (
        decode(data, file, stated=body.get_content_charset(""))
        if isinstance(data, bytes) and data.strip()
        else ("", ())
    )
