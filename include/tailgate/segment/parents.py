"""Parents: sections, clauses, pages and slides that an author made; blocks of a configured size where nobody did."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from tailgate.config import Segment
from tailgate.models import Kind, Origin, Parent, ParsedDocument
from tailgate.segment.clauses import Clause
from tailgate.segment.drafts import KINDS, Drafts
from tailgate.segment.lazy import Lazy
from tailgate.segment.ledger import Ledger
from tailgate.segment.packing import Run, pack
from tailgate.segment.sections import Section, sections_of


@dataclass(frozen=True, slots=True, eq=False)
class Parents(Lazy[Parent]):
    """Together their texts are as long as the document, which is there already."""

    text: str
    outlines: Sequence[Parent]
    """The same parents, with empty texts."""

    def __len__(self) -> int:
        return len(self.outlines)

    def at(self, position: int) -> Parent:
        outline = self.outlines[position]
        return replace(outline, text=self.text[outline.char_start : outline.char_end])


def parents_of(
    parsed: ParsedDocument,
    drafts: Drafts,
    clauses: Mapping[int, Clause],
    settings: Segment,
    ledger: Ledger,
) -> Parents:
    """Parents that partition the sentences; ordinals count from 0 in the document's order."""
    if not drafts:
        return Parents(parsed.text, ())
    sections = sections_of(parsed, drafts, clauses, settings.block_tokens)
    if sections:
        made = [_parent(parsed, drafts, section, Origin.AUTHORED, ledger) for section in sections]
        if settings.oversize == "split":
            made = [piece for parent in made for piece in _split(parsed, drafts, parent, settings, ledger)]
    else:
        made = list(_blocks(parsed, drafts, settings.block_tokens, ledger))
    return Parents(parsed.text, tuple(replace(parent, ordinal=ordinal) for ordinal, parent in enumerate(made)))


def _blocks(parsed: ParsedDocument, drafts: Drafts, most: int, ledger: Ledger) -> Iterator[Parent]:
    for first, last in _runs(parsed, drafts, 0, len(drafts) - 1, most, ledger):
        yield _parent(parsed, drafts, Section(first, last, "block", (), None, None), Origin.SYNTHETIC, ledger)


def _split(parsed: ParsedDocument, drafts: Drafts, parent: Parent, settings: Segment, ledger: Ledger) -> list[Parent]:
    """The parent as it is, or as pieces that remember its heading path and its size."""
    if parent.tokens <= settings.parent_max_tokens:
        return [parent]
    runs = _runs(parsed, drafts, parent.first_sentence, parent.last_sentence, settings.parent_max_tokens, ledger)
    sections = [
        Section(first, last, parent.kind, parent.heading_path, parent.level, parent.page) for first, last in runs
    ]
    pieces = [_parent(parsed, drafts, section, Origin.SPLIT, ledger) for section in sections]
    return [replace(piece, raw_tokens=parent.raw_tokens, piece=number) for number, piece in enumerate(pieces)]


def _runs(parsed: ParsedDocument, drafts: Drafts, first: int, last: int, most: int, ledger: Ledger) -> list[Run]:
    """Runs of sentences of at most `most` tokens, cut at an element's end rather than inside one."""
    elements, kinds, after = drafts.elements, drafts.kinds, last + 1

    def ends_element(unit: int) -> bool:
        here = first + unit
        return elements[here + 1] != elements[here] and KINDS[kinds[here]] is not Kind.HEADING

    runs = pack(drafts.starts[first:after], drafts.ends[first:after], most, ledger, ends_element)
    return [(first + start, first + end) for start, end in runs]


def _parent(parsed: ParsedDocument, drafts: Drafts, section: Section, origin: Origin, ledger: Ledger) -> Parent:
    start, end = drafts.starts[section.first], drafts.ends[section.last]
    tokens = ledger.count(start, end)
    return Parent(
        ordinal=0,
        kind=section.kind,
        origin=origin,
        heading_path=section.heading_path,
        level=section.level,
        page=section.page,
        char_start=start,
        char_end=end,
        first_sentence=section.first,
        last_sentence=section.last,
        text="",
        tokens=tokens,
        raw_tokens=tokens,
    )
