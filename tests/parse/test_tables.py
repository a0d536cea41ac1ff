"""A table carries its header, in every format that has tables."""

from io import BytesIO

import docx
import pytest
from docx.oxml import parse_xml
from docx.oxml.ns import nsdecls

from tailgate.models import Kind


def tables(document):
    return [
        (element.header_rows, document.text[element.char_start : element.char_end])
        for element in document.elements
        if element.kind is Kind.TABLE
    ]


@pytest.mark.parametrize(
    ("rows", "header_rows", "text"),
    [
        ("<tr><td></td><th>a</th><th>b</th></tr><tr><th>x</th><td>1</td><td>2</td></tr>", 1, "| a | b\nx | 1 | 2"),
        ("<tr><th>x</th><td></td></tr><tr><th>y</th><td>1</td></tr>", 0, "x |\ny | 1"),
        ("<thead><tr><td>a</td></tr><tr><td>b</td></tr></thead><tr><td>1</td></tr>", 2, "a\nb\n1"),
        (
            "<tr><th colspan=2>a</th></tr><tr><th>b</th><th>c</th></tr><tr><td>1<br>2</td><td>3</td></tr>",
            2,
            "a |\nb | c\n1 2 | 3",
        ),
        ("<tr><th>a</th></tr><tr><th>b</th></tr>", 1, "a\nb"),
        ("<tr><th>a</th><th></th></tr><tr><td>1</td><td>2</td></tr>", 1, "a |\n1 | 2"),
        ("<tr><th>a</th></tr><tr><td><table><tr><td>1</td><td>2</td></tr></table></td></tr>", 1, "a\n1 2"),
    ],
)
def test_html_states_its_header_rows(parsed, rows, header_rows, text):
    assert tables(parsed("a.html", f"<table>{rows}</table>")) == [(header_rows, text)]


def test_a_table_that_only_places_parts_of_a_page_is_no_table(parsed, outline):
    data = "<table><tr><th>a</th></tr><tr><td>1</td></tr></table>"
    page = f"<table><tr><td>Menu</td><td><h1>Title</h1><p>Text.</p>{data}</td></tr></table>"
    assert outline(parsed("a.html", page)) == [
        (Kind.PROSE, "Menu"),
        (Kind.HEADING, "Title"),
        (Kind.PROSE, "Text."),
        (Kind.TABLE, "a\n1"),
    ]


def test_rows_marked_as_header_in_docx_are_its_header(parsed):
    document = docx.Document()
    for marked in (0, 2):
        table = document.add_table(rows=3, cols=2)
        for number, row in enumerate(table.rows):
            row.cells[0].text, row.cells[1].text = f"a{number}", f"b\n{number}"
            if number < marked:
                row._tr.get_or_add_trPr().append(parse_xml(f"<w:tblHeader {nsdecls('w')}/>"))
    file = BytesIO()
    document.save(file)
    text = "a0 | b 0\na1 | b 1\na2 | b 2"
    assert tables(parsed("a.docx", file.getvalue())) == [(1, text), (2, text)]


def test_a_markdown_table_with_an_empty_header_has_none(parsed):
    assert tables(parsed("a.md", "| | |\n|-|-|\n| 1 | 2 |")) == [(0, "1 | 2")]
    assert tables(parsed("a.md", "| | b |\n|-|-|\n| 1 | 2 |")) == [(1, "| b\n1 | 2")]


def test_cells_of_csv_may_have_lines_and_be_many(parsed):
    wide = ",".join(f"c{i}" for i in range(2_000))
    document = parsed("a.csv", f'{wide}\n"a\nb",2\n')
    ((header_rows, text),) = tables(document)
    assert header_rows == 1
    assert text.split("\n")[1] == "a b | 2"
