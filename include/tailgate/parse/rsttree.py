"""Walks the tree that docutils makes of a text, and gives the blocks that a reader sees."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from tailgate.models import Kind
from tailgate.parse.builder import Block
from tailgate.parse.tables import table_block

_CONTAINERS = frozenset({
    *("document", "block_quote", "container", "compound", "topic", "sidebar", "figure", "legend", "definition_list"),
    *("definition_list_item", "definition", "field_list", "option_list", "option_list_item", "description", "header"),
    *("footer", "decoration", "docinfo", "footnote", "citation", "epigraph", "entry", "admonition", "attention"),
    *("caution", "danger", "error", "hint", "important", "note", "tip", "warning", "option_group", "pending"),
})
_PARAGRAPHS = frozenset({"paragraph", "title", "subtitle", "term", "caption", "attribution", "rubric", "classifier"})
_CODE = frozenset({"literal_block", "doctest_block", "math_block"})
_SILENT = frozenset({"target", "substitution_definition", "label", "transition", "colspec", "meta"})


@dataclass(slots=True)
class Reader:
    """Gives blocks, and counts what it leaves out."""

    counts: dict[str, int] = field(default_factory=dict)

    def blocks(self, node: Any, depth: int) -> Iterator[Block]:
        """The blocks below a node that lies in `depth` sections."""
        for child in node.children:
            yield from self._block(child, depth)

    def _block(self, node: Any, depth: int) -> Iterator[Block]:
        name = node.tagname
        if name in _CODE:
            yield Block(Kind.CODE, node.astext())
        elif name in _PARAGRAPHS:
            yield Block(Kind.PROSE, _said(node))
        elif name in _CONTAINERS:
            yield from self.blocks(node, depth)
        else:
            yield from getattr(self, _SPECIAL.get(name, "_other"))(node, depth)

    def _section(self, node: Any, depth: int) -> Iterator[Block]:
        for child in node.children:
            if child.tagname == "title":
                yield Block(Kind.HEADING, _said(child), level=depth + 1)
            else:
                yield from self._block(child, depth + 1)

    def _list(self, node: Any, depth: int) -> Iterator[Block]:
        """The first paragraph of an item is the item, with its number; what follows in it comes after it."""
        start = int(node.get("start", 1))
        for number, item in enumerate(node.children, start=start):
            first, *rest = item.children or [None]
            marker = f"{number}. " if node.tagname == "enumerated_list" else ""
            if first is not None and first.tagname == "paragraph":
                yield Block(Kind.LIST_ITEM, marker + _said(first))
            elif first is not None:
                yield from self._block(first, depth)
            for child in rest:
                yield from self._block(child, depth)

    def _field(self, node: Any, depth: int) -> Iterator[Block]:
        """A field's name stands before its first paragraph."""
        name, body = node.children
        first, *rest = body.children or [None]
        said = _said(first) if first is not None and first.tagname == "paragraph" else ""
        yield Block(Kind.PROSE, f"{_said(name)}: {said}")
        for child in body.children if not said else rest:
            yield from self._block(child, depth)

    def _table(self, node: Any, depth: int) -> Iterator[Block]:
        for title in (child for child in node.children if child.tagname == "title"):
            yield Block(Kind.PROSE, _said(title))
        header, rows = 0, list[list[str]]()
        for group in (child for child in node.children if child.tagname == "tgroup"):
            for part in (child for child in group.children if child.tagname in ("thead", "tbody")):
                header += len(part.children) if part.tagname == "thead" else 0
                rows += [[cell for entry in row.children for cell in _cells(entry)] for row in part.children]
        yield table_block(rows, header)

    def _lines(self, node: Any, _depth: int) -> Iterator[Block]:
        yield Block(Kind.PROSE, "\n".join(_said(line) for line in node.findall() if line.tagname == "line"))

    def _image(self, node: Any, _depth: int) -> Iterator[Block]:
        yield Block(Kind.PROSE, node.get("alt", ""))

    def _message(self, node: Any, _depth: int) -> Iterator[Block]:
        """What docutils could not read, as it stands in the text; its own words about that are left away."""
        for source in (child for child in node.children if child.tagname in _CODE):
            self._count("parts that are no valid reStructuredText, kept as code")
            yield Block(Kind.CODE, source.astext())

    def _comment(self, _node: Any, _depth: int) -> Iterator[Block]:
        self._count("comments and directives without text")
        return iter(())

    def _nothing(self, _node: Any, _depth: int) -> Iterator[Block]:
        return iter(())

    def _other(self, node: Any, _depth: int) -> Iterator[Block]:
        yield Block(Kind.PROSE, _said(node))

    def _count(self, what: str) -> None:
        self.counts[what] = self.counts.get(what, 0) + 1


_SPECIAL = {
    "section": "_section",
    "bullet_list": "_list",
    "enumerated_list": "_list",
    "field": "_field",
    "table": "_table",
    "line_block": "_lines",
    "image": "_image",
    "system_message": "_message",
    "comment": "_comment",
    **dict.fromkeys(_SILENT, "_nothing"),
}


def _said(node: Any) -> str:
    """The text of a node in one line; an image in it gives its alternative text."""
    parts = [
        part.get("alt", "") if part.tagname == "image" else part.astext()
        for part in node.findall()
        if part.tagname in ("#text", "image")
    ]
    return " ".join("".join(parts).split())


def _cells(entry: Any) -> list[str]:
    """An entry's text in its first column, and nothing in the others that it spans."""
    return [" ".join(_said(child) for child in entry.children), *([""] * int(entry.get("morecols", 0)))]
