import pytest
from segment_samples import Block, heading, parsed, prose, segment

from tailgate.models import Kind, Shape

PROSE = [prose("The harbour was closed. Nobody knew why. It rained.")] * 3
TURNS = [(Kind.TURN, "Ana: The harbour is closed.", {"speaker": "Ana"})] * 6
SMALL = [block for i in range(4) for block in (heading(f"Field {i}", 2), prose("What it does."), (Kind.CODE, "x = 1"))]
HUGE = [heading("Notes", 1), prose("It is long and goes on. " * 400), *SMALL]


@pytest.mark.parametrize(
    ("blocks", "shape"),
    [
        ([], Shape.PROSE),
        (PROSE, Shape.PROSE),
        ([*TURNS, prose("End.")], Shape.TRANSCRIPT),
        (SMALL, Shape.REFERENCE),
        (HUGE, Shape.WIKI),
        ([(Kind.LOG, "2026-01-01 12:00:00 INFO started\n" * 5), prose("Why?")], Shape.DUMP),
        ([(Kind.JSON, '{"a": 1}')], Shape.DUMP),
        ([prose("so um we were going to the harbour and then " * 200)], Shape.DUMP),
        ([(Kind.TABLE, "id | name\n1 | a\n2 | b", {"header_rows": 1}), prose("So.")], Shape.TABLE),
    ],
)
def test_the_shape_is_what_most_of_the_document_is(blocks: list[Block], shape: Shape):
    assert segment(parsed(*blocks)).shape is shape


def test_pages_without_an_outline_are_prose():
    paged = [(Kind.PROSE, "The harbour was closed.", {"page": page}) for page in (1, 2)]
    assert segment(parsed(*paged, pages="page")).shape is Shape.PROSE
    assert segment(parsed(*paged, pages="slide")).shape is Shape.REFERENCE
