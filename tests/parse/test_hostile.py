"""Files that are made to hurt, or that happen to: each ends soon, in a document or in a reason."""

import json
import zipfile
from contextlib import suppress
from io import BytesIO

import docx
import openpyxl
import pytest

from tailgate.errors import DocumentError, UnreadableDocument

ZEROS = b"\0" * (20 << 20)


def bomb(document: bytes = b"") -> bytes:
    """The archive with one more member that unpacks to a thousand times its size."""
    file = BytesIO(document)
    with zipfile.ZipFile(file, "a", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("word/media/bomb.bin", ZEROS)
    return file.getvalue()


def saved(document) -> bytes:
    file = BytesIO()
    document.save(file)
    return file.getvalue()


@pytest.mark.parametrize("suffix", ["docx", "pptx", "xlsx", "odt", "ods", "epub"])
def test_zip_bombs_are_refused_before_they_unpack(parsed, suffix):
    data = bomb(saved(openpyxl.Workbook()) if suffix == "xlsx" else b"")
    with pytest.raises(UnreadableDocument, match="zip bombs"):
        parsed(f"a.{suffix}", data)


def test_a_size_that_is_a_lie_never_unpacks(parsed):
    data = bytearray(bomb(saved(docx.Document())))
    stated = len(ZEROS).to_bytes(4, "little")
    while (place := data.rfind(stated)) >= 0:
        data[place : place + 4] = (1000).to_bytes(4, "little")
    with pytest.raises(DocumentError):
        parsed("a.docx", bytes(data))


LAUGHS = "".join(f'<!ENTITY l{i} "{f"&l{i - 1};" * 10}">' for i in range(1, 12))
ENTITIES = f'<!DOCTYPE a [<!ENTITY l0 "ha">{LAUGHS}<!ENTITY f SYSTEM "file:///etc/passwd">]>'


def test_entities_of_xml_are_never_resolved(parsed):
    document = parsed("a.xml", f"<?xml version='1.0'?>{ENTITIES}<a><b>Before &l0; and &f; after.</b></a>")
    assert document.text == "Before and after."
    assert "left out: entities (13)" in document.warnings
    with pytest.raises(UnreadableDocument, match="entity bombs"):
        parsed("a.xml", f"{ENTITIES}<a>&l11;</a>")


def test_an_office_file_that_declares_entities_is_refused(parsed):
    plain = BytesIO(saved(docx.Document()))
    file = BytesIO()
    with zipfile.ZipFile(plain) as old, zipfile.ZipFile(file, "w") as new:
        for name in old.namelist():
            content = old.read(name)
            is_body = name == "word/document.xml"
            new.writestr(
                name, content.replace(b"<w:document", f"{ENTITIES}<w:document".encode(), 1) if is_body else content
            )
    with pytest.raises(UnreadableDocument, match="entity bombs"):
        parsed("a.docx", file.getvalue())


@pytest.mark.parametrize("name", ["content.xml", "META-INF/container.xml"])
def test_entities_in_other_archives_are_never_resolved(parsed, name):
    file = BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr(name, f"{ENTITIES}<a>&l11;&f;</a>")
    with pytest.raises(UnreadableDocument):
        parsed("a.odt" if name == "content.xml" else "a.epub", file.getvalue())


LINE = "lorem ipsum dolor sit amet " * 40_000
BLOB = "iVBORw0KGgoAAAANSUhEUg+/" * 45_000
MINIFIED = json.dumps([{"id": i, "name": f"n{i}", "of": [1, 2]} for i in range(25_000)], separators=(",", ":"))


@pytest.mark.timeout(30)
@pytest.mark.parametrize("content", [LINE, BLOB, MINIFIED], ids=["line", "base64", "minified"])
@pytest.mark.parametrize(
    ("name", "before", "after"),
    [
        *((f"a.{suffix}", "", "") for suffix in ("txt", "md", "html", "csv", "tsv", "json", "jsonl", "log", "rst")),
        ("a.vtt", "WEBVTT\n\n00:01.000 --> 00:02.000\n", ""),
        ("a.eml", "Subject: x\n\n", ""),
        ("a.xml", "<a>", "</a>"),
        ("a.rtf", "{\\rtf1 ", "}"),
    ],
)
def test_a_line_of_a_million_characters_is_read_whole(parsed, name, before, after, content):
    if name == "a.rtf":
        content = content.replace("{", "(").replace("}", ")")
    document = parsed(name, f"{before}{content}{after}")
    assert sum(map(str.isalnum, document.text)) >= sum(map(str.isalnum, content))


@pytest.mark.timeout(30)
@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.html", "<div>" * 20_000 + "deep"),
        ("a.html", "<table><tr><td>" * 600 + "deep"),
        ("a.md", ">" * 30_000 + " deep"),
        ("a.md", "\n".join(f"{' ' * 2 * i}- deep" for i in range(1_000))),
        ("a.rst", "\n\n".join(f"{' ' * 2 * i}- deep" for i in range(600))),
        ("a.xml", "<a>" * 50_000 + "deep"),
        ("a.eml", "Subject: x\n" + "Content-Type: message/rfc822\n\nSubject: y\n" * 1_000 + "\ndeep"),
    ],
)
def test_what_is_nested_too_deeply_says_so(parsed, name, content):
    with pytest.raises(UnreadableDocument, match="nested too deeply"):
        parsed(name, content)


def test_lists_nested_deeper_than_people_do_are_read_whole(parsed):
    content = "\n".join(f"{'  ' * i}- item {i}" for i in range(40))
    assert "item 39" in parsed("a.md", content).text


@pytest.mark.parametrize("content", ["[" * 100_000, '{"a":' * 50_000, "[" * 50_000 + "]" * 50_000])
def test_json_nested_deeply_is_kept_as_it_is(parsed, content):
    assert parsed("a.json", content).text == content


@pytest.mark.timeout(30)
@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.txt", "a." * 300_000),
        ("a.txt", "a()" * 200_000),
        ("a.txt", "a" + " " * 400_000 + "b."),
        ("a.txt", ("a" + " " * 1_000 + "b\n") * 500),
        ("a.txt", "a_" * 150 + "\n"),
        ("a.txt", ("x = f(1)\n" + "    word word,\n" * 3) * 10_000),
        ("a.md", "# a\n" * 20_000),
        ("a.md", "<!--\n" * 100_000),
        ("a.html", "<!--" * 200_000),
        ("a.xml", "<!--" * 200_000),
        ("a.vtt", "WEBVTT\n\n00:01.000 --> 00:02.000\n" + "<v " * 150_000),
        ("a.srt", "00:00:01,000 --> 00:00:02,000\n" * 40_000),
        ("a.eml", "Subject: x\n\n" + "On Monday wrote:\n" * 30_000),
        ("a.eml", "Subject: x\n\n" + "On Monday, Ann wrote:\n> a\n" * 10_000),
        ("a.mbox", "From \n" * 20_000),
        ("a.rst", ".. a::\n" * 5_000),
        ("a.rtf", "{\\rtf1 " + "{" * 50_000),
        ("a.csv", '"' * 300_000),
    ],
)
def test_patterns_that_make_readers_slow_end_soon(parsed, name, content):
    with suppress(DocumentError):
        parsed(name, content)


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.md", "Before.\n\n```\na{0}b\n```\n\nAfter."),
        ("a.md", "Before.\n\n    a{0}b\n\nAfter."),
        ("a.html", "<p>Before.</p><pre>a{0}b</pre><p>After.</p>"),
        ("a.html", "<p>Before.</p><table><tr><th>h</th></tr><tr><td>a{0}b</td></tr></table><p>After.</p>"),
    ],
)
@pytest.mark.parametrize("character", ["\x1b", "\x0b", "\ufffe"])
def test_a_character_that_xml_cannot_hold_is_replaced_and_costs_no_document(parsed, name, content, character):
    text = parsed(name, content.format(character)).text
    assert "a\ufffdb" in text
    assert text.startswith("Before.")
    assert text.endswith("After.")
