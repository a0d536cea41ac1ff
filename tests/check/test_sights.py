import pytest
from hypothesis import given
from hypothesis import strategies as st

from tailgate import ids
from tailgate.survey.sights import is_file_text, line_in, line_of, words_of


@given(
    st.lists(st.text(alphabet="ab ü", max_size=8), min_size=1, max_size=20), st.data(), st.sampled_from(["\n", "\r\n"])
)
def test_a_line_is_the_one_that_an_editor_shows(lines: list[str], data: st.DataObject, end: str) -> None:
    number = data.draw(st.integers(0, len(lines) - 1))
    start = len(end.join([*lines[:number], ""])) if number else 0
    assert line_of(end.join(lines), start) == number + 1


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
def test_a_text_that_was_only_decoded_is_the_files(encoding: str) -> None:
    text = "Wo ist der Schlüssel?\r\nAn der Tür.\n"
    assert is_file_text(text, ids.content_hash(text.encode(encoding)))
    assert not is_file_text(text.replace("\r", ""), ids.content_hash(text.encode(encoding)))


@pytest.mark.parametrize(
    ("opening", "line"),
    [
        ("Spare keys", 3),
        ("Ask the porter for one.", 5),
        ("Keys hang here", 7),
        ("key", None),
        ("nowhere", None),
        ("", None),
    ],
)
def test_a_unit_is_found_in_marked_up_text_only_where_one_line_fits(opening: str, line: int | None) -> None:
    text = "# Keys and a key\n\n## Spare keys ##\n\nAsk the porter for one. He has a key.\n\n- **Keys hang here**\n"
    assert line_in(text, opening) == line


@given(st.text())
def test_first_words_fit_on_one_line(text: str) -> None:
    words = words_of(text)
    assert len(words) <= 72
    assert len(words.splitlines()) <= 1
