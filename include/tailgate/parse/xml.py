"""XML of any kind: its texts in order, without headings, for nobody can know what its tags mean."""

import re
from collections.abc import Iterator
from typing import Any

from tailgate.errors import UnreadableDocument
from tailgate.models import Kind, ParsedDocument, SourceFile
from tailgate.parse import html
from tailgate.parse.builder import Block, compose
from tailgate.parse.decode import decode
from tailgate.parse.loss import left_out, missing

_DECLARATION = re.compile(r"\A\s*<\?xml[^>]{0,200}?\?>")
_STATED = re.compile(rb"<\?xml[^>]{0,200}?encoding\s*=\s*[\"']([A-Za-z0-9_:.-]+)")
_TAG = re.compile(r"<[^<>]*>")
_WARNING = "its tags are of no kind that is known here: all texts are taken, and none of them for a heading"
_LANGUAGE = "{http://www.w3.org/XML/1998/namespace}lang"


def parse(data: bytes, file: SourceFile) -> ParsedDocument:
    """A paragraph for each element that has text of its own; XHTML goes the way of every HTML page.

    Entities are never resolved. Raises UnreadableDocument where it is no XML.
    """
    stated = _STATED.search(data[:400])
    content, warnings = decode(data, file, stated=stated[1].decode("ascii") if stated else "")
    root, problem = _root(_DECLARATION.sub("", content), file)
    if _name(root) == "html":
        return html.parse(data, file)
    blocks = [Block(Kind.PROSE, said) for said in _texts(root)]
    lost = {
        "letters in broken parts": missing(_TAG.sub("", content), (block.text for block in blocks)) if problem else 0,
        "entities": content.count("<!ENTITY"),
        "values of attributes": sum(len(node.attrib) for node in root.iter("*")),
    }
    return compose(
        blocks,
        media_type="application/xml",
        language=(root.get(_LANGUAGE) or "")[:2],
        warnings=(*warnings, *problem, _WARNING, *left_out(lost)),
    )


def _root(content: str, file: SourceFile) -> tuple[Any, tuple[str, ...]]:
    """The root element, and a warning where the file is not well-formed and only a part of it may be there."""
    from lxml import etree

    safe = {"resolve_entities": False, "no_network": True, "remove_comments": True, "remove_pis": True}
    data = content.strip().encode("utf-8", "replace")
    try:
        return etree.fromstring(data, etree.XMLParser(encoding="utf-8", **safe)), ()
    except etree.XMLSyntaxError as error:
        if "depth" in str(error.msg):
            raise RecursionError(error.msg) from error
        if "amplification" in str(error.msg):
            raise UnreadableDocument(file.uri, "its entities grow beyond measure, as entity bombs do") from error
        root = etree.fromstring(data, etree.XMLParser(encoding="utf-8", recover=True, **safe))
        if root is None:
            raise UnreadableDocument(file.uri, f"it is no XML ({error.msg})") from error
        return root, (f"it is no well-formed XML ({error.msg})",)


def _texts(root: Any) -> Iterator[str]:
    """In order, the texts of the outermost elements that have text beside or without other elements."""
    waiting = [root]
    while waiting:
        node = waiting.pop()
        if not isinstance(node.tag, str):
            continue
        if (node.text or "").strip() or any((child.tail or "").strip() for child in node):
            yield " ".join("".join(_strings(node)).split())
        else:
            waiting += reversed(node)


def _strings(root: Any) -> Iterator[str]:
    """The pieces of an element's text, those of the elements in it included; an entity stays unresolved."""
    waiting: list[Any] = [root]
    while waiting:
        node = waiting.pop()
        if isinstance(node, str):
            yield node
            continue
        inside = [node.text] if isinstance(node.tag, str) else []
        for child in node if inside else ():
            inside += [child, child.tail]
        waiting += [piece for piece in reversed(inside) if piece is not None]


def _name(node: Any) -> str:
    return str(node.tag).rpartition("}")[2].lower()
