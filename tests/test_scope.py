"""What a run takes, by its type, its interval and its parameters."""

from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tailgate.errors import ConfigError
from tailgate.scope import Scope, interval, moment, resolve

START = datetime(2026, 11, 29, 2, tzinfo=UTC)
END = datetime(2026, 11, 30, 2, tzinfo=UTC)
NOTHING: dict[str, object] = {"start": None, "end": None, "full": False}


def test_scheduled_run_of_an_undated_source_takes_everything() -> None:
    assert resolve("scheduled", START, END, NOTHING) == Scope(full=True)


def test_scheduled_run_of_a_dated_source_takes_its_interval() -> None:
    assert resolve("scheduled", START, END, NOTHING, dated="modified") == Scope(START, END)


@pytest.mark.parametrize("dated", ["none", "modified"])
def test_backfill_takes_its_interval_and_never_deletes(dated: str) -> None:
    assert resolve("backfill", START, END, NOTHING, dated=dated) == Scope(START, END, full=False)


@pytest.mark.parametrize("run_type", ["manual", "scheduled", "backfill", "asset_triggered"])
def test_parameters_win_over_the_interval(run_type: str) -> None:
    params = {"start": "2026-01-01", "end": "2026-02-01T00:00:00+00:00"}
    assert resolve(run_type, START, END, params) == Scope(
        datetime(2026, 1, 1, tzinfo=UTC), datetime(2026, 2, 1, tzinfo=UTC)
    )


@pytest.mark.parametrize("interval_of_run", [(None, None), (START, END)])
def test_manual_run_takes_everything_when_asked_to(interval_of_run: tuple[datetime | None, datetime | None]) -> None:
    assert resolve("manual", *interval_of_run, {"full": True}, dated="modified") == Scope(full=True)


@pytest.mark.parametrize("interval_of_run", [(None, None), (START, END)])
def test_manual_run_without_parameters_takes_an_undated_source_whole(
    interval_of_run: tuple[datetime | None, datetime | None],
) -> None:
    assert resolve("manual", *interval_of_run, NOTHING) == Scope(full=True)


def test_manual_run_of_a_dated_source_must_say_what_to_take() -> None:
    with pytest.raises(ConfigError, match=r"`start` and `end`.*`full: true`"):
        resolve("manual", None, None, NOTHING, dated="modified")


def test_backfill_without_an_interval_is_refused() -> None:
    with pytest.raises(ConfigError, match="data interval"):
        resolve("backfill", None, None, NOTHING)


@pytest.mark.parametrize(
    ("params", "said"),
    [
        ({"start": "yesterday", "end": "2026-01-01"}, "`start` is no ISO 8601"),
        ({"start": "2026-01-01", "end": "2026-13-01"}, "`end` is no ISO 8601"),
        ({"start": "2026-01-01"}, "`end` is missing"),
        ({"end": "2026-01-01"}, "`start` is missing"),
        ({"start": "2026-01-02", "end": "2026-01-01"}, "not after"),
        ({"start": "2026-01-01", "end": "2026-01-01"}, "not after"),
        ({"start": "2026-01-01", "end": "2026-01-02", "full": True}, "both given"),
        ({"full": "yes"}, "neither true nor false"),
    ],
)
def test_parameters_that_cannot_be_used_are_named(params: dict[str, object], said: str) -> None:
    with pytest.raises(ConfigError, match=said):
        resolve("manual", None, None, params)


def test_moment_without_an_offset_is_utc() -> None:
    assert moment("2026-11-30T02:00", name="start") == END
    assert moment(datetime(2026, 11, 30, 2), name="start") == END


def test_moment_keeps_an_offset_that_is_given() -> None:
    assert moment("2026-11-30T04:00:00+02:00", name="start") == END
    assert moment("2026-11-30T02:00:00Z", name="start") == END


@given(
    st.datetimes(timezones=st.sampled_from([UTC, timezone(timedelta(hours=-8))])),
    st.timedeltas(min_value=timedelta(microseconds=1), max_value=timedelta(days=4000)),
)
def test_interval_survives_being_written_as_text(start: datetime, width: timedelta) -> None:
    try:
        end = start + width
    except OverflowError:
        return
    assert interval(start.isoformat(), end.isoformat()) == Scope(start, end)
