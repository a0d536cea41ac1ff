"""Which documents a run takes: all of a source, or those modified in an interval.

Pure: a run's type, its interval and its parameters come in, as Airflow or the command line hands them over.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Literal

from tailgate.errors import ConfigError

BOUNDS = "`start` and `end`"
WHERE = "run parameters"


@dataclass(frozen=True, slots=True)
class Scope:
    """Files modified in [start, end), an open end where one is None; only a `full` scope may delete documents."""

    start: datetime | None = None
    end: datetime | None = None
    full: bool = False


FULL = Scope(full=True)


def resolve(
    run_type: str,
    start: datetime | None,
    end: datetime | None,
    params: Mapping[str, object],
    *,
    dated: Literal["none", "modified"] = "none",
) -> Scope:
    """The scope of a run of `run_type` whose data interval is [start, end), if it has one.

    Parameters win over the interval: they are what a person asked for. `dated` is the corpus's `source.dated`.
    Raises ConfigError for parameters that contradict one another or cannot be read, and for a run of a dated source
    of which nothing says what to take.
    """
    asked_full = _flag(params.get("full"))
    asked = interval(params.get("start"), params.get("end"))
    if asked_full and asked:
        raise ConfigError(WHERE, f"`full` and {BOUNDS} are both given", f"Give `full: true`, or {BOUNDS}.")
    if asked_full or asked:
        return asked or FULL
    if run_type == "backfill":
        return _of_the_run(start, end)
    if dated == "none":
        return FULL
    if run_type == "scheduled":
        return _of_the_run(start, end)
    raise ConfigError(
        WHERE,
        "the source is dated (`source.dated: modified`) and nothing says which documents to take",
        f"Give {BOUNDS} (ISO 8601, such as 2026-11-30T02:00:00Z), or `full: true` for all documents.",
    )


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


def _of_the_run(start: datetime | None, end: datetime | None) -> Scope:
    found = interval(start, end, where="data interval")
    if found is None:
        raise ConfigError("data interval", "the run has none", f"Give the parameters {BOUNDS}, or `full: true`.")
    return found


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
