"""One table of everything that is measured about structure, each figure beside the bound that it has to meet.

    python benchmarks/structure.py [--quick]

Needs the real corpora, in `$TAILGATE_CORPORA` or `~/.cache/tailgate-corpora`; `--quick` takes a part of the large sets.
"""

import argparse
import os
import random
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import fixtures
import headings
import sentences
import speed

from tailgate import config
from tailgate.errors import DocumentError
from tailgate.models import Kind, Origin, ParsedDocument, SegmentedDocument, SourceFile
from tailgate.parse import parse
from tailgate.segment import open_segmenter
from tailgate.segment.windows import join_ranges, ranges_of, window_range

CORPORA = Path(os.environ.get("TAILGATE_CORPORA", Path.home() / ".cache" / "tailgate-corpora"))
NUMBERED = re.compile(
    r"\s*(?:\d{1,3}(?:\.\d{1,3})*[.)]?\s+[A-Z(“\"]|\([a-zA-Z0-9]{1,4}\)\s|(?:ARTICLE|Article|SECTION|Section)\s+[IVXLC\d]+)"
)
SEGMENTER = open_segmenter(config.parse({"name": "benchmark", "source": {"uri": "."}}, where="benchmark"))
WINDOWS = 10_000
Row = tuple[str, str, str, bool | None]


def main() -> None:
    """The table is on the screen; a figure without a bound is marked with a dash."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="every tenth document of the large sets")
    step = 10 if parser.parse_args().quick else 1
    print(f"{'measure':<58}{'seen':>22}{'wanted':>14}")
    for measure in (
        _sentences,
        _headings,
        lambda: _clauses(step),
        lambda: _transcripts(step),
        _tables,
        _fixtures,
        _speed,
    ):
        for name, seen, wanted, met in measure():
            mark = {True: "", False: "  MISSED", None: ""}[met]
            print(f"{name:<58}{seen:>22}{wanted:>14}{mark}", flush=True)


def _sentences() -> Iterator[Row]:
    for name, wanted, ours, alone in sentences.measure():
        yield f"boundary F1, {name} (sentencex alone {alone:.1f})", f"{ours:.1f}", f"≥ {wanted}", ours >= wanted


def _headings() -> Iterator[Row]:
    for name, found, missed, extra in headings.measure():
        recall, precision = found / max(1, found + missed), found / max(1, found + extra)
        met = min(recall, precision) >= 0.995
        yield f"heading recall and precision, {name}", f"{recall:.4f} {precision:.4f}", "≥ 0.995", met


def _clauses(step: int) -> Iterator[Row]:
    numbered, starts, nested, sizes = 0, 0, 0, list[int]()
    for parsed, document in _documents("cuad", "docs/*.txt", step):
        parents = {parent.char_start for parent in document.parents if parent.origin is Origin.AUTHORED}
        clauses = _clause_starts(document)
        for element in parsed.elements:
            if NUMBERED.match(parsed.text[element.char_start : element.char_end]):
                numbered += 1
                starts += element.char_start in parents
                nested += element.char_start not in parents and element.char_start in clauses
        sizes += [parent.tokens for parent in document.parents if parent.origin is Origin.AUTHORED]
    share = (starts + nested) / max(1, numbered)
    yield f"clause recall, cuad ({starts:,} start a parent, {nested:,} nested)", f"{share:.4f}", "≥ 0.95", share >= 0.95
    p99 = sorted(sizes)[len(sizes) * 99 // 100]
    yield "authored parents of cuad: p99 and largest, tokens", f"{p99:,} {max(sizes):,}", "–", None


def _clause_starts(document: SegmentedDocument) -> set[int]:
    """Where a sentence stands in another clause than the sentence before it."""
    before = [None, *(sentence.clause for sentence in document.sentences)]
    return {s.char_start for s, last in zip(document.sentences, before, strict=False) if s.clause != last}


def _transcripts(step: int) -> Iterator[Row]:
    for name, every in (("qmsum_product", 1), ("sgd_calls", step)):
        found = [document for _, document in _documents(name, "docs/**/*.txt", every)]
        invented = sum(p.origin is not Origin.SYNTHETIC for document in found for p in document.parents)
        yield f"authored sections invented in {len(found):,} of {name}", f"{invented}", "0", invented == 0


def _tables() -> Iterator[Row]:
    found = [
        (parsed, document)
        for name in ("prometheus_docs", "handbook_18f", "binary_fixtures")
        for parsed, document in _documents(name, "docs/**/*", 1)
        if any(element.kind is Kind.TABLE and element.header_rows for element in parsed.elements)
    ]
    draw, bad = random.Random(7), 0
    for _ in range(WINDOWS):
        parsed, document = draw.choice(found)
        position, last = draw.randrange(len(document.sentences)), len(document.sentences) - 1
        first, end = window_range(position, draw.randint(0, 4), draw.randint(0, 4), 0, last)
        shown = join_ranges(parsed.text, ranges_of(document.sentences, first, end))
        bad += _lacks_header(document, first, end, shown)
    yield f"windows with rows but no header, of {WINDOWS:,}", f"{bad}", "0", bad == 0
    parents = [(document, parent) for _, document in found for parent in document.parents]
    bad = sum(
        _lacks_header(d, p.first_sentence, p.last_sentence, p.text) for d, p in parents if p.origin is Origin.AUTHORED
    )
    yield f"authored parents with rows but no header, of {len(parents):,}", f"{bad}", "0", bad == 0


def _lacks_header(document: SegmentedDocument, first: int, last: int, shown: str) -> bool:
    rows = [document.sentences[i] for i in range(first, last + 1)]
    headers = {row.header for row in rows if row.header is not None}
    return any(document.sentences[header].text not in shown for header in headers)


def _fixtures() -> Iterator[Row]:
    counts = Counter[str]()
    for _, result, count in fixtures.measure():
        counts[result] += count
    for name in ("crashed", "slow", "silent"):
        yield f"binary_fixtures: {name}", f"{counts[name]}", "0", counts[name] == 0
    for name, count in sorted(counts.items()):
        if name not in {"crashed", "slow", "silent"}:
            yield f"binary_fixtures: {name}", f"{count}", "–", None


def _speed() -> Iterator[Row]:
    for seen in speed.measure():
        wanted = speed.WANTED.get(seen.kind)
        name = f"parse and segment, {seen.kind}, kB/s a core"
        met = seen.kb_a_second >= wanted if wanted else None
        yield name, f"{seen.kb_a_second:,.0f}", f"≥ {wanted:,}" if wanted else "–", met


def _documents(name: str, pattern: str, step: int) -> Iterator[tuple[ParsedDocument, SegmentedDocument]]:
    for path in sorted(path for path in (CORPORA / name).glob(pattern) if path.is_file())[::step]:
        data = path.read_bytes()
        try:
            parsed = parse(data, SourceFile(str(path), path.name, len(data), None))
        except DocumentError:
            continue
        yield parsed, SEGMENTER.segment(parsed)


if __name__ == "__main__":
    main()
