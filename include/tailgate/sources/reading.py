"""Reads one file of a source."""

from tailgate.errors import SourceUnreachable
from tailgate.models import SourceFile
from tailgate.sources.filesystem import open_place


def read(file: SourceFile, most: int | None = None) -> bytes:
    """The bytes of a file that was listed, of a local one the first `most`.

    Raises SourceUnreachable where it cannot be read any more.
    """
    try:
        return open_place(file.uri).read(most)
    except FileNotFoundError as error:
        remedy = "It was there when the source was listed; run again."
        raise SourceUnreachable(file.uri, "the file is gone", remedy) from error
    except OSError as error:
        reason = " ".join((error.strerror or str(error)).split())
        raise SourceUnreachable(file.uri, reason) from error
