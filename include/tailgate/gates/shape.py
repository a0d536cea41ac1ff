"""The gates before anything is embedded: they read the tail of the raw material."""

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from tailgate.config import Bound, Corpus
from tailgate.gates import plain, tail
from tailgate.gates.checks import AtMost, Check, NotEmpty, no_offenders
from tailgate.gates.judge import judge
from tailgate.gates.material import ShapeUnits, authored_parents, raw_sentences
from tailgate.models import UNSEGMENTABLE, GateReport, Offender, Origin

if TYPE_CHECKING:
    import pandas as pd

ENOUGH_OF_A_SHAPE = 20
"""Raw sentences that a document shape needs before a percentile of its own says anything."""


def check_shape(corpus: Corpus, run_id: str, units: ShapeUnits, docs: Path | None) -> GateReport:
    """The report on sentence lengths, parent sizes, ceilings and losses; a broken bound is in it and raises nothing.

    `docs` is the run's folder, below which the Data Docs are kept. Only gates of designs that are built are in it.
    """
    frames, checks = _asserted(corpus, units)
    return judge(corpus.name, run_id, "shape", frames, checks, docs)


def preview_shape(corpus: Corpus, units: ShapeUnits) -> GateReport:
    """The same report without Great Expectations, whose import alone takes longer than most folders do."""
    frames, checks = _asserted(corpus, units)
    return plain.judge(corpus.name, "preview", "shape", frames, checks)


def _asserted(corpus: Corpus, units: ShapeUnits) -> tuple[dict[str, "pd.DataFrame"], list[Check]]:
    """Every check of the designs that are built, and the frames that they are asserted of."""
    checks = [*_losses(corpus, units)]
    if "parent" in corpus.designs:
        checks = [*_parent_sizes(corpus, units), *checks]
    if "window" in corpus.designs:
        checks = [*_sentence_lengths(corpus, units), *_shares_of_text(corpus, units), *checks]
    measures = {check.gate: check.value for check in checks if check.frame == "measures"}
    frames = {"sentences": raw_sentences(units.sentences), "measures": _one_row(measures)}
    if "parent" in corpus.designs:
        frames["parents"] = authored_parents(units.parents)
    return frames, checks


def _sentence_lengths(corpus: Corpus, units: ShapeUnits) -> Iterator[Check]:
    """Raw sentences, before the cap: all of them together, then each shape that has enough of them."""
    raw, bound = raw_sentences(units.sentences), corpus.gates.sentence_tokens_p95
    if not len(raw):
        yield _empty("sentence_tokens_p95", "sentences", bound, "the release would hold no sentence")
        return
    yield _sentence_length("sentence_tokens_p95", raw, bound, where=None)
    for shape, rows in raw.groupby("shape", sort=True):
        if len(rows) >= ENOUGH_OF_A_SHAPE:
            yield _sentence_length(f"sentence_tokens_p95[{shape}]", rows, bound, where=("shape", str(shape)))


def _sentence_length(gate: str, rows: "pd.DataFrame", bound: Bound, where: tuple[str, str] | None) -> Check:
    over = int((rows["raw_tokens"] > bound.max).sum())
    return Check(
        gate,
        "sentences",
        AtMost("raw_tokens", bound.max, share=0.95, where=where),
        value=tail.percentile(rows["raw_tokens"], 95),
        bound=bound.max,
        action=bound.action,
        note=f"above it: {over:,} of {len(rows):,} sentences" if over else "",
        offenders=partial(tail.above, rows, "raw_tokens", bound.max),
    )


def _shares_of_text(corpus: Corpus, units: ShapeUnits) -> Iterator[Check]:
    """How much of the text has no sentences to speak of, and whether k windows fit into any prompt."""
    raw, everything = raw_sentences(units.sentences), units.sentences
    capped = raw[raw["pseudo"].astype(bool)]
    yield _share(
        "pseudo_sentence_share",
        len(capped) / max(1, len(raw)),
        corpus.gates.pseudo_sentence_share,
        f"{len(capped):,} of {len(raw):,} sentences were cut at {corpus.segment.sentence_max_tokens} tokens",
        partial(tail.above, capped, "raw_tokens", 0),
    )
    lines = everything[
        everything["kind"].isin([str(kind) for kind in UNSEGMENTABLE]) | everything["pseudo"].astype(bool)
    ]
    yield _share(
        "unsegmentable_share",
        int(lines["chars"].sum()) / max(1, int(everything["chars"].sum())),
        corpus.gates.unsegmentable_share,
        "characters in code, JSON, log lines and sentences that were cut",
        partial(tail.heaviest, lines, "chars", "text without sentences"),
    )
    yield _window_ceiling(corpus, units)


def _window_ceiling(corpus: Corpus, units: ShapeUnits) -> Check:
    search, rows = corpus.search, units.sentences
    sized = rows.dropna(subset=["window_tokens"]) if "window_tokens" in rows else rows.iloc[:0]
    room = (search.budget_tokens - search.reserve_tokens) / search.k
    return Check(
        "window_ceiling",
        "measures",
        AtMost("window_ceiling", search.budget_tokens),
        value=float(search.k * units.largest_window_tokens + search.reserve_tokens),
        bound=float(search.budget_tokens),
        action=corpus.gates.window_ceiling.action,
        note=f"{search.k} × {units.largest_window_tokens:,} + {search.reserve_tokens:,} reserved",
        offenders=partial(tail.above, sized, "window_tokens", room) if len(sized) else no_offenders,
    )


def _parent_sizes(corpus: Corpus, units: ShapeUnits) -> Iterator[Check]:
    """Authored parents before any split; synthetic ones are bounded by the config and only counted."""
    gates, whole = corpus.gates, units.parents[units.parents["piece"] == 0]
    if not len(whole):
        yield _empty("parent_tokens_p99", "parents", gates.parent_tokens_p99, "the release would hold no parent")
        return
    authored = authored_parents(units.parents)
    yield _parent_size("parent_tokens_p99", authored, gates.parent_tokens_p99, 99)
    yield _parent_size("parent_tokens_max", authored, gates.parent_tokens_max, 100)
    if corpus.segment.oversize == "fail":
        yield _parent_size("parent_tokens_oversize", authored, Bound(max=corpus.segment.parent_max_tokens), 100)
    synthetic = whole[whole["origin"] == Origin.SYNTHETIC.value].assign(one=1)
    yield _share(
        "synthetic_parent_share",
        len(synthetic) / len(whole),
        gates.synthetic_parent_share,
        f"{len(synthetic):,} of {len(whole):,} parents were invented by the splitter",
        partial(tail.heaviest, synthetic, "one", "without structure"),
    )
    yield _parent_ceiling(corpus, units)


def _parent_size(gate: str, authored: "pd.DataFrame", bound: Bound, per_cent: int) -> Check:
    over = int((authored["raw_tokens"] > bound.max).sum())
    note = f"above it: {over:,} of {len(authored):,} authored parents" if over else ""
    return Check(
        gate,
        "parents",
        AtMost("raw_tokens", bound.max, share=per_cent / 100),
        value=tail.percentile(authored["raw_tokens"], per_cent),
        bound=bound.max,
        action=bound.action,
        note=note if len(authored) else "no parent is authored",
        offenders=partial(tail.above, authored, "raw_tokens", bound.max),
    )


def _parent_ceiling(corpus: Corpus, units: ShapeUnits) -> Check:
    search = corpus.search
    largest = int(units.parents["tokens"].nlargest(search.k).sum())
    return Check(
        "parent_ceiling",
        "measures",
        AtMost("parent_ceiling", search.budget_tokens),
        value=float(largest + search.reserve_tokens),
        bound=float(search.budget_tokens),
        action=corpus.gates.parent_ceiling.action,
        note=f"the {search.k} largest parents together {largest:,} + {search.reserve_tokens:,} reserved",
        offenders=partial(tail.worst, units.parents, "tokens"),
    )


def _losses(corpus: Corpus, units: ShapeUnits) -> Iterator[Check]:
    """What the release would lack: files that could not be read, and what the last release had more."""
    gates, seen = corpus.gates, units.documents + units.quarantined
    refused = f"{units.quarantined:,} of {seen:,} documents could not be indexed"
    yield _share("quarantined_share", units.quarantined / max(1, seen), gates.quarantined_share, refused)
    before, lost = units.base_documents or 0, units.lost_documents
    gone = f"{lost:,} of {before:,} documents" if before else "no release before this one"
    yield _share("documents_lost_share", lost / max(1, before), gates.documents_lost_share, gone)
    before, lost = units.base_sentences or 0, max(0, (units.base_sentences or 0) - len(units.sentences))
    gone = f"{lost:,} of {before:,} sentences" if before else "no release before this one"
    yield _share("sentences_lost_share", lost / max(1, before), gates.sentences_lost_share, gone)


def _share(
    gate: str, value: float, bound: Bound, note: str, offenders: Callable[[], tuple[Offender, ...]] = no_offenders
) -> Check:
    return Check(gate, "measures", AtMost(gate, bound.max), value, bound.max, bound.action, note, offenders)


def _empty(gate: str, frame: str, bound: Bound, note: str) -> Check:
    return Check(gate, frame, NotEmpty(), None, bound.max, bound.action, note)


def _one_row(measures: dict[str, float | None]) -> "pd.DataFrame":
    import pandas as pd

    return pd.DataFrame([measures])
