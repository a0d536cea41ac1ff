"""The sections that an author made, from what a document states: pages, slides, headings with a depth, clauses."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, groupby, takewhile

from tailgate.models import Kind, OutlineEntry, ParsedDocument
from tailgate.segment.clauses import Clause
from tailgate.segment.drafts import Draft, Drafts


@dataclass(frozen=True, slots=True)
class Section:
    """A run of sentences (first and last are inclusive) that belongs together, and where it stands."""

    first: int
    last: int
    kind: str
    heading_path: tuple[str, ...]
    level: int | None
    page: int | None


def sections_of(
    parsed: ParsedDocument, drafts: Drafts, clauses: Mapping[int, Clause], clause_tokens: int
) -> list[Section]:
    """Sections that partition the sentences, or none where the document states no structure.

    Pages where the format has them, else headings with a depth, else numbered clauses, each with the clauses below it
    as long as that is at most `clause_tokens`, else tables where there is nothing but tables.
    """
    if parsed.pages:
        return list(_pages(parsed, drafts))
    if any(element.kind is Kind.HEADING and element.level for element in parsed.elements):
        return list(_under_headings(parsed, drafts))
    if clauses:
        return list(_under_clauses(parsed, drafts, clauses, clause_tokens))
    if {element.kind for element in parsed.elements} == {Kind.TABLE}:
        return list(_tables(parsed, drafts))
    return []


def _tables(parsed: ParsedDocument, drafts: Drafts) -> Iterator[Section]:
    for element, run in groupby(range(len(drafts)), key=drafts.elements.__getitem__):
        numbers = list(run)
        yield Section(numbers[0], numbers[-1], "table", (), None, parsed.elements[element].page)


def _under_headings(parsed: ParsedDocument, drafts: Drafts) -> Iterator[Section]:
    """A heading with its text up to the next heading; one without text of its own goes with the heading after it."""
    stack: list[tuple[int, str]] = []
    first, has_text = 0, False
    for number, draft in enumerate(drafts):
        level = _heading_level(parsed, draft)
        if level is None:
            has_text = True
            continue
        if has_text:
            yield _section(parsed, drafts, first, number - 1, stack)
            first, has_text = number, False
        if draft.piece == 0:
            stack = [*(above for above in stack if above[0] < level), (level, _title(parsed, draft))]
    yield _section(parsed, drafts, first, len(drafts) - 1, stack)


def _heading_level(parsed: ParsedDocument, draft: Draft) -> int | None:
    """Of the heading that the draft is (or, where the cap cut a very long one, a piece of)."""
    element = parsed.elements[draft.element]
    return element.level if element.kind is Kind.HEADING else None


def _under_clauses(
    parsed: ParsedDocument, drafts: Drafts, clauses: Mapping[int, Clause], most: int
) -> Iterator[Section]:
    """A clause with all that is below it where that is small, else its own text, then the clauses below it.

    A clause that is a caption alone goes with the clause after it, as a heading does.
    """
    heads = _heads(drafts, clauses)
    ends = [*(number for number, _ in heads[1:]), len(drafts)]
    sums = [0, *accumulate(drafts.tokens)]
    stack: list[tuple[int, str]] = []
    first = place = 0
    while place < len(heads):
        number, clause = heads[place]
        if number > first and not stack:
            yield _section(parsed, drafts, first, number - 1, stack)
            first = number
        stack = [*(above for above in stack if above[0] < clause.level), (clause.level, clause.title)]
        after = _behind(heads, place)
        whole = sums[ends[after - 1]] - sums[number] <= most
        last = ends[after - 1] - 1 if whole else ends[place] - 1
        if whole or not clause.is_caption or drafts.elements[number] != drafts.elements[last]:
            yield replace(_section(parsed, drafts, first, last, stack), kind="clause")
            first = last + 1
        place = after if whole else place + 1
    if first < len(drafts):
        yield replace(_section(parsed, drafts, first, len(drafts) - 1, stack), kind="clause")


def _heads(drafts: Drafts, clauses: Mapping[int, Clause]) -> list[tuple[int, Clause]]:
    """The first sentence of each clause."""
    firsts: dict[int, int] = {}
    for number, element in enumerate(drafts.elements):
        firsts.setdefault(element, number)
    return [(firsts[element], clause) for element, clause in sorted(clauses.items()) if element in firsts]


def _behind(heads: Sequence[tuple[int, Clause]], place: int) -> int:
    """Which head is the first that is not below the one at `place`."""
    level = heads[place][1].level
    below = takewhile(lambda head: head[1].level > level, heads[place + 1 :])
    return place + 1 + sum(1 for _ in below)


def _title(parsed: ParsedDocument, draft: Draft) -> str:
    element = parsed.elements[draft.element]
    return " ".join(parsed.text[element.char_start : element.char_end].split())


def _section(
    parsed: ParsedDocument, drafts: Drafts, first: int, last: int, stack: Sequence[tuple[int, str]]
) -> Section:
    page = parsed.elements[drafts.elements[first]].page
    level = stack[-1][0] if stack else None
    return Section(first, last, "section", tuple(title for _, title in stack), level, page)


def _pages(parsed: ParsedDocument, drafts: Drafts) -> Iterator[Section]:
    pages = _page_numbers(parsed, drafts)
    chains = _outline_chains(parsed.outline)
    for page, run in groupby(range(len(drafts)), key=pages.__getitem__):
        inside = list(run)
        path = _outline_path(chains, page) or _first_heading(parsed, [drafts[number] for number in inside])
        yield Section(inside[0], inside[-1], parsed.pages or "page", path, None, page)


def _page_numbers(parsed: ParsedDocument, drafts: Drafts) -> list[int | None]:
    """The page of each draft; one without a page stands where the draft before it does."""
    numbers: list[int | None] = []
    for element in drafts.elements:
        numbers.append(parsed.elements[element].page or (numbers[-1] if numbers else None))
    return numbers


def _outline_chains(outline: Sequence[OutlineEntry]) -> list[tuple[OutlineEntry, ...]]:
    """Each entry with those above it, outermost first."""
    chains: list[tuple[OutlineEntry, ...]] = []
    for entry in outline:
        above = chains[-1] if chains else ()
        chains.append((*(other for other in above if other.level < entry.level), entry))
    return chains


def _outline_path(chains: Sequence[tuple[OutlineEntry, ...]], page: int | None) -> tuple[str, ...]:
    """The titles that all entries which begin on the page share, or else those of the first of them.

    Where none begins on the page, those of the last entry before it.
    """
    reached = [chain for chain in chains if page is not None and chain[-1].page <= page]
    here = [chain for chain in reached if chain[-1].page == page] or reached[-1:]
    shared = [entries[0] for entries in takewhile(lambda entries: len(set(entries)) == 1, zip(*here, strict=False))]
    return tuple(entry.title for entry in shared or [entry for chain in here[:1] for entry in chain])


def _first_heading(parsed: ParsedDocument, drafts: Sequence[Draft]) -> tuple[str, ...]:
    titles = (_title(parsed, draft) for draft in drafts if draft.kind is Kind.HEADING)
    return tuple(title for title in [next(titles, None)] if title)
