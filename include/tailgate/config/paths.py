"""Where relative paths in a corpus file start: the folder named by `TAILGATE_ROOT`, or else the checkout.

Beside `connections`, this module is the only one of the core that reads the environment.
"""

import os
import re
from pathlib import Path


def root() -> Path:
    """Where relative paths in a corpus file start."""
    named = os.environ.get("TAILGATE_ROOT")
    return Path(named).resolve() if named else Path(__file__).resolve().parents[3]


def absolute(uri: str) -> str:
    """A URL as it is (`file://` as a path); a path made absolute from the root, without a slash at its end."""
    if uri.startswith("file://"):
        uri = uri.removeprefix("file://")
    elif re.match(r"^[a-z][a-z0-9+.-]*://", uri):
        return uri
    return str((root() / Path(uri).expanduser()).resolve())


def place(uri: str) -> str:
    """The same text, which names a place. Raises ValueError for a path that can name none."""
    try:
        absolute(uri)
    except (ValueError, RuntimeError, OSError) as error:
        raise ValueError(f"it can name no folder or file ({error})") from error
    return uri


def corpora_folder() -> Path:
    """Where a corpus that is named, not given by path, has its file."""
    return root() / "include" / "corpora"


def corpus_files() -> list[Path]:
    """The file of every corpus that gets a Dag, in a stable order."""
    return sorted(corpora_folder().glob("*.yaml"))
