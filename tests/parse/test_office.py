from io import BytesIO

import docx
import pptx
import pytest
from docx.oxml import parse_xml
from docx.oxml.ns import nsdecls

from tailgate.errors import EmptyDocument, EncryptedDocument, UnreadableDocument
from tailgate.models import Kind

BOX = """
<w:p {0}><w:r><w:t>Anchor.</w:t></w:r><w:r><w:pict><w:txbxContent>
<w:p><w:r><w:t>In a box.</w:t></w:r></w:p></w:txbxContent></w:pict></w:r></w:p>"""
CONTROL = "<w:sdt {0}><w:sdtPr/><w:sdtContent><w:p><w:r><w:t>In a control.</w:t></w:r></w:p></w:sdtContent></w:sdt>"
REVISED = """
<w:p {0}><w:r><w:t xml:space="preserve">We </w:t></w:r><w:ins><w:r><w:t>added</w:t></w:r></w:ins>
<w:del><w:r><w:delText>removed</w:delText></w:r></w:del><w:r><w:t xml:space="preserve"> this.</w:t></w:r></w:p>"""


def packed(document) -> bytes:
    file = BytesIO()
    document.save(file)
    return file.getvalue()


def word():
    document = docx.Document()
    document.add_heading("Handbook", 0)
    document.add_paragraph("Welcome.")
    document.add_heading("Leave", 1)
    document.add_paragraph("A Short Line Like A Title")
    document.add_paragraph("Ask early.", style="List Bullet")
    document.add_heading("Parents", 2)
    table = document.add_table(rows=2, cols=2)
    for cell, text in zip(
        [*table.rows[0].cells, *table.rows[1].cells], ["Role", "Days", "Both\nof them", "12"], strict=True
    ):
        cell.text = text
    return document


def test_docx_headings_come_from_styles_below_the_title(parsed, outline):
    document = parsed("a.docx", packed(word()))
    assert outline(document) == [
        (Kind.HEADING, "Handbook"),
        (Kind.PROSE, "Welcome."),
        (Kind.HEADING, "Leave"),
        (Kind.PROSE, "A Short Line Like A Title"),
        (Kind.LIST_ITEM, "Ask early."),
        (Kind.HEADING, "Parents"),
        (Kind.TABLE, "Role | Days\nBoth of them | 12"),
    ]
    assert [element.level for element in document.elements if element.level] == [1, 2, 3]
    assert document.elements[-1].header_rows == 1
    assert document.warnings == ()


def test_a_style_based_on_a_heading_is_a_heading(parsed):
    document = docx.Document()
    style = document.styles.add_style("Clause", docx.enum.style.WD_STYLE_TYPE.PARAGRAPH)
    style.base_style = document.styles["Heading 2"]
    document.add_paragraph("Payment", style="Clause")
    assert parsed("a.docx", packed(document)).elements[0].level == 2


def test_docx_boxes_controls_and_insertions_are_kept(parsed, outline):
    document = docx.Document()
    for xml in (BOX, CONTROL, REVISED):
        document.element.body.insert(-1, parse_xml(xml.format(nsdecls("w"))))
    assert outline(parsed("a.docx", packed(document))) == [
        (Kind.PROSE, "Anchor."),
        (Kind.PROSE, "In a box."),
        (Kind.PROSE, "In a control."),
        (Kind.PROSE, "We added this."),
    ]


def test_docx_headers_are_left_out_and_counted(parsed):
    document = word()
    document.sections[0].header.paragraphs[0].text = "Confidential"
    assert parsed("a.docx", packed(document)).warnings == ("left out: page headers and footers (1)",)


def slides():
    deck = pptx.Presentation()
    first = deck.slides.add_slide(deck.slide_layouts[1])
    first.shapes.title.text = "Results"
    first.placeholders[1].text = "Sales Grew Fast"
    first.notes_slide.notes_text_frame.text = "Mention the weather."
    second = deck.slides.add_slide(deck.slide_layouts[5])
    second.shapes.title.text = "Numbers"
    table = second.shapes.add_table(2, 2, 0, 5_000_000, 1000, 1000).table
    for place, text in {(0, 0): "Year", (0, 1): "Sum", (1, 0): "2026", (1, 1): "7"}.items():
        table.cell(*place).text = text
    return deck


def test_pptx_has_a_page_a_slide_and_its_title_as_heading(parsed, outline):
    document = parsed("a.pptx", packed(slides()))
    assert outline(document) == [
        (Kind.HEADING, "Results"),
        (Kind.PROSE, "Sales Grew Fast"),
        (Kind.PROSE, "Mention the weather."),
        (Kind.HEADING, "Numbers"),
        (Kind.TABLE, "Year | Sum\n2026 | 7"),
    ]
    assert document.pages == "slide"
    assert [element.page for element in document.elements] == [1, 1, 1, 2, 2]
    assert [element.level for element in document.elements if element.level] == [1, 1]


@pytest.mark.parametrize("suffix", ["docx", "pptx"])
def test_what_is_no_office_file_is_unreadable(parsed, suffix):
    with pytest.raises(UnreadableDocument, match="not a zip archive"):
        parsed(f"a.{suffix}", b"just text")
    with pytest.raises(UnreadableDocument, match="older Office format"):
        parsed(f"a.{suffix}", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"x" * 600)


def test_an_office_file_with_a_password_is_encrypted(parsed):
    with pytest.raises(EncryptedDocument, match="password"):
        parsed("a.docx", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + "EncryptedPackage".encode("utf-16-le"))


def test_a_truncated_docx_is_unreadable(parsed):
    with pytest.raises(UnreadableDocument):
        parsed("a.docx", packed(word())[:-200])


def test_an_empty_docx_or_pptx_is_empty(parsed):
    with pytest.raises(EmptyDocument):
        parsed("a.docx", packed(docx.Document()))
    with pytest.raises(EmptyDocument):
        parsed("a.pptx", packed(pptx.Presentation()))
