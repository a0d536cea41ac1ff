"""Makes a DOCX ready for unstructured, which reads runs and tables that lie directly in the body and nothing else."""

from collections.abc import Mapping
from dataclasses import dataclass
from io import BytesIO
from itertools import takewhile
from typing import Any

_W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_M = "{http://schemas.openxmlformats.org/officeDocument/2006/math}"
_MC = "{http://schemas.openxmlformats.org/markup-compatibility/2006}"
_WRAPPERS = tuple(f"{_W}{name}" for name in ("ins", "moveTo", "smartTag", "customXml", "fldSimple", "sdt"))
_PICTURES = (
    "{http://schemas.openxmlformats.org/drawingml/2006/picture}pic",
    "{urn:schemas-microsoft-com:vml}imagedata",
)
_DELETED = (f"{_W}del", f"{_W}moveFrom")
_TABLE = f"{_W}tbl"
_NOTES = (("footnotes", f"{_W}footnote"), ("endnotes", f"{_W}endnote"))


@dataclass(frozen=True, slots=True)
class Word:
    """A DOCX with all its text where unstructured finds it."""

    data: bytes
    visible: str
    levels: Mapping[str, int]
    """Of each paragraph style that makes headings: the level, from 1."""
    header_rows: tuple[int, ...]
    """Of each table, in order: how many of its first rows are marked to be repeated on every page."""
    comments: int
    pictures: int


def prepared(data: bytes) -> Word:
    """The document with content controls, insertions, text boxes, notes and formulas as plain runs and paragraphs."""
    import docx

    document = docx.Document(BytesIO(data))
    body = document.element.body
    comments = len(list(body.iter(f"{_W}commentReference")))
    _drop(body, (f"{_MC}Fallback", *_DELETED))
    changed = _unwrap(body) + _hoist_boxes(body) + _write_formulas(body) + _insert_notes(document, body)
    if changed:
        packed = BytesIO()
        document.save(packed)
        data = packed.getvalue()
    visible = "".join(text.text or "" for text in body.iter(f"{_W}t"))
    pictures = len(list(body.iter(*_PICTURES)))
    headers = tuple(
        _header_rows(table) for table in body.iter(_TABLE) if next(table.iterancestors(_TABLE), None) is None
    )
    return Word(data, visible, _heading_levels(document), headers, comments, pictures)


def _header_rows(table: Any) -> int:
    marks = (row.find(f"{_W}trPr/{_W}tblHeader") for row in table.iter(f"{_W}tr"))
    return sum(1 for _ in takewhile(lambda mark: mark is not None, marks))


def _drop(body: Any, tags: tuple[str, ...]) -> None:
    for node in list(body.iter(*tags)):
        if node.getparent() is not None:
            node.getparent().remove(node)


def _unwrap(body: Any) -> int:
    """Replaces every wrapper by what it holds; how many there were."""
    wrappers = list(body.iter(*_WRAPPERS))
    for wrapper in wrappers:
        content = wrapper.find(f"{_W}sdtContent") if wrapper.tag == f"{_W}sdt" else wrapper
        for child in [] if content is None else list(content):
            if not child.tag.endswith("Pr"):
                wrapper.addprevious(child)
        wrapper.getparent().remove(wrapper)
    return len(wrappers)


def _hoist_boxes(body: Any) -> int:
    """Puts the paragraphs of every text box after the paragraph that anchors it; how many boxes there were."""
    boxes = list(body.iter(f"{_W}txbxContent"))
    for box in reversed(boxes):
        anchor = next((node for node in box.iterancestors(f"{_W}p")), None)
        if anchor is not None:
            for child in reversed(list(box)):
                anchor.addnext(child)
    return len(boxes)


def _write_formulas(body: Any) -> int:
    """Puts the characters of every formula in a run in its place; how many there were."""
    formulas = [node for node in body.iter(f"{_M}oMath") if next(node.iterancestors(f"{_M}oMath"), None) is None]
    for formula in formulas:
        outer = formula.getparent()
        place = outer if outer.tag == f"{_M}oMathPara" else formula
        place.addprevious(_run(formula, "".join(text.text or "" for text in formula.iter(f"{_M}t"))))
    for place in list(body.iter(f"{_M}oMathPara", f"{_M}oMath")):
        if place.getparent() is not None:
            place.getparent().remove(place)
    return len(formulas)


def _insert_notes(document: Any, body: Any) -> int:
    """Puts the text of every footnote and endnote after the paragraph that refers to it; how many there were."""
    count = 0
    for name, tag in _NOTES:
        notes = _note_texts(document, name, tag)
        for reference in reversed(list(body.iter(f"{tag}Reference"))):
            text = notes.get(reference.get(f"{_W}id"), "")
            anchor = next(reference.iterancestors(f"{_W}p"), None)
            if text and anchor is not None:
                paragraph = body.makeelement(f"{_W}p", {})
                paragraph.append(_run(body, text))
                anchor.addnext(paragraph)
                count += 1
    return count


def _note_texts(document: Any, name: str, tag: str) -> dict[str, str]:
    from lxml import etree

    blobs = [part.blob for part in document.part.package.iter_parts() if str(part.partname) == f"/word/{name}.xml"]
    return {
        note.get(f"{_W}id"): "".join(text.text or "" for text in note.iter(f"{_W}t")).strip()
        for blob in blobs
        for note in etree.fromstring(blob, etree.XMLParser(resolve_entities=False)).iter(tag)
    }


def _run(maker: Any, text: str) -> Any:
    run = maker.makeelement(f"{_W}r", {})
    node = maker.makeelement(f"{_W}t", {})
    node.text = text
    run.append(node)
    return run


def _heading_levels(document: Any) -> dict[str, int]:
    levels: dict[str, int] = {}
    for style in document.styles:
        level = _outline_level(style)
        if style.name and level is not None:
            levels[style.name] = level
    return levels


def _outline_level(style: Any) -> int | None:
    """The outline level (from 1) that a style, or the nearest one that it is based on, states."""
    seen: set[str] = set()
    while style is not None and style.style_id not in seen:
        seen.add(style.style_id)
        stated = style.element.find(f"{_W}pPr/{_W}outlineLvl")
        if stated is not None:
            value = str(stated.get(f"{_W}val"))
            return int(value) + 1 if value in tuple("012345678") else None
        if style.name and style.name.startswith("Heading ") and style.name[8:].isdigit():
            return int(style.name[8:])
        style = getattr(style, "base_style", None)
    return None
