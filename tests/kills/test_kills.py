"""Whatever stops a night, and wherever: readers see one whole release, and the next night ends as if nothing had been.

A sample of the commit points; `benchmarks/kills.py` goes through all of them, and hundreds of random moments.
"""

import random
from collections.abc import Generator

import pytest
from trials import SCENES, NightServer, Scene, scene

SECONDS = 2.0
"""About what a night takes here."""


@pytest.fixture(scope="module")
def server() -> Generator[NightServer]:
    with NightServer() as running:
        yield running


@pytest.fixture(scope="module", params=sorted(SCENES))
def made(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, server: NightServer) -> Scene:
    return scene(request.param, tmp_path_factory.mktemp(request.param), server)


@pytest.mark.parametrize("share", [0.25, 0.5, 0.7, 0.9])
def test_killed_at_a_commit_point(made: Scene, share: float) -> None:
    assert made.trial(at=1 + int(share * made.points)) == -9


@pytest.mark.parametrize("seed", [1, 2])
def test_killed_at_a_random_moment(made: Scene, seed: int) -> None:
    made.trial(after_s=random.Random(seed).uniform(0.2, SECONDS))


@pytest.mark.parametrize("share", [0.45, 0.8])
def test_a_store_that_refuses_a_write_is_reported_as_such(made: Scene, share: float) -> None:
    """Only the moment before a write can be refused: of two neighbouring points, one is."""
    at = 1 + int(share * made.points)
    assert {made.trial(at=at, how="refuse"), made.trial(at=at + 1, how="refuse")} == {0, 3}


def test_a_source_that_disappears_in_the_middle_costs_no_document(made: Scene) -> None:
    made.trial(at=2, how="vanish")
    made.trial(at=made.points // 2, how="vanish")
