"""What documents would look like to the gates, and which design fits: no model, nothing written."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from tailgate import gates
from tailgate.advise import Advice, advise
from tailgate.config import Corpus
from tailgate.errors import EmptyCorpus
from tailgate.models import GateReport, Origin, Shape
from tailgate.store import open_store
from tailgate.survey import (
    Collector,
    Material,
    Spread,
    Warned,
    WorstUnits,
    listed,
    published,
    shaped,
    spread,
    with_lines,
    worst_units,
)

if TYPE_CHECKING:
    import pandas as pd

Progress = Callable[[str, int, int], None]

COMPARED = frozenset({"documents_lost_share", "sentences_lost_share"})
"""Gates that compare with the last release: there is none here."""


@dataclass(frozen=True, slots=True)
class Refused:
    """A file that would be quarantined, and why."""

    document: str
    uri: str
    error: str
    message: str


@dataclass(frozen=True, slots=True)
class DocumentRow:
    """One document in figures; sizes in tokens, before any cut."""

    document: str
    shape: Shape
    tokens: int
    sentences: int
    sentence_p95: int
    parents: int
    largest_parent: int
    warnings: int


@dataclass(frozen=True, slots=True)
class CheckReport:
    """What `tailgate check` and `tailgate advise` show; docs/check.md names every key."""

    subject: str
    encoding: str
    documents: int
    tokens: int
    shapes: dict[Shape, int]
    rows: tuple[DocumentRow, ...]
    sentences: Spread
    windows: Spread
    parents: dict[Origin, Spread]
    sections: Spread
    """Authored parents, as large as they were before any split."""
    worst: WorstUnits
    gates: GateReport
    refused: tuple[Refused, ...]
    warnings: tuple[Warned, ...]
    problems: tuple[str, ...]
    advice: Advice


def check(paths: Sequence[str], corpus: Corpus, progress: Progress = lambda step, done, total: None) -> CheckReport:
    """The report on every file below the paths, with the bounds and sizes of `corpus`; in the order of the listing.

    Raises SourceUnreachable where a path is not there and EmptyCorpus where there is no file.
    """
    found = listed(paths, corpus)
    if not found.files:
        raise EmptyCorpus(", ".join(paths), 0)
    collector, refused = Collector(), list[Refused]()
    for done, (name, outcome) in enumerate(shaped(found.files, corpus), start=1):
        if isinstance(outcome, Exception):
            refused.append(Refused(name, found.files[name].uri, type(outcome).__name__, str(outcome)))
        else:
            collector.add(name, *outcome)
        progress("check", done, len(found.files))
    material = collector.material()
    worst = with_lines(worst_units(material, corpus), found.files, corpus)
    return _report(", ".join(paths), corpus, material, worst, tuple(refused), found.problems)


def check_release(corpus: Corpus) -> CheckReport:
    """The same report on the release that readers see, from its tables. Raises NoRelease."""
    store = open_store(corpus)
    release = store.release()
    refused = tuple(Refused(entry.uri, entry.uri, entry.error, entry.message) for entry in store.quarantined())
    material = published(corpus.name, store.snapshot(release), windows="window" in corpus.designs)
    subject = f"{corpus.name}, release {release.release_id}"
    return _report(subject, corpus, material, worst_units(material, corpus), refused, ())


def _report(
    subject: str,
    corpus: Corpus,
    material: Material,
    worst: WorstUnits,
    refused: tuple[Refused, ...],
    problems: tuple[str, ...],
) -> CheckReport:
    documents, sentences, parents = material.documents, material.sentences, material.parents
    raw, whole = sentences[sentences["piece"] == 0], parents[parents["piece"] == 0]
    windows = sentences["window_tokens"].dropna() if "window_tokens" in sentences else sentences["ordinal"].iloc[:0]
    shapes = {Shape(str(name)): int(count) for name, count in documents["shape"].value_counts().items()}
    return CheckReport(
        subject=subject,
        encoding=corpus.tokens.encoding,
        documents=len(documents),
        tokens=int(documents["tokens"].sum()),
        shapes=shapes,
        rows=tuple(_rows(documents, raw, whole)),
        sentences=spread(raw["raw_tokens"]),
        windows=spread(windows.astype(int)),
        parents={origin: spread(whole.loc[whole["origin"] == origin.value, "raw_tokens"]) for origin in Origin},
        sections=spread(whole.loc[whole["origin"] != Origin.SYNTHETIC.value, "raw_tokens"]),
        worst=worst,
        gates=_gates(corpus, material, len(refused), int(windows.max()) if len(windows) else 0),
        refused=refused,
        warnings=material.warnings,
        problems=problems,
        advice=advise(material, corpus),
    )


def _gates(corpus: Corpus, material: Material, refused: int, largest_window: int) -> GateReport:
    units = gates.ShapeUnits(
        sentences=material.sentences,
        parents=material.parents,
        documents=len(material.documents),
        quarantined=refused,
        lost_documents=0,
        base_documents=None,
        base_sentences=None,
        largest_window_tokens=largest_window,
    )
    report = gates.preview_shape(corpus, units)
    return replace(report, results=tuple(result for result in report.results if result.gate not in COMPARED))


def _rows(documents: "pd.DataFrame", raw: "pd.DataFrame", whole: "pd.DataFrame") -> Iterator[DocumentRow]:
    lengths = raw.groupby("document", sort=False)["raw_tokens"].quantile(0.95, interpolation="higher")
    largest = whole.groupby("document", sort=False)["raw_tokens"].max()
    row: Any
    for row in documents.itertuples(index=False):
        name, units = row.document, (int(row.sentences), int(lengths.get(row.document, 0)), int(row.parents))
        yield DocumentRow(name, Shape(row.shape), int(row.tokens), *units, int(largest.get(name, 0)), int(row.warnings))
