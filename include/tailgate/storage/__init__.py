"""Folders and buckets: opened by their URL with the credentials of a connection, for fsspec and for LanceDB alike."""

from tailgate.storage import web
from tailgate.storage.failures import is_outage, said
from tailgate.storage.filesystem import lance_options, open_filesystem

__all__ = ["is_outage", "lance_options", "open_filesystem", "said", "web"]
