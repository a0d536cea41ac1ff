"""An alert by e-mail."""

import smtplib
import socket
import ssl
from email.message import EmailMessage
from email.utils import format_datetime, make_msgid, parseaddr

from tailgate.alert.message import Alert, text
from tailgate.config import Connection, Smtp

SSL_PORT = 465


def mail(alert: Alert, smtp: Smtp, connection: Connection) -> None:
    """The server has taken the message for every address.

    TLS from the first byte on port 465 or where the connection's extra says `disable_ssl: false`; otherwise STARTTLS
    where the server offers it, unless the extra says `disable_tls: true`. A password is never sent in the clear but
    by that last wish, and each step has the time-out. Raises OSError (smtplib's errors are) or ValueError.
    """
    if not connection.host:
        raise ValueError("the connection has no host")
    with _open(smtp, connection) as client:
        client.ehlo_or_helo_if_needed()
        _secure(client, connection)
        if connection.login:
            client.login(connection.login, connection.password)
        refused = client.send_message(_message(alert, smtp))
    if refused:
        raise smtplib.SMTPRecipientsRefused(refused)


def _open(smtp: Smtp, connection: Connection) -> smtplib.SMTP:
    """A client that names itself without asking a name server."""
    name, extra = socket.gethostname(), connection.extra
    if _yes(extra.get("disable_ssl"), otherwise=connection.port != SSL_PORT):
        return smtplib.SMTP(connection.host, connection.port or 0, local_hostname=name, timeout=smtp.timeout_s)
    context = ssl.create_default_context()
    return smtplib.SMTP_SSL(
        connection.host, connection.port or SSL_PORT, local_hostname=name, timeout=smtp.timeout_s, context=context
    )


def _secure(client: smtplib.SMTP, connection: Connection) -> None:
    plain = _yes(connection.extra.get("disable_tls"), otherwise=False)
    if isinstance(client, smtplib.SMTP_SSL) or plain:
        return
    if client.has_extn("starttls"):
        client.starttls(context=ssl.create_default_context())
    elif connection.login or "disable_tls" in connection.extra:
        raise smtplib.SMTPNotSupportedError("the server offers no STARTTLS, and the connection does not do without")


def _yes(value: object, *, otherwise: bool) -> bool:
    """A flag of a connection's extra, which forms and URLs hold as text."""
    if value is None or value == "":
        return otherwise
    return str(value).strip().lower() in {"true", "1", "yes", "on"}


def _message(alert: Alert, smtp: Smtp) -> EmailMessage:
    message = EmailMessage()
    message["From"], message["To"] = smtp.sender, ", ".join(smtp.to)
    message["Subject"] = _printable(f"[Tailgate] {' '.join(alert.headline.split())}")
    message["Date"] = format_datetime(alert.at)
    message["Message-ID"] = make_msgid(domain=parseaddr(smtp.sender)[1].rpartition("@")[2] or "localhost")
    message.set_content(_printable(text(alert)), cte="quoted-printable")
    return message


def _printable(said: str) -> str:
    """File names may hold bytes that are no text."""
    return said.encode("utf-8", "replace").decode("utf-8")
