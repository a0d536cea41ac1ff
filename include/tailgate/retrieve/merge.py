"""Passages of one query → passages that share no character: a parent once, windows that overlap or touch as one."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from tailgate.models import Passage
from tailgate.segment.tokens import Tokenizer
from tailgate.segment.windows import join_ranges

Range = tuple[int, int]


@dataclass(slots=True)
class _Run:
    """A stretch of one document and the windows (by their place in the order) that have a part in it."""

    start: int
    end: int
    owners: set[int]


def merge(passages: Sequence[Passage], texts: Mapping[str, str], tokenizer: Tokenizer) -> tuple[Passage, ...]:
    """Every character of the given passages once, in the order of the best hits; `texts` are the documents' by id.

    Windows of one document become one passage where they overlap, touch (nothing but blank characters between them),
    or carry the same table header; the union is verbatim. Parents and bare units are whole things: they stay apart
    when they touch, and are sent once when they come twice.
    """
    groups = _same(passages)
    groups += _connected(passages, texts)
    groups.sort(key=min)
    merged = [_together([passages[place] for place in sorted(group)], texts) for group in groups]
    grown = [place for place, group in enumerate(groups) if merged[place].text != passages[min(group)].text]
    counts = tokenizer.counts([merged[place].text for place in grown])
    for place, count in zip(grown, counts, strict=True):
        merged[place] = replace(merged[place], tokens=count)
    return tuple(merged)


def union(ranges: Sequence[Range], text: str) -> tuple[Range, ...]:
    """The ranges in order, disjoint, with what only blank characters separate joined: no other character is added."""
    return tuple((run.start, run.end) for run in _runs([(span, 0) for span in ranges], text))


def _same(passages: Sequence[Passage]) -> list[set[int]]:
    """The places of parents and bare units, those of the same text together."""
    places: dict[tuple[str, tuple[Range, ...]], set[int]] = defaultdict(set)
    for place, passage in enumerate(passages):
        if passage.kind != "window":
            places[passage.document_id, passage.ranges].add(place)
    return list(places.values())


def _connected(passages: Sequence[Passage], texts: Mapping[str, str]) -> list[set[int]]:
    """The places of windows, those that overlap or touch, directly or through others, together."""
    spans: dict[str, list[tuple[Range, int]]] = defaultdict(list)
    for place, passage in enumerate(passages):
        if passage.kind == "window":
            spans[passage.document_id] += [(span, place) for span in passage.ranges]
    groups: list[set[int]] = []
    for document_id, owned in spans.items():
        for run in _runs(owned, texts[document_id]):
            apart = [group for group in groups if group.isdisjoint(run.owners)]
            joined = run.owners.union(*(group for group in groups if not group.isdisjoint(run.owners)))
            groups = [*apart, joined]
    return groups


def _runs(owned: Sequence[tuple[Range, int]], text: str) -> list[_Run]:
    runs: list[_Run] = []
    for (start, end), owner in sorted(owned):
        if runs and (start <= runs[-1].end or not text[runs[-1].end : start].strip()):
            runs[-1].end = max(runs[-1].end, end)
            runs[-1].owners.add(owner)
        else:
            runs.append(_Run(start, end, {owner}))
    return runs


def _together(passages: Sequence[Passage], texts: Mapping[str, str]) -> Passage:
    """One passage in the place of several of one document; the first given is the one of the best hit."""
    best = passages[0]
    hits = tuple(dict.fromkeys(hit for passage in passages for hit in passage.hits))
    if best.kind != "window" or len(passages) == 1:
        return replace(best, hits=hits)
    text = texts[best.document_id]
    ranges = union([span for passage in passages for span in passage.ranges], text)
    return replace(
        best,
        ranges=ranges,
        first_sentence=min(passage.first_sentence for passage in passages),
        last_sentence=max(passage.last_sentence for passage in passages),
        text=join_ranges(text, ranges),
        hits=hits,
    )
