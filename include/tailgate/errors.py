"""Every error that Tailgate raises on purpose; the class says whether a retry can help.

TailgateError
├── TransientError                the same call may succeed later: retry
│   ├── SourceUnreachable         a folder, bucket or file that could not be listed or read
│   ├── StoreUnreachable          the LanceDB folder or bucket could not be read or written
│   ├── StoreConflict             another writer moved a table while this run wrote to it
│   ├── StoreBusy                 another writer holds the lock
│   ├── WorkerNotStarted          the process that reads documents could not be started
│   └── AlertNotSent              a channel did not take an alert
└── TerminalError                 the same call fails again until somebody changes something
    ├── ConfigError               a corpus file, a parameter or an argument that cannot be used
    ├── EmptyCorpus               the source holds no document that the corpus takes
    ├── MissingVectors            texts of a run that were never embedded
    ├── ModelUnavailable          an embedding model, reranker or token encoding that is not there
    ├── DocumentError             one document that cannot be indexed: becomes a row in `quarantine`
    │   ├── UnsupportedDocument
    │   ├── UnreadableDocument
    │   ├── EncryptedDocument
    │   ├── EmptyDocument
    │   ├── DocumentTooLarge      its bytes, or the memory that reading it takes
    │   ├── DocumentTimedOut
    │   └── WorkerDied            reading it ended the process that read it
    ├── GateFailed                the documents broke a bound: nothing is published
    ├── PublishConflict           another run published first
    └── NoRelease                 nothing has been published yet
"""

from collections.abc import Callable
from dataclasses import dataclass, fields
from typing import Any, ClassVar


@dataclass(eq=False)
class TailgateError(Exception):
    """The root: subclasses keep the fields that explain them, write their own sentence, and pickle."""

    exit_code: ClassVar[int] = 1

    def __str__(self) -> str:
        return self.sentence()

    def sentence(self) -> str:
        """The whole message for a person: what, which, why, and what to do."""
        return ", ".join(f"{field.name}={getattr(self, field.name)!r}" for field in fields(self))

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[Any, ...]]:
        return type(self), tuple(getattr(self, field.name) for field in fields(self))


class TransientError(TailgateError):
    """A retry can help."""


class TerminalError(TailgateError):
    """A retry cannot help."""


@dataclass(eq=False)
class SourceUnreachable(TransientError):
    """A source or a file in it could not be listed or read."""

    uri: str
    reason: str
    remedy: str = "Check that it exists and that this user may read it."
    exit_code: ClassVar[int] = 3

    def sentence(self) -> str:
        return f"Source {self.uri} cannot be read: {self.reason}. {self.remedy}"


@dataclass(eq=False)
class StoreUnreachable(TransientError):
    """The store could not be read or written."""

    uri: str
    reason: str
    remedy: str = "Check the path, the disk and the permissions."
    exit_code: ClassVar[int] = 3

    def sentence(self) -> str:
        return f"Store {self.uri} cannot be used: {self.reason}. {self.remedy}"


@dataclass(eq=False)
class StoreConflict(TransientError):
    """Another writer moved a table while this run wrote to it; nothing was published."""

    table: str
    reason: str

    def sentence(self) -> str:
        return (
            f"Table {self.table} is written to by another run ({self.reason}). Nothing was published; run again when "
            "the other run has ended."
        )


@dataclass(eq=False)
class StoreBusy(TransientError):
    """Another run has been writing the corpus's tables for as long as this one was willing to wait."""

    corpus: str
    holder: str
    waited_s: int
    exit_code: ClassVar[int] = 3

    def sentence(self) -> str:
        return (
            f"Corpus {self.corpus}: run {self.holder or '(unknown)'} is writing its tables, and was not done after "
            f"{self.waited_s} s. Nothing was changed; run again when it has ended."
        )


@dataclass(eq=False)
class WorkerNotStarted(TransientError):
    """No process that reads documents could be started: no document's fault."""

    reason: str

    def sentence(self) -> str:
        return (
            f"The worker process that reads documents could not be started: {self.reason}. Check memory and "
            "processes on this machine, and `parse.max_memory_mb` in the corpus file."
        )


@dataclass(eq=False)
class AlertNotSent(TransientError):
    """A channel did not take the alert; the JSON Lines file still has it."""

    channel: str
    reason: str

    def sentence(self) -> str:
        return f"Alert not sent by {self.channel}: {self.reason}."


@dataclass(eq=False)
class ConfigError(TerminalError):
    """A corpus file, a parameter or an argument cannot be used as written."""

    where: str
    reason: str
    remedy: str = ""
    exit_code: ClassVar[int] = 2

    def sentence(self) -> str:
        return f"{self.where}: {self.reason}. {self.remedy}".rstrip()


@dataclass(eq=False)
class EmptyCorpus(TerminalError):
    """The source can be read and holds nothing that the corpus takes."""

    uri: str
    seen: int
    exit_code: ClassVar[int] = 3

    def sentence(self) -> str:
        return (
            f"Source {self.uri} holds no document to index ({self.seen} files seen, none of them matched). "
            "Check `source.include` and `source.exclude` in the corpus file."
        )


@dataclass(eq=False)
class MissingVectors(TerminalError):
    """A load met texts that no step has embedded."""

    corpus: str
    texts: int

    def sentence(self) -> str:
        return (
            f"Corpus {self.corpus}: {self.texts} texts have no vector. Run the step `embed` of this run, then `load`."
        )


@dataclass(eq=False)
class ModelUnavailable(TerminalError):
    """A model or a token encoding is not on this machine."""

    name: str
    reason: str
    remedy: str
    exit_code: ClassVar[int] = 2

    def sentence(self) -> str:
        return f"{self.name} is not available: {self.reason}. {self.remedy}"


@dataclass(eq=False)
class DocumentError(TerminalError):
    """One document cannot be indexed; the others can."""

    uri: str
    reason: str

    def sentence(self) -> str:
        return f"{self.uri}: {self.reason}"


class UnsupportedDocument(DocumentError):
    """No parser takes files of this type."""


class UnreadableDocument(DocumentError):
    """The file is broken, or is not what its name says."""


class EncryptedDocument(DocumentError):
    """The file needs a password."""


class EmptyDocument(DocumentError):
    """The file holds no text."""


class DocumentTooLarge(DocumentError):
    """The file, or what reading it takes, is larger than the corpus file allows."""


class DocumentTimedOut(DocumentError):
    """Reading the file took longer than the corpus file allows."""


class WorkerDied(DocumentError):
    """The process that read the file ended before it had answered, and so did a second one."""


@dataclass(eq=False)
class GateFailed(TerminalError):
    """At least one gate with `action: fail` broke its bound; `failures` has one sentence for each."""

    corpus: str
    place: str
    failures: tuple[str, ...]

    def sentence(self) -> str:
        lines = "".join(f"\n  - {failure}" for failure in self.failures)
        return f"Corpus {self.corpus}: the {self.place} gates failed, nothing is published.{lines}"


@dataclass(eq=False)
class PublishConflict(TerminalError):
    """Another run published the release that this one meant to follow."""

    corpus: str
    sequence: int

    def sentence(self) -> str:
        return (
            f"Corpus {self.corpus}: release {self.sequence} was published by another run meanwhile. "
            "Nothing was changed; run again, so that the new run starts from that release."
        )


@dataclass(eq=False)
class NoRelease(TerminalError):
    """The corpus has no published release to read."""

    corpus: str

    def sentence(self) -> str:
        return f"Corpus {self.corpus} has no published release yet. Build one with `tailgate build {self.corpus}`."
