import pytest

from tailgate.errors import UnreadableDocument, UnsupportedDocument
from tailgate.models import Kind


@pytest.mark.parametrize(
    ("name", "remedy"),
    [
        ("a.doc", "files ending in .doc are not taken; save it as .docx"),
        ("a.ppt", "save it as .pptx"),
        ("a.xls", "save it as .xlsx"),
        ("a.odp", "save it as .pptx"),
        ("a.adoc", "convert it to .html or .md"),
        ("a.zip", "unpack it"),
        ("photo.JPG", "files ending in .jpg are not taken (taken are .txt"),
        ("folder.d/README", "files without a suffix are not taken (taken are .txt"),
    ],
)
def test_other_types_are_unsupported_and_say_what_to_do(parsed, name, remedy):
    with pytest.raises(UnsupportedDocument) as caught:
        parsed(name, "text")
    assert remedy in str(caught.value)


def test_suffixes_count_in_any_case(parsed):
    assert parsed("a.MD", "# Title").elements[0].level == 1


def test_a_csv_is_a_table_with_a_header(parsed, outline):
    document = parsed("a.csv", 'name,note\nAnn,"two\nlines, and a comma"\n,\nBob,\n')
    assert outline(document) == [(Kind.TABLE, "name | note\nAnn | two lines, and a comma\nBob |")]
    assert document.elements[0].header_rows == 1


@pytest.mark.parametrize(("name", "sign"), [("a.csv", ";"), ("a.csv", "|"), ("a.csv", "\t"), ("a.tsv", "\t")])
def test_other_delimiters_are_recognised(parsed, name, sign):
    content = "\n".join(sign.join(row) for row in (["name", "sum"], ["Ann, Bern", "1,5"], ["Bob", "2"]))
    assert parsed(name, content).text == "name | sum\nAnn, Bern | 1,5\nBob | 2"


def test_json_is_one_element_and_its_own_text(parsed, outline):
    content = '\n{\n  "a": "ü"\n}\n'
    document = parsed("a.json", content)
    assert document.text == content
    assert outline(document) == [(Kind.JSON, content.strip())]
    assert document.warnings == ()


def test_broken_json_is_taken_with_a_warning(parsed):
    assert parsed("a.json", '{"a": ').warnings == ("it is no valid JSON",)
    assert parsed("a.jsonl", '{"a": 1}\n{"b"\n').warnings == ("1 of 2 lines are no valid JSON",)


MAIL = """\
From: Ann <ann@example.com>
To: bob@example.com
Subject: =?utf-8?q?Gr=C3=B6=C3=9Fe?=
MIME-Version: 1.0
Content-Type: multipart/mixed; boundary=x

--x
Content-Type: {}; charset=iso-8859-1
Content-Transfer-Encoding: 8bit

{}
--x
Content-Type: text/plain
Content-Disposition: attachment; filename=a.txt

attached
--x--
"""


@pytest.mark.parametrize(
    ("subtype", "body"),
    [("text/plain", "Sch\xf6n.\n\nBis bald."), ("text/html", "<p>Sch\xf6n.</p><p>Bis bald.</p>")],
)
def test_an_email_gives_headers_and_text(parsed, outline, subtype, body):
    document = parsed("a.eml", MAIL.format(subtype, body).encode("latin-1"))
    assert outline(document) == [
        (Kind.HEADING, "Größe"),
        (Kind.HEADING, "From: Ann <ann@example.com>"),
        (Kind.PROSE, "To: bob@example.com"),
        (Kind.PROSE, "Schön."),
        (Kind.PROSE, "Bis bald."),
    ]
    assert [element.level for element in document.elements if element.level] == [1, 2]
    assert document.warnings == ("left out: attachments (1)",)


def test_what_is_no_email_is_unreadable(parsed):
    with pytest.raises(UnreadableDocument, match="no e-mail"):
        parsed("a.eml", "Just text.")


@pytest.mark.parametrize("name", ["a.html", "a.md"])
def test_a_page_nested_too_deeply_is_unreadable(parsed, name):
    with pytest.raises(UnreadableDocument, match="nested too deeply"):
        parsed(name, "<div>" * 5_000 + "deep")
