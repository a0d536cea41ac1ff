"""What a run takes, by its type, its interval and its parameters."""

from datetime import UTC, date, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tailgate.config import Dated
from tailgate.errors import ConfigError
from tailgate.scope import Scope, interval, moment, resolve

START = datetime(2026, 11, 29, 2, tzinfo=UTC)
END = datetime(2026, 11, 30, 2, tzinfo=UTC)
NOTHING: dict[str, object] = {"start": None, "end": None, "full": False}


def test_scheduled_run_of_an_undated_source_takes_everything() -> None:
    assert resolve("scheduled", START, END, NOTHING) == Scope(full=True)


@pytest.mark.parametrize("dated", ["modified", "path"])
@pytest.mark.parametrize("run_type", ["scheduled", "manual"])
def test_run_of_a_dated_source_takes_the_interval_of_its_date(run_type: str, dated: Dated) -> None:
    assert resolve(run_type, START, END, NOTHING, dated=dated) == Scope(START, END)


@pytest.mark.parametrize("dated", ["none", "modified", "path"])
def test_backfill_takes_its_interval_and_never_deletes(dated: Dated) -> None:
    assert resolve("backfill", START, END, NOTHING, dated=dated) == Scope(START, END, full=False)


@pytest.mark.parametrize("run_type", ["manual", "scheduled", "backfill", "asset_triggered"])
def test_parameters_win_over_the_interval(run_type: str) -> None:
    params = {"start": "2026-01-01", "end": "2026-02-01T00:00:00+00:00"}
    assert resolve(run_type, START, END, params, dated="modified") == Scope(
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


@pytest.mark.parametrize("dated", ["modified", "path"])
@pytest.mark.parametrize("run_type", ["manual", "asset_triggered"])
def test_run_without_a_date_of_a_dated_source_must_say_what_to_take(run_type: str, dated: Dated) -> None:
    with pytest.raises(ConfigError, match=rf"source\.dated: {dated}.*`start` and `end`.*`documents`.*`full: true`"):
        resolve(run_type, None, None, NOTHING, dated=dated)


@pytest.mark.parametrize("dated", ["none", "modified", "path"])
@pytest.mark.parametrize("interval_of_run", [(None, None), (START, END)])
def test_named_documents_are_taken_whatever_their_date_and_nothing_is_deleted(
    dated: Dated, interval_of_run: tuple[datetime | None, datetime | None]
) -> None:
    params = {"documents": ["calls/*.txt", "guide.md"], "full": False}
    found = resolve("manual", *interval_of_run, params, dated=dated)
    assert found == Scope(documents=("calls/*.txt", "guide.md"))
    assert not found.full


def test_named_documents_and_an_interval_both_hold() -> None:
    params = {"documents": ["a.txt"], "start": START.isoformat(), "end": END.isoformat()}
    assert resolve("manual", None, None, params, dated="path") == Scope(START, END, documents=("a.txt",))


@pytest.mark.parametrize(
    ("written", "read"),
    [
        (None, Scope(full=True)),
        ("", Scope(full=True)),
        ([], Scope(full=True)),
        ([" ", "a.txt", "a.txt "], Scope(documents=("a.txt",))),
        ("a.txt\n\nb c.txt\n", Scope(documents=("a.txt", "b c.txt"))),
    ],
)
def test_documents_are_read_as_a_list_or_one_to_a_line(written: object, read: Scope) -> None:
    assert resolve("manual", None, None, {"documents": written}) == read


def test_a_day_is_covered_when_the_interval_holds_a_moment_of_it() -> None:
    nightly = Scope(START, END)
    assert [day for day in range(27, 31) if nightly.covers_day(date(2026, 11, day))] == [29, 30]
    whole = Scope(datetime(2026, 11, 29, tzinfo=UTC), datetime(2026, 11, 30, tzinfo=UTC))
    assert [day for day in range(27, 31) if whole.covers_day(date(2026, 11, day))] == [29]
    west = timezone(timedelta(hours=-8))  # its evening is the next day in UTC
    evening = Scope(datetime(2026, 11, 28, 18, tzinfo=west), datetime(2026, 11, 28, 19, tzinfo=west))
    assert [day for day in range(27, 31) if evening.covers_day(date(2026, 11, day))] == [29]
    assert Scope(start=START).covers_day(date(9999, 12, 31))
    assert not Scope(start=START).covers_day(date(2026, 11, 28))
    assert Scope(end=END).covers_day(date(1, 1, 1))
    assert Scope(full=True).covers_day(date(1, 1, 1))


@given(
    st.datetimes(min_value=datetime(2000, 1, 1), max_value=datetime(2030, 1, 1), timezones=st.just(UTC)),
    st.timedeltas(min_value=timedelta(microseconds=1), max_value=timedelta(days=9)),
    st.timedeltas(min_value=timedelta(0), max_value=timedelta(days=12)),
)
def test_days_are_those_of_the_moments(start: datetime, width: timedelta, after: timedelta) -> None:
    interval, moment = Scope(start, start + width), start + after
    if interval.covers_moment(moment):
        assert interval.covers_day(moment.date())
    if interval.covers_day(moment.date()):
        midnight = datetime.combine(moment.date(), datetime.min.time(), tzinfo=UTC)
        assert midnight < start + width
        assert start < midnight + timedelta(days=1)


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
        ({"documents": ["a.txt"], "full": True}, "`full` and `documents` are both given"),
        ({"documents": [1]}, "`documents` is no list of texts"),
        ({"documents": {"a.txt": 1}}, "`documents` is no list of texts"),
        ({"documents": True}, "`documents` is no list of texts"),
        ({"ful": True}, "no parameter `ful`. Did you mean `full`"),
        ({"everything": True}, "Known: documents, end, full, start"),
    ],
)
def test_parameters_that_cannot_be_used_are_named(params: dict[str, object], said: str) -> None:
    with pytest.raises(ConfigError, match=said):
        resolve("manual", None, None, params, dated="modified")


def test_interval_of_a_source_that_is_not_dated_is_refused() -> None:
    with pytest.raises(ConfigError, match="the source is not dated"):
        resolve("manual", None, None, {"start": "2026-01-01", "end": "2026-01-02"})


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
