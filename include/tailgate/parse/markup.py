"""Makes a page ready for unstructured, which drops some visible text and breaks some of what belongs together."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from tailgate.parse.tables import spread_spans

_INVISIBLE = (
    *("script", "style", "noscript", "template", "head", "title", "meta", "link", "datalist", "dialog", "svg"),
    "ix:header",  # of Inline XBRL: facts that are not shown
)
_HIDDEN = ".//*[@hidden or contains(translate(@style, ' ', ''), 'display:none')]"
_IS_LAYOUT = "boolean(.//table | .//h1 | .//h2 | .//h3 | .//h4 | .//h5 | .//h6 | .//pre)"
_TABLE_PARTS = frozenset({"thead", "tbody", "tfoot", "tr", "td", "th", "caption"})
_AS_BLOCK = ("details", "figure", "form", "fieldset")
_AS_PARAGRAPH = ("summary", "figcaption", "legend")
_AS_INLINE = {"label": "span", "del": "s", "ins": "u", "output": "span", "font": "span"}
_BLOCKS = frozenset({
    *("address", "article", "aside", "blockquote", "center", "div", "footer", "header", "hr", "main", "p", "section"),
    *("dd", "dl", "dt", "li", "ol", "ul", "pre", "table", "tr", "td", "th"),
    *("h1", "h2", "h3", "h4", "h5", "h6"),
})

_UNFIT = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


@dataclass(frozen=True, slots=True)
class Page:
    """HTML for unstructured, the text that a reader of the page sees, and the language that it states."""

    html: str
    visible: str
    language: str
    pictures: int = 0
    """How many images have no alternative text."""


def prepared(text: str) -> Page:
    """The page with the same visible text, in tags that unstructured keeps and keeps whole.

    Raises RecursionError where tags are nested so deeply that the HTML library would drop what follows.
    """
    from lxml import etree, html

    parser = html.HTMLParser(encoding="utf-8", remove_comments=True, remove_pis=True)
    tree = etree.fromstring(text.encode("utf-8", "replace"), parser)
    if any(entry.type_name == "ERR_RESOURCE_LIMIT" for entry in parser.error_log):
        raise RecursionError("too many tags are open at once")
    if tree is None:
        return Page("", "", "")
    _make_storable(tree)
    language = tree.get("lang") or tree.get("xml:lang") or ""
    body = tree.find(".//body")
    body = tree if body is None else body
    etree.strip_elements(body, *_INVISIBLE, with_tail=False)
    for node in body.xpath(_HIDDEN):
        node.drop_tree()
    pictures = sum(1 for image in body.iter("img") if not image.get("alt", "").strip())
    _rename(body)
    for step in (_unwrap_layout, _flatten_images, _mend_headings, _mend_items, _flatten_code, _mend_tables):
        step(body)
    return Page(html.tostring(body, encoding="unicode"), str(body.xpath("string()")), language, pictures)


def _make_storable(tree: Any) -> None:
    """Characters that XML cannot hold are replaced: libxml2 reads them, and then refuses to have them set."""
    for node in tree.iter():
        if node.text and _UNFIT.search(node.text):
            node.text = _UNFIT.sub("\ufffd", node.text)
        if node.tail and _UNFIT.search(node.tail):
            node.tail = _UNFIT.sub("\ufffd", node.tail)
        for name, value in node.attrib.items():
            if _UNFIT.search(value):
                node.set(name, _UNFIT.sub("\ufffd", value))


def _rename(body: Any) -> None:
    for node in body.iter(*_AS_BLOCK):
        node.tag = "div"
    for node in body.iter(*_AS_PARAGRAPH):
        node.tag = "p"
    for node in body.iter(*_AS_INLINE):
        node.tag = _AS_INLINE[node.tag]


def _unwrap_layout(body: Any) -> None:
    """A table that only places parts of the page becomes those: it holds headings, code or tables, and no `th`."""
    for table in list(body.iter("table")):
        parts = list(_own_parts(table))
        has_header = any(part.tag == "th" for part in parts)
        if table.get("role") in ("presentation", "none") or (not has_header and table.xpath(_IS_LAYOUT)):
            for part in (table, *parts):
                part.tag = "div"


def _own_parts(table: Any) -> Iterator[Any]:
    """The rows and cells of a table, without those of the tables in it."""
    waiting = list(table)
    while waiting:
        node = waiting.pop()
        if node.tag in _TABLE_PARTS:
            yield node
        if node.tag in ("thead", "tbody", "tfoot", "tr"):
            waiting += node


def _flatten_images(body: Any) -> None:
    """An image becomes its alternative text in place: as an element of its own it would cut a sentence in two."""
    for image in list(body.iter("img")):
        image.tag, alternative = "span", image.get("alt", "").strip()
        image.attrib.clear()
        image.text = alternative


def _mend_headings(body: Any) -> None:
    """A heading without the sign that links to it, and in one piece."""
    for heading in list(body.iter("h1", "h2", "h3", "h4", "h5", "h6")):
        for link in heading.xpath(".//a[@href]"):
            if link.text_content().strip() in ("#", "¶", "§", "🔗"):
                link.drop_tree()
        _set_text(heading, " ".join(_flat(heading, " ").split()))


def _mend_items(body: Any) -> None:
    """The first paragraph of a list's item is the item's own text, also where other blocks follow it."""
    for item in body.iter("li", "dd"):
        first = item[0] if len(item) else None
        if first is not None and first.tag == "p" and not (item.text or "").strip():
            following = first.getnext()
            if following is not None and following.tag not in _BLOCKS:
                continue
            first.drop_tag()
    for numbered in body.iter("ol"):
        _write_numbers(numbered)


def _write_numbers(numbered: Any) -> None:
    """The number that a reader sees before an item becomes part of its text: others refer to a clause by it."""
    start = str(numbered.get("start", "1"))
    number = int(start) if start.isascii() and start.isdigit() else 1
    for item in numbered.findall("li"):
        stated = str(item.get("value", ""))
        number = int(stated) if stated.isascii() and stated.isdigit() else number
        if (item.text or "").strip() or (len(item) and item[0].tag not in _BLOCKS):
            item.text = f"{number}. {(item.text or '').lstrip()}"
        number += 1


def _flatten_code(body: Any) -> None:
    for code in list(body.iter("pre")):
        for button in list(code.iter("button")):
            button.drop_tree()
        _set_text(code, _flat(code, "\n"))


def _mend_tables(body: Any) -> None:
    """Cells hold text only, and the caption stands before its table."""
    for table in list(body.iter("table")):
        if table.xpath("ancestor::td | ancestor::th"):
            continue
        for cell in list(table.iter("td", "th")):
            _set_text(cell, " ".join(_flat(cell, " ").split()))
        spread_spans(table)
        for caption in table.findall("caption"):
            caption.drop_tree()
            caption.tag, caption.tail = "p", None
            table.addprevious(caption)


def _set_text(node: Any, text: str) -> None:
    attributes = dict(node.attrib)
    node.clear(keep_tail=True)
    node.attrib.update(attributes)
    node.text = text


def _flat(node: Any, between: str) -> str:
    """The text below a node, with `between` where a line breaks and around blocks."""
    text: str = node.text or ""
    for child in node:
        if child.tag in _BLOCKS:
            text += between if text and not text.endswith(between) else ""
            text += _flat(child, between)
            text += "" if text.endswith(between) and len(child) else between
        else:
            text += between if child.tag == "br" else _flat(child, between)
        text += child.tail or ""
    return text
