"""What an alert says: composed from gate reports or from an error, written for somebody tired."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from tailgate.alert.advice import what_to_do
from tailgate.models import GateReport, GateResult, Release
from tailgate.wording import amount, size_of, unit_of

PLACES = {"shape": "before anything was embedded", "index": "on the finished tables"}


@dataclass(frozen=True, slots=True)
class Alert:
    """One failure of one run, with what readers are served meanwhile."""

    corpus: str
    run_id: str
    at: datetime
    place: str
    """`shape` or `index` where gates failed, else the task."""
    headline: str
    failures: tuple[GateResult, ...] = ()
    error: str = ""
    """The sentence of an error that was no gate's."""
    serving: str | None = None
    """The release that readers see; None where there is none."""
    serving_since: datetime | None = None
    serving_known: bool = True
    """Whether the store could be asked at all."""
    published: bool = False
    """Whether that release is this run's own: then it failed only afterwards."""
    report: str | None = None
    """Where the whole report or the log is."""

    @property
    def key(self) -> tuple[str, str, str]:
        """The same for two alerts of which only one is sent."""
        return self.run_id, self.place, self.headline


def compose(
    corpus: str,
    run_id: str,
    *,
    at: datetime,
    place: str = "run",
    reports: Sequence[GateReport] = (),
    error: str = "",
    serving: Release | None = None,
    serving_known: bool = True,
    report: str | None = None,
) -> Alert:
    """The alert of a run: of the gates that failed it where `reports` have failures, else of `error` in `place`."""
    broken = [seen for seen in reports if seen.failures]
    failures = tuple(result for seen in broken for result in seen.failures)
    published = serving is not None and serving.run_id == run_id
    what = _gates_failed(failures) if failures else f"{place} failed"
    return Alert(
        corpus=corpus,
        run_id=run_id,
        at=at,
        place=broken[0].place if broken else place,
        headline=f"{corpus}: {'published, but' if published else 'nothing published:'} {what}",
        failures=failures,
        error="" if failures else error,
        serving=serving.release_id if serving else None,
        serving_since=serving.created_at if serving else None,
        serving_known=serving_known,
        published=published,
        report=report,
    )


def text(alert: Alert) -> str:
    """The whole message in plain text: what failed, by how much, where, what readers see, and what to do next."""
    blocks = [alert.headline, *_failures(alert), _served(alert), _next(alert), _particulars(alert)]
    return "\n\n".join(blocks) + "\n"


def _gates_failed(failures: Sequence[GateResult]) -> str:
    names = ", ".join(result.gate for result in failures)
    return f"{len(failures)} gate{'s' if len(failures) > 1 else ''} failed: {names}"


def _failures(alert: Alert) -> Iterator[str]:
    if not alert.failures:
        yield f"WHAT FAILED\n  {alert.error or 'No reason is known; see the log.'}"
        return
    yield f"WHAT FAILED, {PLACES.get(alert.place, 'in the run')}"
    for result in alert.failures:
        yield "\n".join(_failure(result))


def _failure(result: GateResult) -> Iterator[str]:
    unit = unit_of(result.gate)
    counted = "" if unit == "share" else f" {unit}"
    if result.value is None:
        yield f"  {result.gate}: could not be measured"
    else:
        yield f"  {result.gate}: {amount(result.value, unit)}{counted}, allowed {amount(result.bound, unit)}"
    if result.note:
        yield f"    {result.note}"
    for offender in result.offenders:
        yield f"    - {offender.document}: {offender.place} ({size_of(result.gate, offender)})"


def _served(alert: Alert) -> str:
    if not alert.serving_known:
        seen = "Not known: the store could not be read."
    elif alert.serving is None:
        seen = "Nothing: no release has been published yet."
    else:
        since = f", published {_moment(alert.serving_since)}" if alert.serving_since else ""
        seen = f"Release {alert.serving}{since}. {_changed(alert)}"
    return f"WHAT READERS ARE SERVED\n  {seen}"


def _changed(alert: Alert) -> str:
    return "It is this run's own, and whole." if alert.published else "Nothing that they see has changed."


def _next(alert: Alert) -> str:
    steps = what_to_do(alert.corpus, [result.gate for result in alert.failures])
    return "\n".join(["WHAT TO DO", *(f"  {number}. {step}" for number, step in enumerate(steps, start=1))])


def _particulars(alert: Alert) -> str:
    lines = [f"Run {alert.run_id}, {_moment(alert.at)}"]
    return "\n".join([*lines, f"Report {alert.report}"] if alert.report else lines)


def _moment(moment: datetime) -> str:
    return f"{moment.astimezone(UTC):%Y-%m-%d %H:%M} UTC"
