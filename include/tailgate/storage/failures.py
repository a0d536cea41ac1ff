"""What the clients of storage services raise, told from faults of Tailgate's own."""

CLIENTS = frozenset({"aiobotocore", "aiohttp", "azure", "botocore", "gcsfs", "google", "requests"})
"""Packages whose exceptions all mean the same here: the service refused, or cannot be reached."""


def is_outage(error: BaseException) -> bool:
    """Whether a file system or a service has failed."""
    return isinstance(error, OSError) or type(error).__module__.partition(".")[0] in CLIENTS


def said(error: BaseException) -> str:
    """What the operating system or the service said, on one line."""
    text = (error.strerror if isinstance(error, OSError) else None) or str(error)
    return " ".join(text.split()) or type(error).__name__
