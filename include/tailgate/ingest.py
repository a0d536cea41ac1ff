"""The write path, top to bottom: plan, shape, check_shape, embed, load, check_index, publish, maintain.

Each step is one Airflow task. Between tasks travel a corpus, a run id and shard numbers; everything else lies in the
run's folder (`<store>/<corpus>/runs/<run id>/`), so that a step can run in any process, and again. `build` is all of
them in one process. Nothing that a reader sees changes before `publish`.
"""

import logging
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime

from tailgate import config, gates, planning, units
from tailgate import publish as publishing
from tailgate.config import Connect, Corpus
from tailgate.embed import open_embedder
from tailgate.errors import ConfigError, GateFailed, PublishConflict, SourceUnreachable
from tailgate.models import GateReport, Listing, QuarantineEntry, Release
from tailgate.planning import KnownDocument, Plan
from tailgate.records import from_json, to_json
from tailgate.scope import Scope
from tailgate.shaping import Outcome, shape_files
from tailgate.sources import list_source
from tailgate.store import Changes, Kept, RunFolder, Snapshot, Store, carries_over, open_store, same_vectors

log = logging.getLogger(__name__)

EMBED_BATCH = 2048
"""Texts a call of the embedder: enough to pack batches well, few enough to show progress."""
TRIES = 3
"""Times that a run loads again after another run that published first."""

Progress = Callable[[str, int, int], None]
"""Told a step's name, how much of it is done, and how much there is."""


@dataclass(frozen=True, slots=True)
class Run:
    """One run of one corpus: everything that a step needs."""

    corpus: Corpus
    run_id: str
    as_of: datetime
    scope: Scope
    store: Store
    folder: RunFolder
    progress: Progress

    def plan(self) -> Plan:
        """The plan that this run's first step wrote."""
        return from_json(Plan, self.folder.read_json("plan.json"))

    def base(self, plan: Plan) -> Release | None:
        """The release that this run started from."""
        return self.store.release(plan.base) if plan.base else None

    def after_newest(self, plan: Plan) -> Release | None:
        """The release to load after: the newest, which another run may have published since the plan was drawn up.

        Raises PublishConflict where the plan says nothing about what that release holds.
        """
        newest, planned = self.store.latest(), self.base(plan)
        if newest is None or newest.release_id == plan.base:
            return newest
        units_stay = planned is None or carries_over(self.corpus, planned) == carries_over(self.corpus, newest)
        if newest.moves_back or plan.windows or not units_stay:
            raise PublishConflict(self.corpus.name, newest.sequence)
        return newest

    def base_snapshot(self, plan: Plan) -> Snapshot | None:
        """Its tables, where they are carried over: not where the config has changed what units or vectors are."""
        base = self.base(plan)
        return self.store.snapshot(base) if base and carries_over(self.corpus, base) else None


def open_run(
    corpus: str,
    run_id: str,
    *,
    as_of: datetime | None = None,
    scope: Scope | None = None,
    progress: Progress = lambda step, done, total: None,
    connect: Connect = config.from_environment,
) -> Run:
    """A run of the corpus named, or given by its file; `as_of` (now) and `scope` (full) matter to `plan` only."""
    settings = config.load(corpus).connected(connect)
    return Run(
        corpus=settings,
        run_id=run_id,
        as_of=as_of or datetime.now(UTC),
        scope=scope or Scope(start=None, end=None, full=True),
        store=open_store(settings),
        folder=RunFolder(settings, run_id),
        progress=progress,
    )


def preview(run: Run) -> Plan:
    """What the run would do, and nothing is written: files by shard, documents that go, the release it starts from."""
    return _draw_up(run)[0]


def plan(run: Run) -> Plan:
    """The run's folder holds what the run will do."""
    drawn, listing, quarantined = _draw_up(run)
    run.folder.clear()
    run.folder.write_json("plan.json", to_json(drawn))
    if run.scope.full and listing.complete:
        listed = {file.uri for file in listing.files}
        run.store.record_quarantine([], cleared=[entry.uri for entry in quarantined if entry.uri not in listed])
    return drawn


def _draw_up(run: Run) -> tuple[Plan, Listing, list[QuarantineEntry]]:
    listing = list_source(run.corpus, run.scope)
    base = run.store.latest()
    if base:
        # A table that has lost its files would be carried over as it is, night after night.
        run.store.snapshot(base).probe()
    rebuild = base is not None and not carries_over(run.corpus, base)
    if rebuild and not run.scope.full:
        raise ConfigError(
            run.corpus.name,
            "the corpus file has changed what the units or their vectors are since the last release",
            "Run it once in full (`--full`, or the parameter `full`); then intervals can be run again.",
        )
    if rebuild and not listing.complete:
        raise SourceUnreachable(run.corpus.source_uri, "; ".join(listing.problems))
    quarantined = run.store.quarantined()
    drawn = planning.draw_up(
        run.corpus,
        listing,
        _known(run.store.snapshot(base), same_columns=not rebuild) if base else [],
        quarantined,
        run_id=run.run_id,
        as_of=run.as_of,
        scope=run.scope,
        base=base.release_id if base else None,
    )
    return drawn, listing, quarantined


def shape(run: Run, shard: int) -> dict[str, int]:
    """One shard's documents are parsed and segmented into the run's folder; what could not be is noted with its reason.

    Raises SourceUnreachable where not one file of the shard could be read and the source is away, too.
    """
    drawn = run.plan()
    files, base = drawn.files[shard], run.base(drawn)
    outcome = shape_files(
        run.corpus,
        run.folder,
        shard,
        files,
        as_of=drawn.as_of,
        seen=_content_hashes(run.base_snapshot(drawn)) if files else {},
        progress=lambda done: run.progress("shape", done, len(files)),
    )
    if files and outcome.unread == len(files):
        list_source(run.corpus, drawn.scope)
    if drawn.windows and base:
        run.store.cut_windows(base, run.folder, shard, len(drawn.files))
    run.folder.write_json(f"shape-{shard}.json", to_json(outcome))
    refused = len(outcome.refused)
    return {"shard": shard, "documents": len(files) - refused, "reused": outcome.reused, "quarantined": refused}


def check_shape(run: Run) -> GateReport:
    """The tail of the raw material is within its bounds, in every document that the release would hold.

    Raises GateFailed; `gates-shape.json` in the run's folder has the whole report either way.
    """
    drawn = run.plan()
    refused = [entry for outcome in _outcomes(run, drawn) for entry in outcome.refused]
    shaped = [file.uri for shard in drawn.files for file in shard]
    run.store.record_quarantine(refused, cleared=sorted(set(shaped) - {entry.uri for entry in refused}))
    seen = units.shape_units(run.folder, run.base_snapshot(drawn), drawn, run.base(drawn), len(refused))
    with run.folder.workplace() as docs:
        report = gates.check_shape(run.corpus, run.run_id, seen, docs)
    return _judge(run, report)


def embed(run: Run, shard: int) -> dict[str, int]:
    """The run's folder holds a vector for each different text of this part that the base has not embedded.

    A vector that another kept release or an unpublished run has made is copied; only what nobody has is embedded.
    """
    drawn = run.plan()
    texts = run.folder.texts(shard, len(drawn.files))
    wanted = texts.keys() - _embedded_by(run, run.base(drawn))
    fresh = sorted(wanted - _copied(run, shard, wanted))
    # Where nothing is to be embedded, no model is loaded: that alone takes longer than the rest of a quiet night.
    truncated = _embed(run, shard, fresh, texts) if fresh else 0
    counts = {"shard": shard, "texts": len(texts), "embedded": len(fresh), "truncated": truncated}
    run.folder.write_json(f"embed-{shard}.json", counts)
    return counts


def _embed(run: Run, shard: int, fresh: Sequence[str], texts: Mapping[str, str]) -> int:
    """How many of the texts, whose vectors are in the run's folder now, the model had to cut."""
    embedder, truncated = open_embedder(run.corpus.embed), 0
    for start in range(0, len(fresh), EMBED_BATCH):
        batch = fresh[start : start + EMBED_BATCH]
        run.folder.write_vectors(f"{shard}-{start}", batch, embedder.embed([texts[key] for key in batch]))
        truncated += embedder.count_truncated([texts[key] for key in batch])
        run.progress("embed", start + len(batch), len(fresh))
    return truncated


def load(run: Run) -> dict[str, int]:
    """The tables have unpublished versions that hold what the release would; readers see none of them."""
    drawn = run.plan()
    with run.store.one_writer(run.run_id):
        base = run.after_newest(drawn)
        versions = run.store.stage(base, run.folder, _changes(run, drawn, base))
    run.folder.write_json("load.json", {"base": base.release_id if base else None, "versions": versions})
    return versions


def check_index(run: Run) -> GateReport:
    """Keys, references, offsets and vectors of the unpublished versions are sound. Raises GateFailed."""
    candidate = run.store.candidate(run.folder.read_json("load.json")["versions"])
    counts = units.embed_counts(run.folder, run.plan())
    share = counts["truncated"] / counts["embedded"] if counts["embedded"] else 0.0
    with run.folder.workplace() as docs:
        report = gates.check_index(run.corpus, run.run_id, candidate, docs, truncated_share=share)
    return _judge(run, report)


def publish(run: Run) -> Release:
    """Readers see the new release, all tables of it at once.

    Where another run was first, the documents are loaded and checked again on top of what it has published. Raises
    PublishConflict where that cannot be done, or was in vain several times.
    """
    for _ in range(TRIES):
        with suppress(PublishConflict):
            return _publish(run)
        load(run)
        check_index(run)
    return _publish(run)


def maintain(run: Run) -> Kept:
    """Releases, versions and run folders that the corpus file no longer asks to keep are gone."""
    with run.store.one_writer(run.run_id):
        return run.store.maintain(run.as_of)


def rollback(corpus: str, release_id: str | None = None) -> Release:
    """Readers are back on an older release's tables; see `publish.rollback`."""
    run = open_run(corpus, f"rollback__{_stamp()}")
    with run.store.one_writer(run.run_id):
        return publishing.rollback(run.store, run.corpus, release_id, run_id=run.run_id, as_of=run.as_of)


def build(
    corpus: str,
    *,
    scope: Scope | None = None,
    publish_it: bool = True,
    as_of: datetime | None = None,
    progress: Progress = lambda step, done, total: None,
) -> tuple[Plan, Release | None]:
    """The whole write path in this process; the release is None where there was nothing to do or publishing is off.

    Raises GateFailed, PublishConflict, and whatever the steps raise.
    """
    run = open_run(corpus, f"manual__{_stamp()}", as_of=as_of, scope=scope, progress=progress)
    drawn = plan(run)
    if not drawn.shards:
        return drawn, None
    for shard in drawn.shards:
        shape(run, shard)
    check_shape(run)
    for shard in drawn.shards:
        embed(run, shard)
    load(run)
    check_index(run)
    if not publish_it:
        return drawn, None
    release = publish(run)
    maintain(run)
    return drawn, release


def _stamp() -> str:
    return f"{datetime.now(UTC):%Y-%m-%dT%H%M%S.%f}"


def _known(snapshot: Snapshot, *, same_columns: bool) -> list[KnownDocument]:
    """Of tables that another version of Tailgate may have written, only what every version has."""
    names = ["document_id", "path", "fingerprint", "config_fingerprint", *(["modified"] if same_columns else [])]
    return [KnownDocument(**row) for row in snapshot.arrow("documents", names).to_pylist()]


def _content_hashes(snapshot: Snapshot | None) -> dict[str, str]:
    """Hashes of the bytes of documents that can stay as they are, by path."""
    if snapshot is None:
        return {}
    frame = snapshot.frame("documents", ["path", "content_hash"])
    return dict(zip(frame["path"], frame["content_hash"], strict=True))


def _embedded_by(run: Run, base: Release | None) -> set[str]:
    """Hashes of the texts whose vectors the base holds, where those can stay."""
    return run.store.known_hashes(base) if base and same_vectors(run.corpus, base) else set()


def _copied(run: Run, shard: int, wanted: set[str]) -> set[str]:
    """Hashes of the texts whose vectors lay somewhere, and lie in the run's folder now."""
    copied: set[str] = set()
    for number, batch in enumerate(run.store.spare_vectors(wanted, run.run_id) if wanted else ()):
        run.folder.copy_vectors(f"{shard}-spare{number}", batch)
        copied.update(batch.column("text_hash").to_pylist())
    return copied


def _outcomes(run: Run, drawn: Plan) -> list[Outcome]:
    return [from_json(Outcome, run.folder.read_json(f"shape-{shard}.json")) for shard in drawn.shards]


def _changes(run: Run, drawn: Plan, base: Release | None) -> Changes:
    """What the load does besides adding documents; of a document that two runs have, the newer listing's stays."""
    overtaken = base is not None and base.release_id != drawn.base
    frame = run.store.snapshot(base).frame("documents", ["document_id", "indexed_at"]) if base and overtaken else None
    keep = frozenset[str]() if frame is None else frozenset(frame["document_id"][frame["indexed_at"] > drawn.as_of])
    touched = {name: file for outcome in _outcomes(run, drawn) for name, file in outcome.touched.items()}
    return Changes(drop=drawn.drop, keep=keep, touched={name: touched[name] for name in touched.keys() - keep})


def _publish(run: Run) -> Release:
    drawn, loaded = run.plan(), run.folder.read_json("load.json")
    release = publishing.publish(
        run.store,
        run.corpus,
        run_id=run.run_id,
        as_of=drawn.as_of,
        base=run.store.release(loaded["base"]) if loaded["base"] else None,
        versions=loaded["versions"],
        metrics=units.release_metrics(run.store.candidate(loaded["versions"]), units.embed_counts(run.folder, drawn)),
        gates=[result for place in ("shape", "index") for result in _report(run, place).results],
    )
    run.folder.discard_shards()
    return release


def _judge(run: Run, report: GateReport) -> GateReport:
    """The report is kept; a broken bound ends the run and leaves a rejected release behind."""
    run.folder.write_json(f"gates-{report.place}.json", to_json(report))
    if report.failures:
        sentences = tuple(gates.sentence_of(result) for result in report.failures)
        publishing.reject(
            run.store,
            run.corpus,
            run_id=run.run_id,
            as_of=run.plan().as_of,
            reason="; ".join(sentences),
            gates=report.results,
        )
        raise GateFailed(run.corpus.name, report.place, sentences)
    return report


def _report(run: Run, place: str) -> GateReport:
    return from_json(GateReport, run.folder.read_json(f"gates-{place}.json"))
