from io import BytesIO

import pytest
from pypdf import PdfReader, PdfWriter

from tailgate.errors import EmptyDocument, EncryptedDocument, UnreadableDocument
from tailgate.models import Kind, OutlineEntry
from tailgate.parse.flow import flowed


def pdf(*pages: str, outline: tuple[tuple[str, int, bool], ...] = (), password: str = "", owner: str = "") -> bytes:
    """A PDF with one line of Helvetica for each line of each page."""
    objects = ["<< /Type /Catalog /Pages 2 0 R >>", "", "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>"]
    kids = []
    for text in pages:
        shown = " ".join(f"({line}) Tj 0 -20 Td" for line in text.split("\n")) if text else ""
        content = f"BT /F1 12 Tf 50 750 Td {shown} ET"
        kids.append(f"{len(objects) + 1} 0 R")
        objects.append(
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents {len(objects) + 2} 0 R "
            "/Resources << /Font << /F1 3 0 R >> >> >>"
        )
        objects.append(f"<< /Length {len(content)} >>\nstream\n{content}\nendstream")
    objects[1] = f"<< /Type /Pages /Kids [{' '.join(kids)}] /Count {len(kids)} >>"
    body, offsets = "%PDF-1.4\n", []
    for number, content in enumerate(objects, start=1):
        offsets.append(len(body))
        body += f"{number} 0 obj\n{content}\nendobj\n"
    table = "".join(f"{offset:010d} 00000 n \n" for offset in offsets)
    size = len(objects) + 1
    trailer = f"trailer << /Size {size} /Root 1 0 R >>\nstartxref\n{len(body)}\n%%EOF"
    body += f"xref\n0 {size}\n0000000000 65535 f \n{table}{trailer}"
    return _written(body.encode(), outline, password, owner)


def _written(data: bytes, outline, password: str, owner: str) -> bytes:
    if not (outline or password or owner):
        return data
    writer = PdfWriter(clone_from=PdfReader(BytesIO(data)))
    above = None
    for title, page, below in outline:
        entry = writer.add_outline_item(title=title, page_number=page, parent=above if below else None)
        above = above if below else entry
    if password or owner:
        writer.encrypt(password, owner or None, algorithm="AES-256")
    file = BytesIO()
    writer.write(file)
    return file.getvalue()


TWO = (
    "Terms of delivery\nGoods are sent within a week of the\norder. They travel at our risk.",
    "Payment is due in 30 days.",
)


def test_pages_and_paragraphs_are_kept(parsed, outline):
    document = parsed("a.pdf", pdf(*TWO))
    assert outline(document) == [
        (Kind.PROSE, "Terms of delivery"),
        (Kind.PROSE, "Goods are sent within a week of the order. They travel at our risk."),
        (Kind.PROSE, "Payment is due in 30 days."),
    ]
    assert [element.page for element in document.elements] == [1, 1, 2]
    assert (document.pages, document.outline, document.warnings) == ("page", (), ())


def test_the_outline_comes_from_bookmarks(parsed):
    document = parsed("a.pdf", pdf(*TWO, outline=(("Terms", 0, False), ("Payment", 1, True))))
    assert document.outline == (OutlineEntry("Terms", 1, 1), OutlineEntry("Payment", 2, 2))


def test_a_page_without_text_is_counted(parsed):
    document = parsed("a.pdf", pdf("", TWO[1], ""))
    assert document.elements[0].page == 2
    assert document.warnings == ("2 of 3 pages have no text layer (OCR is not done): 1, 3",)


def test_a_scan_is_empty_and_says_why(parsed):
    with pytest.raises(EmptyDocument, match=r"no page has a text layer \(pages: 2\), and OCR is not done"):
        parsed("a.pdf", pdf("", ""))


def test_a_pdf_with_a_password_is_encrypted(parsed):
    with pytest.raises(EncryptedDocument, match="password"):
        parsed("a.pdf", pdf(*TWO, password="secret"))


def test_a_pdf_that_anyone_may_open_is_read(parsed):
    assert "Payment" in parsed("a.pdf", pdf(*TWO, owner="secret")).text


@pytest.mark.parametrize("data", [b"%PDF-1.4 and no more", b"not a PDF at all", pdf(*TWO)[:300]])
def test_a_broken_pdf_is_unreadable(parsed, data):
    with pytest.raises(UnreadableDocument):
        parsed("a.pdf", data)


def test_lines_flow_into_paragraphs_and_lists():
    text = (
        "Title\r\nThis is a line that goes on as far as the\r\npage allows, and is well-\r\nknown for it.\r\n"
        "It also has a second sentence that is long\r\nenough.\r\n\r\n"
        "• first item\r\n• second item that goes\r\non here"
    )
    assert list(flowed(text)) == [
        (False, "Title"),
        (False, "This is a line that goes on as far as the page allows, and is well-known for it."),
        (False, "It also has a second sentence that is long enough."),
        (True, "• first item"),
        (True, "• second item that goes on here"),
    ]
