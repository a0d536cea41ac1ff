"""Drafts and parents together: the sentences of a document."""

from collections.abc import Iterator, Mapping, Sequence

from tailgate.models import Kind, Parent, ParsedDocument, Sentence
from tailgate.segment.clauses import Clause
from tailgate.segment.drafts import Draft


def sentences_of(
    parsed: ParsedDocument, drafts: Sequence[Draft], parents: Sequence[Parent], clauses: Mapping[int, Clause]
) -> tuple[Sentence, ...]:
    """A sentence for each draft, in order, that knows its parent, its clause and, in a table, its header."""
    owners = [parent.ordinal for parent in parents for _ in range(parent.first_sentence, parent.last_sentence + 1)]
    headers, paths = _headers(drafts), _clause_paths(drafts, clauses)
    return tuple(
        _sentence(parsed, draft, ordinal, owner, headers.get(draft.element), path)
        for ordinal, (draft, owner, path) in enumerate(zip(drafts, owners, paths, strict=True))
    )


def _clause_paths(drafts: Sequence[Draft], clauses: Mapping[int, Clause]) -> Iterator[str | None]:
    """The clause of each draft: the one that its element begins, or the one before it."""
    path: str | None = None
    for draft in drafts:
        clause = clauses.get(draft.element)
        path = clause.path if clause else path
        yield path


def _headers(drafts: Sequence[Draft]) -> dict[int, tuple[int, int]]:
    """The ordinals of the first and the last header line of each table, by its element."""
    found: dict[int, tuple[int, int]] = {}
    for ordinal, draft in enumerate(drafts):
        if draft.kind is Kind.TABLE_HEADER:
            found[draft.element] = (found.get(draft.element, (ordinal, ordinal))[0], ordinal)
    return found


def _sentence(
    parsed: ParsedDocument,
    draft: Draft,
    ordinal: int,
    parent: int,
    header: tuple[int, int] | None,
    clause: str | None,
) -> Sentence:
    element = parsed.elements[draft.element]
    first, last = _above(draft, ordinal, header)
    return Sentence(
        ordinal=ordinal,
        kind=draft.kind,
        char_start=draft.start,
        char_end=draft.end,
        text=parsed.text[draft.start : draft.end],
        tokens=draft.tokens,
        raw_tokens=draft.raw_tokens,
        parent=parent,
        piece=draft.piece,
        pseudo=draft.pseudo,
        header=first,
        header_end=last,
        clause=clause,
        page=element.page,
        speaker=element.speaker,
        start_s=element.start_s,
        end_s=element.end_s,
    )


def _above(draft: Draft, ordinal: int, header: tuple[int, int] | None) -> tuple[int, int] | tuple[None, None]:
    """The header lines above a line of a table: all of them above a row, those before it above a header line."""
    if header is None or ordinal == header[0] or draft.kind not in {Kind.TABLE_ROW, Kind.TABLE_HEADER}:
        return None, None
    return header[0], min(header[1], ordinal - 1)
