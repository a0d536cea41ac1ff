"""What a folder would look like to the gates, before anything is adopted: no store, no model, nothing written."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tailgate import gates
from tailgate.config import Corpus, Source
from tailgate.errors import DocumentError, EmptyCorpus, SourceUnreachable
from tailgate.isolate import open_shaper
from tailgate.models import GateReport, Origin, SegmentedDocument, Shape, SourceFile
from tailgate.sources import list_source

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, slots=True)
class Spread:
    """How the sizes of one kind of unit are spread, in tokens; percentiles are nearest ranks, so real units."""

    count: int
    median: int
    p95: int
    p99: int
    max: int


@dataclass(frozen=True, slots=True)
class Refused:
    """A file that would be quarantined, and why."""

    uri: str
    error: str
    message: str


@dataclass(frozen=True, slots=True)
class CheckReport:
    """What `tailgate check` shows."""

    documents: int
    shapes: dict[Shape, int]
    sentences: Spread
    windows: Spread
    parents: dict[Origin, Spread]
    gates: GateReport
    refused: tuple[Refused, ...]


def check(
    paths: Sequence[str], corpus: Corpus, progress: Callable[[str, int, int], None] = lambda step, done, total: None
) -> CheckReport:
    """The shape gates' report over every file below the paths, with the bounds and sizes of `corpus`.

    Raises SourceUnreachable where a path is not there and EmptyCorpus where nothing can be read.
    """
    files = [file for path in paths for file in _files(path, corpus)]
    if not files:
        raise EmptyCorpus(", ".join(paths), 0)
    documents, refused = list[tuple[str, SegmentedDocument]](), list[Refused]()
    with open_shaper(corpus) as shaper:
        for done, file in enumerate(files, start=1):
            try:
                documents.append((file.path, shaper.shape(file).document))
            except (DocumentError, SourceUnreachable) as error:
                refused.append(Refused(file.uri, type(error).__name__, str(error)))
            progress("check", done, len(files))
    return _report(corpus, documents, tuple(refused))


def _files(path: str, corpus: Corpus) -> tuple[SourceFile, ...]:
    source = Source(uri=path, include=corpus.source.include, exclude=corpus.source.exclude)
    return list_source(corpus.model_copy(update={"source": source})).files


def _report(
    corpus: Corpus, documents: list[tuple[str, SegmentedDocument]], refused: tuple[Refused, ...]
) -> CheckReport:
    sentences, parents = _sentence_frame(documents), _parent_frame(documents)
    units = gates.ShapeUnits(
        sentences=sentences,
        parents=parents,
        documents=len(documents),
        quarantined=len(refused),
        lost_documents=0,
        base_documents=None,
        base_sentences=None,
        largest_window_tokens=int(sentences["window_tokens"].max()) if len(sentences) else 0,
    )
    whole = parents[parents["piece"] == 0]
    return CheckReport(
        documents=len(documents),
        shapes=dict(Counter(document.shape for _, document in documents).most_common()),
        sentences=_spread(sentences.loc[sentences["piece"] == 0, "raw_tokens"]),
        windows=_spread(sentences["window_tokens"]),
        parents={origin: _spread(whole.loc[whole["origin"] == origin, "raw_tokens"]) for origin in Origin},
        gates=gates.check_shape(corpus, "check", units, None),
        refused=refused,
    )


def _sentence_frame(documents: list[tuple[str, SegmentedDocument]]) -> "pd.DataFrame":
    rows = [
        (
            path,
            d.shape.value,
            s.ordinal,
            s.kind.value,
            s.char_end - s.char_start,
            s.raw_tokens,
            s.piece,
            s.pseudo,
            w.tokens,
        )
        for path, d in documents
        for s, w in zip(d.sentences, d.windows, strict=True)
    ]
    return _frame(rows, "document shape ordinal kind chars raw_tokens piece pseudo window_tokens")


def _parent_frame(documents: list[tuple[str, SegmentedDocument]]) -> "pd.DataFrame":
    rows = [
        (path, p.heading_path, p.origin.value, p.piece, p.tokens, p.raw_tokens)
        for path, d in documents
        for p in d.parents
    ]
    return _frame(rows, "document heading_path origin piece tokens raw_tokens")


def _frame(rows: list[tuple[Any, ...]], columns: str) -> "pd.DataFrame":
    import pandas as pd

    return pd.DataFrame(rows, columns=columns.split())


def _spread(tokens: "pd.Series[Any]") -> Spread:
    if not len(tokens):
        return Spread(0, 0, 0, 0, 0)
    values = [int(tokens.quantile(share, interpolation="higher")) for share in (0.5, 0.95, 0.99, 1.0)]
    return Spread(len(tokens), *values)
