"""Whatever the bytes are, a parser gives a document that is covered by its elements, or a DocumentError."""

import string
import unicodedata
from io import BytesIO

import docx
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from tailgate.errors import DocumentError
from tailgate.parse.registry import PARSERS

SUFFIXES = sorted(PARSERS)
quick = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
signs = st.sampled_from([
    *("# ", "## ", "\n", "\n\n", "\r\n", "\r", "\t", "    ", "- ", "* ", "1. ", "> ", "```\n", "~~~", "---\n", "+++\n"),
    *("| a | b |\n", "|---|---|\n", "<p>", "</p>", "<td>", "<table>", "<tr>", "<pre>", "<li>", "<ol>", "<h2>", "</h2>"),
    *("<br>", "<!--", "-->", "<x-y>", "<select>", "&amp;", '{"a": ', "}", "[", '"', ",", ";", "|", "\u2028", "\x0c"),
    *("Ann: ", "Bob: ", "[00:01] ", "2026-01-31 10:00:00 INFO ", "  at a.b(c)\n", "key: "),
])
words = st.text(string.ascii_letters + " .", max_size=8) | st.text(max_size=4)
markup = st.lists(signs | words, max_size=40).map("".join)


def controls(text: str) -> bool:
    return any(sign == "\ufffd" or (unicodedata.category(sign) == "Cc" and sign not in "\t\n\r\f\x0b") for sign in text)


def outcome(parsed, name: str, content: bytes | str) -> str:
    """Nothing for a document (whose coverage `parsed` has looked at), else what the DocumentError says."""
    try:
        parsed(name, content)
    except DocumentError as error:
        return str(error)
    return ""


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_random_bytes_end_in_a_document_or_a_document_error(parsed, suffix):
    @quick
    @given(st.binary(max_size=300))
    def check(data):
        said = outcome(parsed, f"a{suffix}", data)
        assert not said or said.startswith(f"/data/a{suffix}: ")

    check()


@pytest.mark.parametrize("suffix", [".txt", ".md", ".html", ".csv", ".tsv", ".json", ".jsonl", ".log"])
def test_random_text_is_covered_by_elements(parsed, suffix):
    @quick
    @given(markup)
    def check(text):
        outcome(parsed, f"a{suffix}", text)

    check()


@given(st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1) | markup)
@quick
def test_plain_text_is_kept_to_the_character(parsed, text):
    assume(text.strip() and text[0] != "\ufeff" and not controls(text))
    assert parsed("a.txt", text).text == text


@given(st.data())
@settings(max_examples=25, deadline=None)
def test_a_damaged_docx_ends_in_a_document_or_a_document_error(parsed, data):
    document = docx.Document()
    document.add_heading("Title", 1)
    document.add_paragraph("Some text.")
    file = BytesIO()
    document.save(file)
    content = bytearray(file.getvalue())
    for _ in range(data.draw(st.integers(1, 20))):
        content[data.draw(st.integers(0, len(content) - 1))] = data.draw(st.integers(0, 255))
    outcome(parsed, "a.docx", bytes(content))
