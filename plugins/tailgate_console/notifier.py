"""The notifier that Dags hang on `on_failure_callback`; it turns Airflow's context into one of Tailgate's alerts."""

import asyncio
import logging
from datetime import UTC, datetime
from typing import Any

from airflow.sdk import BaseNotifier

from tailgate import alert, config
from tailgate.config import Connect, Corpus
from tailgate_console.connections import connection, connections
from tailgate_console.failure import failure_of
from tailgate_console.run_record import compose

log = logging.getLogger(__name__)


class TailgateNotifier(BaseNotifier):
    """Sends an alert about a failed task, run or deadline of one corpus.

    The alert is in the corpus's `alerts.jsonl` before any channel is tried, and nothing is raised: Airflow would log
    an exception here and go on, so that the only thing to lose is the alert.
    """

    def __init__(self, *, corpus: str, **kwargs: Any) -> None:
        """`corpus` is a corpus's name, or the path of its YAML file."""
        super().__init__(**kwargs)
        self.corpus = corpus

    def render_template_fields(self, *args: Any, **kwargs: Any) -> None:
        """Nothing is a template, and a run's own callback gets a Dag that has no templates to offer."""

    def notify(self, context: Any) -> None:
        """In a task's process and in the Dag processor."""
        try:
            corpus = config.load(self.corpus)
            self._send(corpus, context, connection)
        except Exception:
            log.exception("No alert could be sent for corpus %s", self.corpus)

    async def async_notify(self, context: Any) -> None:
        """In the triggerer, whose event loop must not wait for a store or a mail server."""
        try:
            corpus = await asyncio.to_thread(config.load, self.corpus)
            connect = await connections(corpus)
            await asyncio.to_thread(self._send, corpus, context, connect)
        except Exception:
            log.exception("No alert could be sent for corpus %s", self.corpus)

    def _send(self, corpus: Corpus, context: Any, connect: Connect) -> None:
        corpus = corpus.connected(connect)
        composed = compose(corpus, failure_of(context or {}), datetime.now(UTC))
        log.error("%s", composed.headline)
        for problem in alert.send(composed, corpus, connect):
            log.error("%s", problem)
