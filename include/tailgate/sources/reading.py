"""Reads one file of a source."""

from tailgate.config import Corpus
from tailgate.errors import SourceUnreachable
from tailgate.models import SourceFile
from tailgate.sources.filesystem import open_place
from tailgate.sources.outage import unreachable


def read(file: SourceFile, corpus: Corpus, most: int | None = None) -> bytes:
    """The bytes of a file of the corpus that was listed, of a local one the first `most`.

    Raises SourceUnreachable where it cannot be read any more.
    """
    try:
        return open_place(file.uri, corpus.source_connection).read(most)
    except FileNotFoundError as error:
        remedy = "It was there when the source was listed; run again."
        raise SourceUnreachable(file.uri, "the file is gone", remedy) from error
    except OSError as error:
        raise unreachable(file.uri, error, corpus) from error
