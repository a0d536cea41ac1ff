"""Hits → passages: the matched unit alone, its window, or the parent that encloses it.

A window is made from positions and the document's text at query time, whatever radius is stored: where that is the
radius asked for, the stored text is the same.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from tailgate.models import Hit, Origin, Passage
from tailgate.retrieve.retrieve import Expand
from tailgate.retrieve.rows import Range, Row, Rows, documents, header_above, heading_paths, parents_of, sentences
from tailgate.segment.tokens import Tokenizer
from tailgate.segment.windows import join_ranges, window_range
from tailgate.store import Snapshot


@dataclass(frozen=True, slots=True)
class Radius:
    """How many sentences a window takes before and after the match, and where it is clamped."""

    before: int
    after: int
    within: Literal["document", "section"] = "document"


@dataclass(frozen=True, slots=True)
class Expansion:
    """One passage a hit, in the hits' order, not merged yet."""

    passages: tuple[Passage, ...]
    texts: dict[str, str]
    """The documents' texts by id, where passages can be merged (windows)."""
    missing: tuple[str, ...]
    """Hits whose row, document or parent the release does not hold."""


def expand(snapshot: Snapshot, hits: Sequence[Hit], how: Expand, radius: Radius, tokenizer: Tokenizer) -> Expansion:
    """A passage for each hit, its tokens counted exactly; a hit that cannot be expanded is named in `missing`.

    Each table is read once at most, however many hits there are.
    """
    if how == "parent":
        made, owners = _parents(snapshot, hits), dict[str, Row]()
    else:
        owners = documents(snapshot, hits, with_text=how == "window")
        reach = radius if how == "window" else replace(radius, before=0, after=0)
        made = _windows(snapshot, hits, owners, reach, bare=how == "none")
    return Expansion(
        passages=_counted([passage for passage in made if passage], tokenizer),
        texts={name: row["text"] for name, row in owners.items()} if how == "window" else {},
        missing=tuple(hit.unit_id for hit, passage in zip(hits, made, strict=True) if passage is None),
    )


def _windows(
    snapshot: Snapshot, hits: Sequence[Hit], owners: dict[str, Row], radius: Radius, *, bare: bool
) -> list[Passage | None]:
    asked = {hit: _asked(hit, owners[hit.document_id], radius) for hit in hits if hit.document_id in owners}
    rows = sentences(snapshot, asked)
    own = {hit: rows[hit.document_id, hit.ordinal] for hit in asked if (hit.document_id, hit.ordinal) in rows}
    paths = heading_paths(snapshot, {row["parent_id"] for row in own.values()})

    def window(hit: Hit) -> Passage:
        document = owners[hit.document_id]
        first, last = _reach(rows, hit, asked[hit], radius)
        ranges = _ranges(rows, hit.document_id, first, last, with_header=not bare)
        return Passage(
            document_id=hit.document_id,
            path=document["path"],
            kind="sentence" if bare else "window",
            ranges=ranges,
            first_sentence=first,
            last_sentence=last,
            heading_path=paths.get(own[hit]["parent_id"], ()),
            text=hit.text if bare else join_ranges(document["text"], ranges),
            tokens=0,
            hits=(hit.unit_id,),
        )

    return [window(hit) if hit in own else None for hit in hits]


def _asked(hit: Hit, document: Row, radius: Radius) -> Range:
    return window_range(hit.ordinal, radius.before, radius.after, 0, max(hit.ordinal, document["n_sentences"] - 1))


def _reach(rows: Rows, hit: Hit, asked: Range, radius: Radius) -> Range:
    """The first and the last sentence of the window: as asked, less where the section (or what is stored) ends."""
    section = rows[hit.document_id, hit.ordinal]["parent_id"]

    def inside(ordinal: int) -> bool:
        row = rows.get((hit.document_id, ordinal))
        return row is not None and (radius.within == "document" or row["parent_id"] == section)

    first = last = hit.ordinal
    while first > asked[0] and inside(first - 1):
        first -= 1
    while last < asked[1] and inside(last + 1):
        last += 1
    return first, last


def _ranges(rows: Rows, document_id: str, first: int, last: int, *, with_header: bool) -> tuple[Range, ...]:
    """Where the window lies; before it, where its first sentence is a row, the header that lies before the window."""
    body = (rows[document_id, first]["char_start"], rows[document_id, last]["char_end"])
    above = header_above(rows, document_id, first) if with_header else None
    return (above, body) if above else (body,)


def _parents(snapshot: Snapshot, hits: Sequence[Hit]) -> list[Passage | None]:
    """The parent of each hit; one that begins inside a table has the table's header before it."""
    parents = parents_of(snapshot, hits)
    headers = _headers_above(snapshot, hits, parents)
    owners = documents(snapshot, hits, with_text=bool(headers))

    def parent(hit: Hit) -> Passage:
        row, owner = parents[hit.unit_id], owners[hit.document_id]
        body = (row["char_start"], row["char_end"])
        ranges = (headers[hit], body) if hit in headers else (body,)
        return Passage(
            document_id=hit.document_id,
            path=owner["path"],
            kind="parent",
            ranges=ranges,
            first_sentence=row["first_sentence"],
            last_sentence=row["last_sentence"],
            heading_path=tuple(row["heading_path"]),
            text=join_ranges(owner["text"], ranges) if hit in headers else row["text"],
            tokens=0,
            hits=(hit.unit_id,),
        )

    return [parent(hit) if hit.unit_id in parents and hit.document_id in owners else None for hit in hits]


def _headers_above(snapshot: Snapshot, hits: Sequence[Hit], parents: Mapping[str, Row]) -> dict[Hit, Range]:
    """The header of each hit whose parent begins with a row: only what a splitter has cut can begin there."""
    cut = [hit for hit in hits if hit.unit_id in parents and parents[hit.unit_id]["origin"] != Origin.AUTHORED]
    firsts = {hit: parents[hit.unit_id]["first_sentence"] for hit in cut}
    rows = sentences(snapshot, {hit: (first, first) for hit, first in firsts.items()})
    found = {hit: header_above(rows, hit.document_id, first) for hit, first in firsts.items()}
    return {hit: above for hit, above in found.items() if above}


def _counted(passages: Sequence[Passage], tokenizer: Tokenizer) -> tuple[Passage, ...]:
    texts = list(dict.fromkeys(passage.text for passage in passages))
    counts = dict(zip(texts, tokenizer.counts(texts), strict=True))
    return tuple(replace(passage, tokens=counts[passage.text]) for passage in passages)
