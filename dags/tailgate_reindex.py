"""Rebuilds the index of one corpus, and publishes it only when every gate passes.

`plan → shape (each shard) → check_shape → embed (each shard) → load → check_index → publish → maintain`

Readers see the new release only after `publish`. Whatever fails before that leaves them on the last good release and
sends an alert. Where nothing changed, everything after `plan` is skipped.

**Backfill** takes what its days hold and never deletes. Of two runs at once the second loads again on top of
what the first has published. **Trigger** takes what a nightly run takes, or what lies between `start` and `end`, or
only `documents`, or with `full` the whole source.
"""

import re
from collections.abc import Iterable
from pathlib import Path

from airflow.sdk import DAG, Asset, chain, task

from tailgate import config
from tailgate.config import Corpus
from tailgate.errors import ConfigError
from tailgate_console import arguments, description
from tailgate_console.notifier import TailgateNotifier

# The tasks import `stages` in their bodies: this file is read every few seconds, the core takes seconds to import.


def reindex(corpus: Corpus, file: Path) -> None:
    """The Dag `tailgate_<name>` rebuilds the corpus of `file`."""
    index = Asset(name=f"tailgate_{corpus.name}", uri=f"tailgate://corpora/{corpus.name}", group="tailgate")

    @task
    def plan() -> list[int]:
        from tailgate_console import stages

        return stages.plan(corpus, file)

    @task(multiple_outputs=False, **arguments.LONG)
    def shape(shard: int) -> dict[str, int]:
        from tailgate_console import stages

        return stages.shape(file, shard)

    @task(multiple_outputs=False)
    def check_shape() -> dict[str, float | None]:
        from tailgate_console import stages

        return stages.check_shape(file)

    @task(multiple_outputs=False, **arguments.LONG)
    def embed(shard: int) -> dict[str, int]:
        from tailgate_console import stages

        return stages.embed(file, shard)

    @task(multiple_outputs=False, **arguments.LONG, **arguments.WRITER)
    def load() -> dict[str, int]:
        from tailgate_console import stages

        return stages.load(file)

    @task(multiple_outputs=False)
    def check_index() -> dict[str, float | None]:
        from tailgate_console import stages

        return stages.check_index(file)

    @task(outlets=[index], **arguments.LONG, **arguments.WRITER)
    def publish() -> str:
        from tailgate_console import stages

        return stages.publish(file, index)

    @task(multiple_outputs=False, **arguments.WRITER)
    def maintain() -> dict[str, int]:
        from tailgate_console import stages

        return stages.maintain(file)

    with DAG(
        f"tailgate_{corpus.name}",
        schedule=arguments.timetable(corpus, file),
        params=arguments.params(),
        doc_md=f"{__doc__}\n{description.facts(corpus, file)}",
        tags=["tailgate", *corpus.designs],
        # A task that is killed may leave no callback of its own. Of two alerts about one failure only one is sent.
        default_args=arguments.TASK | {"on_failure_callback": [TailgateNotifier(corpus=str(file))]},
        on_failure_callback=[TailgateNotifier(corpus=str(file))],
        **arguments.DAG,
    ):
        shards = plan()
        shaped, embedded = shape.expand(shard=shards), embed.expand(shard=shards)
        chain(shaped, check_shape(), embedded, load(), check_index(), publish(), maintain())


def report(dag_id: str, error: ConfigError) -> None:
    """The Dag says what is wrong with a corpus file, and fails each night until that is mended."""

    @task
    def read_corpus_file() -> None:
        raise error

    with DAG(
        re.sub(r"[^\w.-]", "_", dag_id),
        schedule=arguments.EVERY_NIGHT,
        doc_md=description.fault(error),
        tags=["tailgate", "config error"],
        default_args=arguments.TASK,
        **arguments.DAG,
    ):
        read_corpus_file()


def reindex_all(files: Iterable[Path]) -> None:
    """Each corpus file has a Dag, whatever is wrong with another one."""
    for file in files:
        try:
            reindex(config.load(file), file)
        except ConfigError as error:
            report(f"tailgate_{file.stem}", error)


reindex_all(config.corpus_files())
