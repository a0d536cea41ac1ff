"""One shard of a run: each file is taken from an earlier run, found to be as it was, parsed, or refused."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from tailgate import ids, planning
from tailgate.config import Corpus
from tailgate.errors import DocumentError, SourceUnreachable, TailgateError, TransientError
from tailgate.isolate import Unchanged, open_shaper
from tailgate.models import QuarantineEntry, SourceFile
from tailgate.store import Leftovers, RunFolder, ShardWriter


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a shard's files, beside those whose rows are in it."""

    refused: tuple[QuarantineEntry, ...]
    touched: dict[str, SourceFile]
    """By id, the files of documents that were written again with the bytes that they held before."""
    reused: int
    """How many were taken from an earlier run."""
    unread: int
    """How many of the refused could not be read at all."""


def shape_files(
    corpus: Corpus,
    folder: RunFolder,
    shard: int,
    files: Sequence[SourceFile],
    *,
    as_of: datetime,
    seen: Mapping[str, str],
    progress: Callable[[int], None],
) -> Outcome:
    """The shard holds the units of every file that could be read and is not as it was.

    `seen` has the hashes of the bytes of documents that can stay as they are, by path.
    """
    leftovers, unread = Leftovers(corpus, folder.run_id), 0
    spare = {file: found for file in files if (found := leftovers.find(file))}
    refused, touched = list[QuarantineEntry](), dict[str, SourceFile]()
    with open_shaper(corpus) as shaper, ShardWriter(folder, shard, corpus, as_of) as writer:
        writer.take(spare.values())
        for done, file in enumerate(files, start=1):
            try:
                if file not in spare:
                    writer.add(file, *shaper.shape(file, seen.get(file.path)))
            except Unchanged:
                touched[ids.document_id(corpus.name, file.path)] = file
            except (DocumentError, SourceUnreachable) as error:
                refused.append(_refusal(corpus, file, error, as_of))
                unread += isinstance(error, SourceUnreachable)
            progress(done)
    return Outcome(tuple(refused), touched, len(spare), unread)


def _refusal(corpus: Corpus, file: SourceFile, error: TailgateError, as_of: datetime) -> QuarantineEntry:
    return QuarantineEntry(
        uri=file.uri,
        error=type(error).__name__,
        message=str(error),
        first_seen=as_of,
        last_seen=as_of,
        # A file that could not be read is tried again in the next run: it need not change for that.
        fingerprint="" if isinstance(error, TransientError) else planning.quarantine_fingerprint(corpus, file),
    )
