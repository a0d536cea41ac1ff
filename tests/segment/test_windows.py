import pytest
from segment_samples import heading, numbered, parsed, prose, segment

from tailgate.models import Kind
from tailgate.segment.windows import join_ranges, ranges_of, window_range

TABLE = (Kind.TABLE, "id | name\n" + "\n".join(f"{i} | row {i}" for i in range(8)), {"header_rows": 1})


@pytest.mark.parametrize("radius", [0, 1, 2, 4])
def test_windows_are_clamped_where_the_document_ends(radius: int):
    for count in (1, 2, max(1, radius), radius + 1, 3 * radius + 1):
        document = segment(numbered(count), {"before": radius, "after": radius})
        for i, window in enumerate(document.windows):
            assert (window.first, window.last) == (max(0, i - radius), min(count - 1, i + radius))


def test_three_before_and_one_after_is_five_sentences():
    document = segment(numbered(20), {"before": 3, "after": 1})
    assert (document.windows[10].first, document.windows[10].last) == (7, 11)
    assert document.windows[10].text.startswith("Sentence number 7 is here. Sentence number 8")


def test_a_window_may_be_kept_inside_its_section():
    blocks = [heading("One", 1), prose("A is. B is. C is."), heading("Two", 1), prose("D is. E is.")]
    inside = segment(parsed(*blocks), {"before": 2, "after": 2, "within": "section"})
    assert [window.last for window in inside.windows[:4]] == [2, 3, 3, 3]
    assert [window.first for window in inside.windows[4:]] == [4, 4, 4]
    across = segment(parsed(*blocks), {"before": 2, "after": 2})
    assert across.windows[3].text == "A is. B is. C is.\n\nTwo\n\nD is."


def test_a_window_of_rows_carries_the_header():
    document = segment(parsed(prose("See below."), TABLE, prose("See above.")), {"before": 1, "after": 1})
    by_text = {s.text: w.text for s, w in zip(document.sentences, document.windows, strict=True)}
    assert by_text["5 | row 5"] == "id | name\n4 | row 4\n5 | row 5\n6 | row 6"
    assert by_text["0 | row 0"] == "id | name\n0 | row 0\n1 | row 1"
    assert by_text["id | name"] == "See below.\n\nid | name\n0 | row 0"
    assert by_text["See above."] == "id | name\n7 | row 7\n\nSee above."


def test_a_long_header_travels_whole():
    table = (Kind.TABLE, "id | " + "name of the thing " * 8 + "\nunit | m\n1 | a\n2 | b\n3 | c", {"header_rows": 2})
    document = segment(parsed(table), {"before": 0, "after": 0}, sentence_max_tokens=12)
    assert document.sentences[-1].header == 0
    assert document.sentences[-1].header_end == len(document.sentences) - 4
    assert document.windows[-1].text.startswith("id | name of the thing")
    assert document.windows[-1].text.endswith("unit | m\n3 | c")


def test_ranges_are_clamped_and_joined():
    assert window_range(5, 2, 3, 0, 6) == (3, 6)
    assert window_range(0, 9, 9, 0, 0) == (0, 0)
    assert join_ranges("abcdef", [(0, 2), (4, 6)]) == "ab\nef"
    sentences = segment(parsed(TABLE)).sentences
    assert ranges_of(sentences, 3, 4) == ((0, 9), (sentences[3].char_start, sentences[4].char_end))
    assert ranges_of(sentences, 0, 4) == ((0, sentences[4].char_end),)
