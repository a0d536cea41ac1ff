"""Alerts: composed once, kept in the corpus's `alerts.jsonl`, then sent by every channel that the corpus names."""

from collections.abc import Callable

from tailgate.alert import journal
from tailgate.alert.mail import mail
from tailgate.alert.message import Alert, compose, text
from tailgate.alert.webhook import post
from tailgate.config import Channel, Connection, Corpus
from tailgate.errors import AlertNotSent

__all__ = ["Alert", "Connection", "compose", "connection_name", "send", "text"]


def send(alert: Alert, corpus: Corpus, connection: Callable[[str], Connection]) -> list[AlertNotSent]:
    """The alert is in the journal and with every channel but those returned; one that was sent before is left at that.

    `connection` gives the connection of a name. Raises nothing: an alert must not be lost with a channel.
    """
    failures: list[AlertNotSent] = []
    try:
        if not journal.record(corpus, alert):
            return []
    except Exception as error:  # noqa: BLE001  whatever keeps the journal from being written, the channels still can be used
        failures.append(AlertNotSent(journal.NAME, _reason(error)))
    for channel in corpus.alerts:
        failures += _deliver(alert, channel, connection)
    return failures


def connection_name(channel: Channel) -> str:
    """The name of the connection that a channel needs."""
    return channel.smtp.connection if channel.smtp else channel.webhook.connection if channel.webhook else ""


def _deliver(alert: Alert, channel: Channel, connection: Callable[[str], Connection]) -> list[AlertNotSent]:
    name, kind = connection_name(channel), "smtp" if channel.smtp else "webhook"
    used = Connection()
    try:
        used = connection(name)
        if channel.smtp:
            mail(alert, channel.smtp, used)
        elif channel.webhook:
            post(alert, channel.webhook, used)
    except Exception as error:  # noqa: BLE001  one failing channel must not stop the next, however it fails
        return [AlertNotSent(f"{kind} ({name})", used.without_secrets(_reason(error)))]
    return []


def _reason(error: Exception) -> str:
    said = " ".join(str(error).split())
    return f"{type(error).__name__}: {said}" if said else type(error).__name__
