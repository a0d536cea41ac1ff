import pandas as pd
from hypothesis import given
from hypothesis import strategies as st

from tailgate.report.histogram import MOST_LINES, coarse
from tailgate.survey import spread

SIZES = st.lists(st.integers(0, 60_000), min_size=1, max_size=200)


@given(SIZES)
def test_bins_count_every_size_once_without_a_gap(sizes: list[int]) -> None:
    seen = spread(pd.Series(sizes))
    for bins in (list(seen.bins), coarse(seen.bins)):
        assert sum(bin.count for bin in bins) == len(sizes)
        assert all(one.high + 1 == two.low for one, two in zip(bins, bins[1:], strict=False))
        assert bins[0].low <= min(sizes)
        assert bins[-1].low <= max(sizes) <= bins[-1].high
    for bin in seen.bins:
        assert bin.count == sum(bin.low <= size <= bin.high for size in sizes)


@given(SIZES)
def test_percentiles_are_sizes_that_are_there_and_the_share_below_them_is_as_said(sizes: list[int]) -> None:
    seen = spread(pd.Series(sizes))
    for value, share in ((seen.median, 0.5), (seen.p95, 0.95), (seen.p99, 0.99), (seen.max, 1)):
        assert value in sizes
        assert sum(size <= value for size in sizes) >= share * len(sizes)
    assert seen.median <= seen.p95 <= seen.p99 <= seen.max


@given(SIZES)
def test_a_histogram_has_few_lines(sizes: list[int]) -> None:
    assert len(coarse(spread(pd.Series(sizes)).bins)) <= MOST_LINES


def test_no_sizes_have_no_bins() -> None:
    assert spread(pd.Series([], dtype=int)).bins == ()
    assert coarse(()) == []
