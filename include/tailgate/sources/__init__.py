"""Where documents come from: a local folder or an fsspec URL, listed in a stable order."""

from tailgate.sources.listing import list_source
from tailgate.sources.reading import read

__all__ = ["list_source", "read"]
