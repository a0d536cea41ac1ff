"""Whatever the bytes are, a parser gives a document that is covered by its elements, or a DocumentError."""

import string
import unicodedata
import zipfile
from io import BytesIO

import docx
import openpyxl
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
    *(
        "00:00:01,000 --> 00:00:02,500\n",
        "WEBVTT\n\n",
        "<v Ann>",
        "</v>",
        ">> ",
        "- ",
        "NOTE ",
        "1\n",
        "...",
        "</a>",
        "<a>",
    ),
    *(
        "====\n",
        "----\n",
        ".. note:: ",
        ".. x::\n\n   ",
        ":a:`b <c>`",
        "* ",
        "#. ",
        "+---+---+\n",
        "::\n\n   ",
        "`a`_",
        "|b|",
    ),
    *(
        "Subject: a\n",
        "From: b\n",
        "On Monday, Ann wrote:\n",
        "> ",
        "-----Original Message-----\n",
        "&e;",
        "<!DOCTYPE a [",
    ),
    *(
        "x = f(1)\n",
        "import a\n",
        "# b\n",
        "}\n",
        '"""',
        "    return x\n",
        ";\n",
        '[{"speaker": "a", "text": "b"}]',
        '"start": 1',
    ),
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


TEXTUAL = (".txt", ".md", ".html", ".csv", ".tsv", ".json", ".jsonl", ".log", ".rst", ".vtt", ".srt", ".xml", ".eml")


@pytest.mark.parametrize("suffix", TEXTUAL)
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


def word() -> bytes:
    document = docx.Document()
    document.add_heading("Title", 1)
    document.add_paragraph("Some text.")
    return saved(document)


def sheet() -> bytes:
    book = openpyxl.Workbook()
    book.active.append(["Model", "Price"])
    book.active.append(["K1", 2.5])
    return saved(book)


def saved(document) -> bytes:
    file = BytesIO()
    document.save(file)
    return file.getvalue()


def archive(members: dict[str, str]) -> bytes:
    file = BytesIO()
    with zipfile.ZipFile(file, "w") as packed:
        for name, content in members.items():
            packed.writestr(name, content)
    return file.getvalue()


URN = "urn:oasis:names:tc:opendocument:xmlns"
ODT = archive({
    "content.xml": f'<o:d xmlns:o="{URN}:office:1.0" xmlns:t="{URN}:text:1.0" xmlns:b="{URN}:table:1.0"><o:body>'
    "<o:text>"
    '<t:h t:outline-level="1">Title</t:h><t:list><t:list-item><t:p>a<t:s t:c="3"/></t:p></t:list-item></t:list>'
    '<b:table><b:table-row><b:table-cell b:number-columns-repeated="2"><t:p>x</t:p></b:table-cell></b:table-row>'
    "</b:table></o:text></o:body></o:d>"
})
EPUB = archive({
    "a.opf": '<package xmlns="http://www.idpf.org/2007/opf"><manifest>'
    '<item id="a" href="a.html" media-type="text/html"/></manifest><spine><itemref idref="a"/></spine></package>',
    "a.html": "<html><body><h1>Title</h1><p>Text.</p></body></html>",
})
RTF = rb"{\rtf1\ansi{\fonttbl\f0 Arial;}\f0 Gr\'fc\'dfe, \u8364?5.\par\trowd a\cell b\cell\row}"


@pytest.mark.parametrize(
    ("suffix", "content"),
    [(".docx", word()), (".xlsx", sheet()), (".odt", ODT), (".ods", ODT), (".epub", EPUB), (".rtf", RTF)],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_damaged_file_ends_in_a_document_or_a_document_error(parsed, suffix, content):
    @settings(max_examples=40, deadline=None)
    @given(st.lists(st.tuples(st.integers(0, len(content) - 1), st.integers(0, 255)), min_size=1, max_size=20))
    def check(changes):
        damaged = bytearray(content)
        for place, value in changes:
            damaged[place] = value
        outcome(parsed, f"a{suffix}", bytes(damaged))

    check()


@given(
    st.lists(
        st.tuples(
            st.sampled_from(["Ann", "Bob", None]),
            st.text(string.ascii_letters + " .,?!…-", min_size=1, max_size=40).filter(str.strip),
        ),
        min_size=1,
        max_size=20,
    )
)
@quick
def test_cues_keep_every_word_its_speaker_and_their_order(parsed, said):
    lines = [
        f"00:{i:02}:00.000 --> 00:{i:02}:30.000\n<v {speaker}>{text}"
        if speaker
        else f"00:{i:02}:00.000 --> 01:00:00.000\n{text}"
        for i, (speaker, text) in enumerate(said)
    ]
    document = parsed("a.vtt", "WEBVTT\n\n" + "\n\n".join(lines))
    words = [word for element in document.elements for word in spoken(document, element)]
    assert words == [word for _, text in said for word in text.split()]
    times = [element.start_s for element in document.elements]
    assert times == sorted(times)
    assert all(element.end_s >= element.start_s for element in document.elements)


def spoken(document, element) -> list[str]:
    text = document.text[element.char_start : element.char_end]
    return (text.removeprefix(f"{element.speaker}:") if element.speaker else text).split()
