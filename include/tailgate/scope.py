"""Which documents a run takes: all of a source, those of an interval, or some that are named.

Pure: a run's type, its interval and its parameters come in, as Airflow or the command line hands them over.
"""

import difflib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta

from tailgate.config import Dated
from tailgate.errors import ConfigError

BOUNDS = "`start` and `end`"
WHERE = "run parameters"
PARAMS = frozenset({"start", "end", "full", "documents"})
NO_TIME = timedelta(microseconds=1)


@dataclass(frozen=True, slots=True)
class Scope:
    """Files of [start, end), an open end where one is None, and of these the `documents`, where some are named.

    Only a `full` scope may delete documents.
    """

    start: datetime | None = None
    end: datetime | None = None
    full: bool = False
    documents: tuple[str, ...] = ()
    """Paths relative to the source, or patterns for them."""

    def covers_moment(self, moment: datetime) -> bool:
        """Whether it lies in the interval."""
        return (self.start is None or self.start <= moment) and (self.end is None or moment < self.end)

    def covers_day(self, day: date) -> bool:
        """Whether the interval holds a moment of that day, in UTC."""
        begins = self.start is None or self.start.astimezone(UTC).date() <= day
        return begins and (self.end is None or day <= (self.end.astimezone(UTC) - NO_TIME).date())


FULL = Scope(full=True)


def resolve(
    run_type: str,
    start: datetime | None,
    end: datetime | None,
    params: Mapping[str, object],
    *,
    dated: Dated = "none",
) -> Scope:
    """The scope of a run of `run_type` whose data interval is [start, end), if it has one.

    Parameters win over the interval: they are what a person asked for. A backfill takes its interval; a run of a dated
    source does, too, whether the scheduler made it or a person who gave it a date. `dated` is the corpus's
    `source.dated`. Raises ConfigError for parameters that contradict one another or cannot be read, and for a run of a
    dated source of which nothing says what to take.
    """
    _refuse_unknown(params)
    full, named = _flag(params.get("full")), _names(params.get("documents"))
    asked = interval(params.get("start"), params.get("end"))
    if asked:
        refuse_undated(dated, BOUNDS, WHERE)
    if full and (asked or named):
        other = BOUNDS if asked else "`documents`"
        raise ConfigError(WHERE, f"`full` and {other} are both given", f"Give `full: true`, or {other}.")
    if asked or named:
        return replace(asked or Scope(), documents=named)
    if full or (dated == "none" and run_type != "backfill"):
        return FULL
    found = interval(start, end, where="data interval")
    if found is None:
        raise _nothing_says(run_type, dated)
    return found


def interval(start: object, end: object, *, where: str = WHERE) -> Scope | None:
    """The interval that two ISO 8601 texts (or datetimes) name; None where neither is given.

    Both are needed, and the end must be after the start: ConfigError otherwise. A moment without an offset is UTC.
    """
    if start in (None, "") and end in (None, ""):
        return None
    if start in (None, "") or end in (None, ""):
        missing = "start" if start in (None, "") else "end"
        raise ConfigError(where, f"`{missing}` is missing", f"Give both {BOUNDS}.")
    return _checked(moment(start, name="start", where=where), moment(end, name="end", where=where), where)


def moment(value: object, *, name: str, where: str = WHERE) -> datetime:
    """An aware datetime; ConfigError, which names the parameter, where `value` is no ISO 8601 date or time."""
    if isinstance(value, datetime):
        return value if value.tzinfo else value.replace(tzinfo=UTC)
    try:
        parsed = datetime.fromisoformat(str(value).strip())
    except ValueError as error:
        raise ConfigError(
            where,
            f"`{name}` is no ISO 8601 date or time (found: {value!r})",
            "Write 2026-11-30 or 2026-11-30T02:00:00Z.",
        ) from error
    return parsed if parsed.tzinfo else parsed.replace(tzinfo=UTC)


def refuse_undated(dated: Dated, given: str, where: str) -> None:
    """Raises ConfigError where somebody asks for a time and nothing says of which time a document is."""
    if dated == "none":
        reason = f"{given} are given, and the source is not dated (`source.dated: none`)"
        raise ConfigError(where, reason, "Set `source.dated` to `modified` or `path`, or leave them out.")


def _refuse_unknown(params: Mapping[str, object]) -> None:
    """A parameter that was misspelt must not be passed over: the run would do something else than was asked for."""
    for name in sorted(params.keys() - PARAMS):
        near = difflib.get_close_matches(name, PARAMS, n=1)
        hint = f"Did you mean `{near[0]}`?" if near else f"Known: {', '.join(sorted(PARAMS))}."
        raise ConfigError(WHERE, f"there is no parameter `{name}`", hint)


def _nothing_says(run_type: str, dated: Dated) -> ConfigError:
    if run_type == "backfill":
        return ConfigError("data interval", "the run has none", f"Give the parameters {BOUNDS}, or `full: true`.")
    return ConfigError(
        WHERE,
        f"the source is dated (`source.dated: {dated}`) and nothing says which documents to take",
        f"Give {BOUNDS} (ISO 8601, such as 2026-11-30T02:00:00Z), `documents`, or `full: true` for all documents.",
    )


def _checked(start: datetime, end: datetime, where: str) -> Scope:
    if end <= start:
        raise ConfigError(
            where, f"`end` ({end.isoformat()}) is not after `start` ({start.isoformat()})", "Swap or widen them."
        )
    return Scope(start, end)


def _flag(value: object) -> bool:
    if value in (None, ""):
        return False
    if isinstance(value, bool):
        return value
    raise ConfigError(WHERE, f"`full` is neither true nor false (found: {value!r})", "Give `full: true`.")


def _names(value: object) -> tuple[str, ...]:
    """A list of texts, or one text with one to a line, as forms have it; blank ones are left out."""
    lines = value.splitlines() if isinstance(value, str) else value or ()
    if not isinstance(lines, list | tuple) or not all(isinstance(line, str) for line in lines):
        raise ConfigError(WHERE, f"`documents` is no list of texts (found: {value!r})", 'Give `["calls/*.txt"]`.')
    return tuple(dict.fromkeys(line.strip() for line in lines if line.strip()))
