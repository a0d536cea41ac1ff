"""How fast one core parses and segments, by kind of document, and what the time goes to.

    python benchmarks/speed.py [--profile KIND]

Processor time, not the clock's. Bytes are the files' own; of DOCX, whose files are packed, the text's too.
"""

import argparse
import cProfile
import os
import pstats
import time
from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from tailgate.config import Corpus, Source
from tailgate.errors import DocumentError
from tailgate.models import ParsedDocument, SourceFile
from tailgate.parse import parse
from tailgate.segment import open_segmenter

MOST_BYTES = 4_000_000
KINDS = {
    "markdown": (("anthropic_docs", "*.md"), ("prometheus_docs", "*.md"), ("handbook_18f", "*.md")),
    "html": (("binary_fixtures", "*.html"), ("binary_fixtures", "*.htm")),
    "plain text": (("cuad", "*.txt"), ("chroma_chunking_eval", "*.txt"), ("chroma_chunking_eval", "*.md")),
    "transcripts": (("qmsum_product", "*.txt"),),
    "docx": (("binary_fixtures", "*.docx"),),
}


@dataclass(frozen=True, slots=True)
class Speed:
    """Of one kind of document."""

    kind: str
    files: int
    file_bytes: int
    chars: int
    parse_s: float
    segment_s: float

    @property
    def kb_a_second(self) -> float:
        """Thousand bytes of the files, parsed and segmented."""
        return self.file_bytes / 1000 / (self.parse_s + self.segment_s)


WANTED = {"markdown": 150, "html": 150, "plain text": 3000}
"""Bounds in kB/s a core, where there is one."""


def measure(kinds: Iterable[str] = tuple(KINDS)) -> list[Speed]:
    """One figure a kind, over at most MOST_BYTES of its files; everything has been imported before the watch starts."""
    segmenter = open_segmenter(Corpus(name="speed", source=Source(uri=".")))
    figures = []
    for kind in kinds:
        files = _files(kind)
        for document in filter(None, map(_parsed, files[:2])):
            segmenter.segment(document)
        started = time.process_time()
        documents = [document for document in map(_parsed, files) if document]
        parsed = time.process_time()
        for document in documents:
            segmented = segmenter.segment(document)
            # Units are made when they are asked for.
            for units in (segmented.sentences, segmented.windows, segmented.parents, segmented.children):
                deque(units, maxlen=0)
        ended = time.process_time()
        sizes = sum(path.stat().st_size for path in files)
        chars = sum(len(document.text) for document in documents)
        figures.append(Speed(kind, len(files), sizes, chars, parsed - started, ended - parsed))
    return figures


def _files(kind: str) -> list[Path]:
    root = Path(os.environ.get("TAILGATE_CORPORA", Path.home() / ".cache" / "tailgate-corpora"))
    found = [path for name, pattern in KINDS[kind] for path in sorted((root / name / "docs").rglob(pattern))]
    taken, size = list[Path](), 0
    for path in found:
        size += path.stat().st_size
        if size <= MOST_BYTES:
            taken.append(path)
        else:
            size -= path.stat().st_size
    return taken


def _parsed(path: Path) -> ParsedDocument | None:
    data = path.read_bytes()
    name = path.with_suffix(".txt").name if path.parent.parent.name == "chroma_chunking_eval" else path.name
    try:
        return parse(data, SourceFile(str(path), name, len(data), None))
    except DocumentError:
        return None


def main() -> None:
    """A row a kind, or a profile of one, is on the screen."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--profile", choices=KINDS, metavar="KIND", help=f"one of {', '.join(KINDS)}")
    profiled = parser.parse_args().profile
    if profiled:
        with cProfile.Profile() as profile:
            measure([profiled])
        pstats.Stats(profile).sort_stats("cumulative").print_stats(40)
        return
    print(f"{'kind':12} {'files':>5} {'MB':>6} {'parse s':>8} {'segment s':>9} {'kB/s':>7} {'text kB/s':>9}")
    for speed in measure():
        took = speed.parse_s + speed.segment_s
        cells = (
            f"{speed.kind:12} {speed.files:5} {speed.file_bytes / 1e6:6.2f} {speed.parse_s:8.2f} {speed.segment_s:9.2f}"
        )
        print(f"{cells} {speed.kb_a_second:7.0f} {speed.chars / 1000 / took:9.0f}")


if __name__ == "__main__":
    main()
