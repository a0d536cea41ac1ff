"""The sections that an author made, from what a document states: headings with a depth, pages, slides."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from tailgate.models import Kind, OutlineEntry, ParsedDocument
from tailgate.segment.drafts import Draft


@dataclass(frozen=True, slots=True)
class Section:
    """A run of sentences (first and last are inclusive) that belongs together, and where it stands."""

    first: int
    last: int
    kind: str
    heading_path: tuple[str, ...]
    level: int | None
    page: int | None


def sections_of(parsed: ParsedDocument, drafts: Sequence[Draft]) -> list[Section]:
    """Sections that partition the sentences, or none where the document states no structure."""
    if parsed.pages:
        return list(_pages(parsed, drafts))
    if any(element.kind is Kind.HEADING and element.level for element in parsed.elements):
        return list(_under_headings(parsed, drafts))
    if {element.kind for element in parsed.elements} == {Kind.TABLE}:
        return list(_tables(parsed, drafts))
    return []


def _tables(parsed: ParsedDocument, drafts: Sequence[Draft]) -> Iterator[Section]:
    for element, run in groupby(range(len(drafts)), key=lambda number: drafts[number].element):
        numbers = list(run)
        yield Section(numbers[0], numbers[-1], "table", (), None, parsed.elements[element].page)


def _under_headings(parsed: ParsedDocument, drafts: Sequence[Draft]) -> Iterator[Section]:
    """A heading with its text up to the next heading; one without text of its own goes with a deeper one below it."""
    stack: list[tuple[int, str]] = []
    first, has_text = 0, False
    for number, draft in enumerate(drafts):
        level = _heading_level(parsed, draft)
        if level is None:
            has_text = True
            continue
        continues = not has_text and stack and level > stack[-1][0]
        if number > first and not continues:
            yield _section(parsed, drafts, first, number - 1, stack)
            first = number
        has_text = False
        stack = [entry for entry in stack if entry[0] < level]
        if draft.piece == 0:
            stack.append((level, _title(parsed, draft)))
    yield _section(parsed, drafts, first, len(drafts) - 1, stack)


def _heading_level(parsed: ParsedDocument, draft: Draft) -> int | None:
    """The level of the heading that begins here; the later pieces of a very long one begin nothing."""
    element = parsed.elements[draft.element]
    return element.level if element.kind is Kind.HEADING and draft.piece == 0 else None


def _title(parsed: ParsedDocument, draft: Draft) -> str:
    element = parsed.elements[draft.element]
    return " ".join(parsed.text[element.char_start : element.char_end].split())


def _section(
    parsed: ParsedDocument, drafts: Sequence[Draft], first: int, last: int, stack: Sequence[tuple[int, str]]
) -> Section:
    page = parsed.elements[drafts[first].element].page
    level = stack[-1][0] if stack else None
    return Section(first, last, "section", tuple(title for _, title in stack), level, page)


def _pages(parsed: ParsedDocument, drafts: Sequence[Draft]) -> Iterator[Section]:
    numbers = range(len(drafts))
    for page, run in groupby(numbers, key=lambda number: parsed.elements[drafts[number].element].page):
        inside = list(run)
        path = _outline_path(parsed.outline, page) or _first_heading(parsed, [drafts[number] for number in inside])
        yield Section(inside[0], inside[-1], parsed.pages or "page", path, None, page)


def _outline_path(outline: Sequence[OutlineEntry], page: int | None) -> tuple[str, ...]:
    """The outline's entries that the page stands under: the last one at or before it, with those above it."""
    path: list[OutlineEntry] = []
    for entry in outline:
        if page is None or entry.page > page:
            continue
        path = [above for above in path if above.level < entry.level] + [entry]
    return tuple(entry.title for entry in path)


def _first_heading(parsed: ParsedDocument, drafts: Sequence[Draft]) -> tuple[str, ...]:
    titles = (_title(parsed, draft) for draft in drafts if draft.kind is Kind.HEADING)
    return tuple(title for title in [next(titles, None)] if title)
