"""Boundary F1 of the sentence splitter on gold sets, beside sentencex alone; of Thai by the splitter for Thai.

    python benchmarks/sentences.py

The Thai set needs the extra `thai`; without it the default rules are measured there, which find nothing.

Paragraph breaks are left as they come. A boundary is the end of a sentence, less white space; the end of a document
counts for nothing. The sets are those of `$TAILGATE_CORPORA/segmentation` or `~/.cache/tailgate-corpora/segmentation`.
"""

import json
import os
from collections.abc import Callable, Iterable
from pathlib import Path

from tailgate.config.tree import Segment
from tailgate.errors import ModelUnavailable
from tailgate.segment.splitter import SentencexSplitter, Splitter, spans_between
from tailgate.segment.splitters import open_splitter

SETS = {
    "ud_en_ewt_dev": 92.0,
    "ud_en_ewt_test": 92.0,
    "ud_de_gsd_dev": 96.5,
    "ud_zh_gsdsimp_dev": 98.5,
    "ud_ja_gsd_dev": 98.5,
    "pysbd_golden": 93.0,
    "mlsbd_en_CD_bva_test": 93.0,
    "ud_th_tud_test": 50.0,
}
Split = Callable[[str, str], Iterable[tuple[int, int]]]


def measure() -> list[tuple[str, float, float, float]]:
    """Of each set: its name, the F1 wanted, the F1 of Tailgate's splitter, the F1 of sentencex alone."""
    ours = _best()
    return [(name, wanted, f1(name, ours.split), f1(name, _alone)) for name, wanted in SETS.items()]


def _best() -> Splitter:
    """The default rules, with Thai by the splitter for it where its package is installed."""
    try:
        return open_splitter(Segment(splitter="thai"))
    except ModelUnavailable as error:
        print(error)
        return SentencexSplitter()


def f1(name: str, split: Split) -> float:
    """Boundary F1, in per cent, over all documents of a set together."""
    hit = guessed = gold = 0
    for document in _documents(name):
        text = document["text"]
        found, right = _ends(text, split(text, document["lang"])), _ends(text, document["spans"])
        hit, guessed, gold = hit + len(found & right), guessed + len(found), gold + len(right)
    return 200 * hit / max(1, guessed + gold)


def _documents(name: str) -> Iterable[dict]:
    corpora = Path(os.environ.get("TAILGATE_CORPORA", Path.home() / ".cache" / "tailgate-corpora"))
    with (corpora / "segmentation" / f"{name}.jsonl").open(encoding="utf-8", newline="") as lines:
        yield from (json.loads(line) for line in lines)


def _ends(text: str, spans: Iterable[tuple[int, int]]) -> set[int]:
    ends = [start + len(text[start:end].rstrip()) for start, end in spans if text[start:end].strip()]
    return set(ends[:-1])


def _alone(text: str, language: str) -> Iterable[tuple[int, int]]:
    import sentencex

    return spans_between(text, [found["start_index"] for found in sentencex.get_sentence_boundaries(language, text)])


def main() -> None:
    """The table is on the screen."""
    print(f"{'set':<24}{'wanted':>8}{'Tailgate':>10}{'sentencex':>11}")
    for name, wanted, ours, alone in measure():
        print(f"{name:<24}{wanted:>8.1f}{ours:>10.1f}{alone:>11.1f}")


if __name__ == "__main__":
    main()
