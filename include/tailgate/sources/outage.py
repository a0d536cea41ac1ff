"""What a file system's failure means for a source, and what to do about it."""

import re

from tailgate.config import Corpus, root
from tailgate.errors import SourceUnreachable
from tailgate.storage import said

THROTTLED = re.compile(
    r"slow ?down|reduce your request rate|too many requests|service unavailable|\b(429|503)\b", re.IGNORECASE
)
REFUSED = re.compile(
    r"access ?denied|forbidden|unauthorized|credential|access ?key|signature|\b(401|403)\b", re.IGNORECASE
)


def unreachable(uri: str, error: OSError, corpus: Corpus) -> SourceUnreachable:
    """The error of a run, with a remedy that fits what the service said."""
    local, reason = "://" not in uri, said(error)
    if isinstance(error, FileNotFoundError):
        return SourceUnreachable(uri, "there is no such file or folder", _where_to_look(corpus, local=local))
    if local:
        return SourceUnreachable(uri, reason)
    if THROTTLED.search(reason):
        return SourceUnreachable(uri, reason, "The service is busy, or wants fewer requests: run again later.")
    if isinstance(error, PermissionError) or REFUSED.search(reason):
        return SourceUnreachable(uri, reason, _whose_credentials(corpus))
    return SourceUnreachable(uri, reason)


def _where_to_look(corpus: Corpus, *, local: bool) -> str:
    start = f" ({corpus.source.uri}): relative paths start at the root, {root()}" if local else " in the corpus file"
    return f"Check `source.uri`{start}."


def _whose_credentials(corpus: Corpus) -> str:
    if corpus.source.connection:
        return f"Check the key in the connection `{corpus.source.connection}`, and that it may list and read there."
    return "Name an Airflow connection as `source.connection`, or give this process the service's own credentials."
