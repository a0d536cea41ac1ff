"""The records that travel between stages. All are frozen; offsets are code points into the document text.

sources ─► SourceFile, Listing
parse   ─► ParsedDocument of Elements
segment ─► SegmentedDocument of Sentences, Windows, Parents, Children
gates   ─► GateResult, GateReport
store   ─► Release, QuarantineEntry
search  ─► Hit ─► (rerank) ─► Passage ─► Prompt
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Literal

from tailgate.config import Fingerprint


class Kind(StrEnum):
    """What an element or a sentence is; elements use the first six, sentences the rest beside HEADING to CODE."""

    HEADING = "heading"
    PROSE = "prose"
    LIST_ITEM = "list_item"
    TURN = "turn"
    TABLE = "table"
    CODE = "code"
    JSON = "json"
    LOG = "log"
    TABLE_HEADER = "table_header"
    TABLE_ROW = "table_row"


UNSEGMENTABLE = frozenset({Kind.CODE, Kind.JSON, Kind.LOG})
"""Kinds whose lines are no context for one another."""


class Origin(StrEnum):
    """Who made a parent's boundaries."""

    AUTHORED = "authored"
    SPLIT = "split"
    SYNTHETIC = "synthetic"


class Shape(StrEnum):
    """What kind of writing a document is; DESIGN section 6 advises by it."""

    TRANSCRIPT = "transcript"
    REFERENCE = "reference"
    WIKI = "wiki"
    PROSE = "prose"
    DUMP = "dump"
    TABLE = "table"


@dataclass(frozen=True, slots=True)
class SourceFile:
    """One file that a source lists."""

    uri: str
    path: str
    """Relative to the source, `/` between parts: with the corpus's name it makes the document's id."""
    size: int
    modified: datetime | None
    etag: str | None = None

    @property
    def fingerprint(self) -> str:
        """Changes when the file changed, as far as a listing can tell."""
        moment = f"{self.modified.timestamp():.6f}" if self.modified else ""
        return f"{self.size}-{self.etag or moment}"


@dataclass(frozen=True, slots=True)
class Listing:
    """What a source holds, in a stable order. Only a complete listing may delete."""

    files: tuple[SourceFile, ...]
    complete: bool
    problems: tuple[str, ...] = ()
    seen: int = 0
    """How many files there were before `include` and `exclude`."""


@dataclass(frozen=True, slots=True)
class Element:
    """A verbatim slice of the document text that a parser recognised."""

    kind: Kind
    char_start: int
    char_end: int
    level: int | None = None
    """Depth of a heading, from 1, where the document's markup states it."""
    page: int | None = None
    header_rows: int = 0
    """Of a table (one row a line): how many of its first lines are its header."""
    speaker: str | None = None
    start_s: float | None = None
    end_s: float | None = None


@dataclass(frozen=True, slots=True)
class OutlineEntry:
    """An entry of a paged document's own outline (PDF bookmarks)."""

    title: str
    level: int
    page: int


@dataclass(frozen=True, slots=True)
class ParsedDocument:
    """The canonical text and the elements that cover every non-blank character of it, in order, without overlap."""

    text: str
    elements: tuple[Element, ...]
    media_type: str
    language: str = "en"
    pages: Literal["page", "slide", "sheet"] | None = None
    """What `Element.page` counts, where pages are the units that the document's author made."""
    outline: tuple[OutlineEntry, ...] = ()
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Sentence:
    """The unit that is embedded for windows."""

    ordinal: int
    kind: Kind
    char_start: int
    char_end: int
    text: str
    tokens: int
    raw_tokens: int
    """Tokens of the whole sentence before the hard cap; the same as `tokens` where nothing was cut."""
    parent: int
    """Ordinal of the innermost parent."""
    piece: int = 0
    """Which piece of the raw sentence this is: rows with 0 count each raw sentence once."""
    pseudo: bool = False
    """Whether it is a piece that the hard cap made."""
    header: int | None = None
    """Of a line of a table below the header's first: the ordinal of that first line."""
    header_end: int | None = None
    """Of the same: the ordinal of the last header line above it."""
    clause: str | None = None
    """Of a numbered document: the numbers of the clauses that it lies in, outermost first: `4.2 (b)`."""
    page: int | None = None
    speaker: str | None = None
    start_s: float | None = None
    end_s: float | None = None


@dataclass(frozen=True, slots=True)
class Window:
    """What is sent for a matched sentence: a function of its position and of nothing else."""

    first: int
    last: int
    text: str
    tokens: int


@dataclass(frozen=True, slots=True)
class Parent:
    """The structural unit that encloses a child."""

    ordinal: int
    kind: str
    """`section`, `clause`, `page`, `slide`, `sheet`, `table`, `block` or `document`."""
    origin: Origin
    heading_path: tuple[str, ...]
    level: int | None
    page: int | None
    char_start: int
    char_end: int
    first_sentence: int
    last_sentence: int
    text: str
    tokens: int
    raw_tokens: int
    """Tokens of the authored parent before a split; the same as `tokens` where nothing was split."""
    piece: int = 0
    """Which piece of the authored parent this is: rows with 0 count each authored parent once."""


@dataclass(frozen=True, slots=True)
class Child:
    """The small chunk that is embedded for parents; lies inside one parent, ends at a sentence's end."""

    ordinal: int
    parent: int
    first_sentence: int
    last_sentence: int
    char_start: int
    char_end: int
    text: str
    tokens: int


@dataclass(frozen=True, slots=True)
class SegmentedDocument:
    """One document, ready for the gates: `windows[i]` belongs to `sentences[i]`.

    Of a large document the units may be made only when they are asked for: going through them in order is cheap.
    """

    parsed: ParsedDocument
    shape: Shape
    tokens: int
    sentences: Sequence[Sentence]
    windows: Sequence[Window]
    parents: Sequence[Parent]
    children: Sequence[Child]


@dataclass(frozen=True, slots=True)
class Offender:
    """One place that a person should look at, worst first in a gate's list."""

    document: str
    """The document's path in its source."""
    place: str
    """A heading path, a sentence's ordinal, a key."""
    value: float


@dataclass(frozen=True, slots=True)
class GateResult:
    """What one gate saw."""

    gate: str
    value: float | None
    bound: float | None
    passed: bool
    action: Literal["fail", "warn"]
    note: str = ""
    offenders: tuple[Offender, ...] = ()

    @property
    def fails(self) -> bool:
        """Whether it fails the run."""
        return not self.passed and self.action == "fail"


@dataclass(frozen=True, slots=True)
class GateReport:
    """What all gates of one place (`shape` before embedding, `index` before publishing) saw in one run."""

    corpus: str
    run_id: str
    place: Literal["shape", "index"]
    results: tuple[GateResult, ...]

    @property
    def failures(self) -> tuple[GateResult, ...]:
        """The results that fail the run."""
        return tuple(result for result in self.results if result.fails)


@dataclass(frozen=True, slots=True)
class Release:
    """One consistent set of table versions that readers see."""

    release_id: str
    sequence: int
    created_at: datetime
    run_id: str
    status: Literal["published", "rejected", "rolled_back"]
    reason: str
    config_fingerprint: str
    table_versions: dict[str, int]
    metrics: dict[str, float]
    gates: tuple[GateResult, ...]

    @property
    def moves_back(self) -> bool:
        """Whether it serves an older release's tables again: somebody has asked for that."""
        return self.status != "rejected" and bool(self.reason)

    @property
    def stages(self) -> Fingerprint:
        """What the corpus file asked for when it was built."""
        return Fingerprint.of(self.config_fingerprint)


@dataclass(frozen=True, slots=True)
class QuarantineEntry:
    """One file that could not be indexed, and why."""

    uri: str
    error: str
    message: str
    first_seen: datetime
    last_seen: datetime
    fingerprint: str = ""
    """The file's and the config's fingerprint: the same file is not tried again until one of them changes."""


@dataclass(frozen=True, slots=True)
class Hit:
    """A matched sentence or child with its score: all that a retriever or a reranker ever sees."""

    unit: Literal["sentence", "child"]
    unit_id: str
    document_id: str
    ordinal: int
    text: str
    score: float
    """Higher is better; comparable within one query only."""


@dataclass(frozen=True, slots=True)
class Passage:
    """Expanded text for the prompt; holds no score, so that nothing can rank it."""

    document_id: str
    path: str
    """The document's path in its source."""
    kind: Literal["sentence", "child", "window", "parent"]
    ranges: tuple[tuple[int, int], ...]
    """Character ranges of the document text, in order, disjoint; `text` is their slices joined by a line break."""
    first_sentence: int
    last_sentence: int
    heading_path: tuple[str, ...]
    text: str
    tokens: int
    hits: tuple[str, ...]
    """Ids of the units that brought it, best first."""


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A passage that is not in the prompt, and why."""

    passage: Passage
    reason: str


@dataclass(frozen=True, slots=True)
class Prompt:
    """Passages in the order of their best hits; `tokens + reserve_tokens <= budget_tokens`, always."""

    query: str
    release_id: str
    expand: str
    passages: tuple[Passage, ...]
    left_out: tuple[LeftOut, ...]
    tokens: int
    tokens_before_merge: int
    budget_tokens: int
    reserve_tokens: int
    missing: tuple[str, ...] = ()
    """Hits whose window or parent the store does not hold: counted, never silent."""
