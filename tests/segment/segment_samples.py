"""Parsed documents made by hand or by hypothesis, and corpora with small sizes to segment them with."""

from typing import Any

from hypothesis import strategies as st

from tailgate.config import Corpus
from tailgate.models import Element, Kind, OutlineEntry, ParsedDocument, SegmentedDocument
from tailgate.segment import open_segmenter

Block = tuple[Kind, str] | tuple[Kind, str, dict[str, Any]]


def parsed(*blocks: Block, gap: str = "\n\n", **fields: Any) -> ParsedDocument:
    """The blocks' texts with a gap between them, and an element for each."""
    parts, elements, position = list[str](), list[Element](), 0
    for kind, text, *more in blocks:
        elements.append(Element(kind, position, position + len(text), **(more[0] if more else {})))
        parts.append(text)
        position += len(text) + len(gap)
    return ParsedDocument(text=gap.join(parts), elements=tuple(elements), media_type="text/plain", **fields)


def corpus(window: dict[str, Any] | None = None, **sizes: Any) -> Corpus:
    return Corpus.model_validate({"name": "x", "source": {"uri": "."}, "segment": sizes, "window": window or {}})


def segment(document: ParsedDocument, window: dict[str, Any] | None = None, **sizes: Any) -> SegmentedDocument:
    return open_segmenter(corpus(window, **sizes)).segment(document)


def heading(text: str, level: int | None) -> Block:
    return (Kind.HEADING, text, {"level": level})


def prose(text: str) -> Block:
    return (Kind.PROSE, text)


def numbered(count: int) -> ParsedDocument:
    """A paragraph of `count` sentences, each with its number."""
    return parsed(prose(" ".join(f"Sentence number {i} is here." for i in range(count))))


WORDS = st.sampled_from([
    *("The", "radius", "of", "a", "window", "Dr.", "e.g.", "U.S.", "3.5", "1.", "(a)", "Ünïcödé", "👩‍👩‍👧", "e\u0301"),
    *("今天天气很好。", "我们去公园！2010年", "「はい。」", "ภาษาไทย", "“Stop!”", "(see. This)", "...", "!?", ".", "§"),
    *("https://example.org/a/b?c=d", "x" * 60, '{"a":[1,2]}', "\x1c", "\x85", "\xa0", "\u2028", "\u200b", "\ufeff"),
])
GAPS = st.sampled_from([" ", " ", " ", "\n", "  ", "\t", "\r\n", "\xa0", "\u3000", ""])
FLOWS = st.lists(st.tuples(WORDS, GAPS), min_size=1, max_size=30).map(lambda pairs: "".join(a + b for a, b in pairs))
ANY_TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=80)
CELLS = st.lists(st.sampled_from(["id", "name", "17", "", "a long cell with words", "値"]), min_size=1, max_size=4)
TABLES = st.lists(CELLS.map(" | ".join), min_size=1, max_size=8).map("\n".join)
LINES = st.lists(FLOWS, min_size=1, max_size=4).map("\n".join)


@st.composite
def blocks(draw: st.DrawFn) -> Block:
    kind = draw(st.sampled_from([Kind.PROSE, *(kind for kind in Kind if not kind.startswith("table_"))]))
    if kind is Kind.TABLE:
        return (kind, draw(TABLES), {"header_rows": draw(st.integers(0, 2))})
    if kind is Kind.HEADING:
        return heading(draw(FLOWS), draw(st.sampled_from([1, 2, 3, 4, None])))
    if kind is Kind.TURN:
        speaker = draw(st.sampled_from(["Ana", "Dr. B. Lee", "S"]))
        return (kind, f"{speaker}: {draw(FLOWS)}", {"speaker": speaker})
    return (kind, draw(LINES if kind in {Kind.CODE, Kind.JSON, Kind.LOG} else FLOWS | ANY_TEXT))


@st.composite
def documents(draw: st.DrawFn) -> ParsedDocument:
    """Any mixture of elements, sometimes on pages with an outline."""
    made = draw(st.lists(blocks(), max_size=14))
    if not draw(st.booleans()) or not made:
        return parsed(*made, language=draw(st.sampled_from(["en", "de", "zh", "ja", "th", "xx"])))
    pages = sorted(draw(st.lists(st.integers(1, 5), min_size=len(made), max_size=len(made))))
    paged = [
        (kind, text, {**(more[0] if more else {}), "page": page})
        for (kind, text, *more), page in zip(made, pages, strict=True)
    ]
    entries = draw(st.lists(st.builds(OutlineEntry, st.just("Part"), st.integers(1, 3), st.integers(1, 5)), max_size=4))
    return parsed(*paged, pages=draw(st.sampled_from(["page", "slide"])), outline=tuple(entries))


SIZES = st.fixed_dictionaries({
    "sentence_max_tokens": st.integers(1, 40),
    "child_tokens": st.integers(1, 40),
    "block_tokens": st.integers(1, 60),
    "parent_max_tokens": st.integers(1, 60),
    "oversize": st.sampled_from(["keep", "split", "fail"]),
})
RADII = st.fixed_dictionaries({
    "before": st.integers(0, 5),
    "after": st.integers(0, 5),
    "within": st.sampled_from(["document", "section"]),
})
