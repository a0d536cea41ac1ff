import zipfile
from datetime import date, datetime
from io import BytesIO

import openpyxl
import pytest

from tailgate.errors import EmptyDocument, EncryptedDocument, UnreadableDocument
from tailgate.models import Kind, Origin


def zipped(members: dict[str, str]) -> bytes:
    file = BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return file.getvalue()


def workbook(sheets: dict[str, list[list[object]]]) -> bytes:
    book = openpyxl.Workbook()
    book.remove(book.active)
    for name, rows in sheets.items():
        sheet = book.create_sheet(name)
        for row in rows:
            sheet.append(row)
    file = BytesIO()
    book.save(file)
    return file.getvalue()


def test_each_sheet_is_a_page_with_its_name_and_tables(parsed, outline):
    prices = [
        ["Prices of 2026"],
        [],
        ["Model", None, "Price"],
        ["K1", None, 5.0],
        ["K2\nold", None, 0.1],
        [],
        ["K3", None, 7],
    ]
    days = [[None, "Day", "Open"], [None, date(2026, 5, 1), True], [None, datetime(2026, 5, 2, 9, 30), False]]
    document = parsed("a.xlsx", workbook({"Prices": prices, "Empty": [], "Days": days}))
    assert outline(document) == [
        (Kind.HEADING, "Prices"),
        (Kind.PROSE, "Prices of 2026"),
        (Kind.TABLE, "Model |  | Price\nK1 |  | 5\nK2 old |  | 0.1\nK3 |  | 7"),
        (Kind.HEADING, "Days"),
        (Kind.TABLE, "Day | Open\n2026-05-01 | TRUE\n2026-05-02 09:30:00 | FALSE"),
    ]
    assert document.pages == "sheet"
    assert [element.page for element in document.elements] == [1, 1, 1, 3, 3]
    assert [element.header_rows for element in document.elements if element.kind is Kind.TABLE] == [1, 1]


def test_tables_on_one_sheet_keep_their_own_headers(parsed, outline):
    rows = [["a", "b"], [1, 2], [], ["Sums", "of what"], ["in", "out"], [], [3, 4]]
    document = parsed("a.xlsx", workbook({"S": rows}))
    assert outline(document)[1:] == [(Kind.TABLE, "a | b\n1 | 2"), (Kind.TABLE, "Sums | of what\nin | out\n3 | 4")]
    assert [element.header_rows for element in document.elements if element.kind is Kind.TABLE] == [1, 2]


def test_hidden_sheets_notes_and_formulas_without_a_value_are_counted(parsed):
    book = openpyxl.Workbook()
    book.active.append(["Sum", "=1+1"])
    book.active["A1"].comment = openpyxl.comments.Comment("why", "Ann")
    book.create_sheet("Secret").sheet_state = "hidden"
    file = BytesIO()
    book.save(file)
    assert parsed("a.xlsx", file.getvalue()).warnings == (
        "left out: hidden sheets (1)",
        "left out: formulas whose value the file does not hold (1)",
        "left out: notes on cells (1)",
    )


def test_a_share_is_shown_in_per_cent(parsed):
    book = openpyxl.Workbook()
    book.active.append(["Share"])
    book.active.append(["x", 0.255])
    book.active["B2"].number_format = "0.0%"
    file = BytesIO()
    book.save(file)
    assert "x | 25.5%" in parsed("a.xlsx", file.getvalue()).text


def test_a_very_wide_row_is_one_line(parsed):
    document = parsed("a.xlsx", workbook({"S": [[f"c{i}" for i in range(3_000)], list(range(3_000))]}))
    assert document.text.count("\n") == 3
    assert document.elements[1].header_rows == 1


def test_a_workbook_without_values_is_empty(parsed):
    with pytest.raises(EmptyDocument):
        parsed("a.xlsx", workbook({"S": []}))


ODF = "urn:oasis:names:tc:opendocument:xmlns"
NAMES = " ".join(
    f'xmlns:{prefix}="{ODF}:{name}:1.0"'
    for prefix, name in {
        "office": "office", "text": "text", "table": "table", "style": "style", "draw": "drawing",
    }.items()
)  # fmt: skip


def opendocument(body: str, styles: str = "") -> bytes:
    content = (
        f"<office:document-content {NAMES}><office:automatic-styles>{styles}</office:automatic-styles>"
        f"<office:body>{body}</office:body></office:document-content>"
    )
    return zipped({"mimetype": "application/vnd.oasis.opendocument.text", "content.xml": content})


ODT_STYLES = (
    '<style:style style:name="P1" style:parent-style-name="Title"/>'
    '<text:list-style style:name="L1"><text:list-level-style-number style:num-format="1"/></text:list-style>'
)
ODT = """<office:text>
<text:tracked-changes><text:p>deleted</text:p></text:tracked-changes>
<text:p text:style-name="P1">Handbook</text:p>
<text:p>Two<text:s text:c="2"/>blanks<text:note><text:note-citation>1</text:note-citation>
<text:note-body><text:p>A note.</text:p></text:note-body></text:note>, and
<office:annotation><text:p>check!</text:p></office:annotation>a box<draw:frame><draw:text-box><text:p>In it.</text:p>
</draw:text-box></draw:frame>.</text:p>
<text:h text:outline-level="2">Leave</text:h>
<text:list text:style-name="L1"><text:list-item><text:p>Ask.</text:p><text:list><text:list-item><text:p>Early.</text:p>
</text:list-item></text:list></text:list-item><text:list-item><text:p>Go.</text:p></text:list-item></text:list>
<table:table><table:table-header-rows><table:table-row><table:table-cell><text:p>Role</text:p></table:table-cell>
<table:table-cell><text:p>Days</text:p></table:table-cell></table:table-row></table:table-header-rows>
<table:table-row><table:table-cell table:number-columns-repeated="2"><text:p>x</text:p><text:p>y</text:p>
</table:table-cell></table:table-row></table:table></office:text>"""


def test_odt_gives_headings_lists_notes_boxes_and_tables(parsed, outline):
    document = parsed("a.odt", opendocument(ODT, ODT_STYLES))
    assert outline(document) == [
        (Kind.HEADING, "Handbook"),
        (Kind.PROSE, "Two  blanks1, and a box."),
        (Kind.PROSE, "A note."),
        (Kind.PROSE, "In it."),
        (Kind.HEADING, "Leave"),
        (Kind.LIST_ITEM, "1. Ask."),
        (Kind.LIST_ITEM, "1. Early."),
        (Kind.LIST_ITEM, "2. Go."),
        (Kind.TABLE, "Role | Days\nx y | x y"),
    ]
    assert [element.level for element in document.elements if element.level] == [1, 3]
    assert document.elements[-1].header_rows == 1
    assert document.warnings == ("left out: comments (1)",)


def test_ods_gives_a_page_a_sheet(parsed, outline):
    cell = "<table:table-cell><text:p>{}</text:p></table:table-cell>"
    row = "<table:table-row>{}</table:table-row>"
    rows = row.format(cell.format("Year") + cell.format("Sum")) + row.format(cell.format("2026") + cell.format("7"))
    blank = '<table:table-cell table:number-columns-repeated="16384"/>'
    empty = f'<table:table-row table:number-rows-repeated="1048574">{blank}</table:table-row>'
    body = f'<office:spreadsheet><table:table table:name="Sums">{rows}{empty}</table:table></office:spreadsheet>'
    document = parsed("a.ods", opendocument(body))
    assert outline(document) == [(Kind.HEADING, "Sums"), (Kind.TABLE, "Year | Sum\n2026 | 7")]
    assert document.pages == "sheet"


def test_odt_with_a_password_is_encrypted(parsed):
    data = zipped({"content.xml": "x", "META-INF/manifest.xml": "<m:encryption-data/>"})
    with pytest.raises(EncryptedDocument, match="password"):
        parsed("a.odt", data)


CONTAINER = '<container><rootfiles><rootfile full-path="OPS/book.opf"/></rootfiles></container>'
PACKAGE = """<package xmlns="http://www.idpf.org/2007/opf"><metadata xmlns:dc="http://purl.org/dc/elements/1.1/">
<dc:language>de</dc:language></metadata><manifest>
<item id="n" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/>
<item id="b" href="two%20.xhtml" media-type="application/xhtml+xml"/>
<item id="a" href="one.xhtml" media-type="application/xhtml+xml"/>
<item id="c" href="gone.xhtml" media-type="application/xhtml+xml"/></manifest>
<spine><itemref idref="n"/><itemref idref="a"/><itemref idref="b"/><itemref idref="c"/></spine></package>"""
BOOK = {
    "META-INF/container.xml": CONTAINER,
    "OPS/book.opf": PACKAGE,
    "OPS/nav.xhtml": "<html><body><h1>Contents</h1></body></html>",
    "OPS/two .xhtml": "<html><body><h2>Zwei</h2><p>Ende.</p></body></html>",
    "OPS/one.xhtml": '<?xml version="1.0" encoding="utf-8"?><html><body><h1>Eins</h1><p>Anfang.</p></body></html>',
}


def test_epub_pages_come_in_the_order_of_the_spine(parsed, outline):
    document = parsed("a.epub", zipped(BOOK))
    assert outline(document) == [
        (Kind.HEADING, "Eins"),
        (Kind.PROSE, "Anfang."),
        (Kind.HEADING, "Zwei"),
        (Kind.PROSE, "Ende."),
    ]
    assert document.language == "de"
    assert document.warnings == ("left out: pages that the archive does not hold (1)",)


def test_epub_with_digital_rights_is_encrypted(parsed):
    rights = "<encryption><EncryptionMethod Algorithm='http://www.w3.org/2001/04/xmlenc#aes128-cbc'/></encryption>"
    with pytest.raises(EncryptedDocument, match="rights"):
        parsed("a.epub", zipped({**BOOK, "META-INF/encryption.xml": rights}))


@pytest.mark.parametrize("name", ["a.epub", "a.odt", "a.ods", "a.xlsx"])
def test_archives_of_something_else_are_unreadable(parsed, name):
    with pytest.raises(UnreadableDocument):
        parsed(name, zipped({"a.txt": "text"}))


RST = """\
=======
Kettles
=======

Some :ref:`words <target>` about ``kettles``, see :doc:`/lids`
in two lines.

.. note:: Mind the steam.

.. versionadded:: 2.0
   The lid.

.. toctree::
   :maxdepth: 2

   lids

.. a comment

Limits
======

#. Boil.
#. Pour.

   Slowly.

term
  What it means.

:Author: Ann

.. code-block:: sh

   boil --now

   pour

+-------+--------+
| Model | Litres |
+=======+========+
| K1    | 1.5    |
| old   |        |
+-------+--------+

Deeper
------

Broken *emphasis and an unknown |thing|.

.. include:: /etc/passwd
"""


def test_rst_gives_headings_lists_code_and_tables(parsed, outline):
    document = parsed("a.rst", RST)
    assert outline(document) == [
        (Kind.HEADING, "Kettles"),
        (Kind.PROSE, "Some words about kettles, see /lids in two lines."),
        (Kind.PROSE, "Mind the steam."),
        (Kind.PROSE, "2.0 The lid."),
        (Kind.HEADING, "Limits"),
        (Kind.LIST_ITEM, "1. Boil."),
        (Kind.LIST_ITEM, "2. Pour."),
        (Kind.PROSE, "Slowly."),
        (Kind.PROSE, "term"),
        (Kind.PROSE, "What it means."),
        (Kind.PROSE, "Author: Ann"),
        (Kind.CODE, "boil --now\n\npour"),
        (Kind.TABLE, "Model | Litres\nK1 old | 1.5"),
        (Kind.HEADING, "Deeper"),
        (Kind.PROSE, "Broken *emphasis and an unknown |thing|."),
        (Kind.CODE, ".. include:: /etc/passwd"),
    ]
    assert [element.level for element in document.elements if element.level] == [1, 2, 3]
    assert "left out: comments and directives without text (2)" in document.warnings


def test_rst_reads_the_same_after_any_other_text(parsed):
    first = "Some :x:`words <there>` and `more <too>`.\n"
    alone = parsed("a.rst", first).text
    parsed("b.rst", ".. role:: x\n.. default-role:: x\n\n:x:`a` `b`\n\n.. y::\n\n   c\n")
    assert parsed("a.rst", first).text == alone


def test_rst_with_an_endless_line_is_read_as_text(parsed):
    document = parsed("a.rst", "Title\n=====\n\n" + "word " * 50_000)
    assert len(document.text) > 250_000
    assert "plain text" in document.warnings[-1]


def test_rtf_gives_text_and_tables(parsed, outline):
    content = (
        r"{\rtf1\ansi{\fonttbl\f0 Arial;}\f0 Gr\'fc\'dfe, \u8364?5.\par Next.\par"
        r"\trowd a\cell b\cell\row\trowd 1\cell 2\cell\row}"
    )
    assert outline(parsed("a.rtf", content)) == [
        (Kind.PROSE, "Grüße, €5."),
        (Kind.PROSE, "Next."),
        (Kind.TABLE, "a | b\n1 | 2"),
    ]
    with pytest.raises(UnreadableDocument, match="no RTF"):
        parsed("a.rtf", "text")


def test_xml_gives_its_texts_in_order_with_a_warning(parsed, outline):
    content = (
        '<?xml version="1.0"?><a x="1"><t>Title</t><!-- no --><p>Some <b>bold</b> text.</p><e/><![CDATA[ end ]]></a>'
    )
    document = parsed("a.xml", content.replace("<![CDATA[ end ]]>", "<c><![CDATA[1 < 2]]></c>"))
    assert outline(document) == [(Kind.PROSE, "Title"), (Kind.PROSE, "Some bold text."), (Kind.PROSE, "1 < 2")]
    assert "none of them for a heading" in document.warnings[0]
    assert document.warnings[1] == "left out: values of attributes (1)"


def test_broken_xml_is_read_as_far_as_it_goes_and_counted(parsed):
    document = parsed("a.xml", "<a><p>One.</p></a><a><p>Two.</p></a>")
    assert document.text == "One."
    assert "no well-formed XML" in document.warnings[0]
    assert "left out: letters in broken parts (3)" in document.warnings


def test_xhtml_in_an_xml_file_is_html(parsed):
    assert (
        parsed("a.xml", '<html xmlns="http://www.w3.org/1999/xhtml"><body><h2>T</h2></body></html>').elements[0].level
        == 2
    )


def test_front_matter_is_kept_before_the_first_section(parsed, outline):
    assert outline(parsed("a.md", "---\ntitle: Kettles\n---\n# Boil\n\nNow."))[0] == (Kind.CODE, "title: Kettles")


def test_sheets_and_pages_of_a_book_are_authored_parents(segmented):
    book = segmented("a.xlsx", workbook({"Prices": [["Model", "Price"], ["K1", 2]], "Days": [["a", "b"], ["x", 1]]}))
    assert [(parent.kind, parent.origin, parent.heading_path) for parent in book.parents] == [
        ("sheet", Origin.AUTHORED, ("Prices",)),
        ("sheet", Origin.AUTHORED, ("Days",)),
    ]
    assert [sentence.header for sentence in book.sentences if sentence.kind is Kind.TABLE_ROW] == [1, 4]
    assert [parent.heading_path for parent in segmented("a.epub", zipped(BOOK)).parents] == [
        ("Eins",),
        ("Eins", "Zwei"),
    ]
