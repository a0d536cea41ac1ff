"""Compares the headings that the parser finds in Markdown with the `#` lines of the files.

    python benchmarks/headings.py [--list]

A heading counts as found where its level and its letters agree. Written headings are read without the parser: lines of
one to six `#` and a blank, outside of front matter, code fences, HTML comments, `pre` and lines indented by four or
more; lines underlined with `===` or `---`, and raw `<h1>` to `<h6>`, are headings in Markdown too and count on both
sides.

In `anthropic_docs` every heading is a line with `##`; those with one `#` are comments in code that was pasted without a
fence, and the underlined ones lie in strings of such code. The row `anthropic_docs` takes them for what they are; the
row `anthropic_docs, # comments as headings` counts them as written headings all the same, for a strict reading of
"every `#` line outside a code fence".
"""

import argparse
import os
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from tailgate.models import Kind, SourceFile
from tailgate.parse import parse

SETS = ("anthropic_docs", "prometheus_docs", "handbook_18f")
STRICT = "anthropic_docs, # comments as headings"
Heading = tuple[int, str]

_FRONT_MATTER = re.compile(r"\A---\r?\n.*?\n---\r?\n", re.DOTALL)
_COMMENT = re.compile(r"<!--.*?-->|<pre\b.*?</pre>", re.DOTALL)
_FENCE = re.compile(r"[\s>]*(?:[-*+]\s+|\d+[.)]\s+)?(```+|~~~+)")
_HASHES = re.compile(r"[ >]{0,3}(?:[-*+] |\d+[.)] )?(#{1,6})[ \t]+(.*?)\s*#*\s*$")
_RAW = re.compile(r"<h([1-6])\b[^>]*>(.*?)</h\1>", re.DOTALL | re.IGNORECASE)
_UNDERLINE = re.compile(r" {0,3}(=+|-+)\s*$")
_NO_TEXT = re.compile(r"[\s>]*(?:[-*+|#>]|\d+[.)]\s|$|<)| {4}")


def measure() -> list[tuple[str, int, int, int]]:
    """(set, found, missed, extra) for each set, and the strict row last."""
    rows = [_counts(name, name == SETS[0]) for name in SETS]
    strict = _counts(SETS[0], pasted_comments=False)
    return [*rows, (STRICT, *strict[1:])]


def differences(name: str) -> Iterator[tuple[str, str, Heading]]:
    """(path, `missed` or `extra`, heading) for each heading of a set on which the two disagree."""
    for path in _files(name):
        written, found = _written(path, pasted_comments=name == SETS[0]), _found(path)
        yield from ((path.name, "missed", heading) for heading in (written - found).elements())
        yield from ((path.name, "extra", heading) for heading in (found - written).elements())


def _counts(name: str, pasted_comments: bool) -> tuple[str, int, int, int]:
    found = missed = extra = 0
    for path in _files(name):
        written, parsed = _written(path, pasted_comments=pasted_comments), _found(path)
        found += (written & parsed).total()
        missed += (written - parsed).total()
        extra += (parsed - written).total()
    return name, found, missed, extra


def _files(name: str) -> list[Path]:
    root = Path(os.environ.get("TAILGATE_CORPORA", Path.home() / ".cache" / "tailgate-corpora"))
    return sorted((root / name).rglob("*.md"))


def _written(path: Path, *, pasted_comments: bool) -> Counter[Heading]:
    text = _COMMENT.sub("", _FRONT_MATTER.sub("", path.read_text(encoding="utf-8")))
    headings = _of_lines(text.splitlines())
    return Counter(heading for heading, sign in headings if not pasted_comments or sign == "##")


def _of_lines(lines: list[str]) -> Iterator[tuple[Heading, str]]:
    """Each heading with what marks it."""
    outside, fence = list[str](), ""
    for line in lines:
        opening = _FENCE.match(line)
        if opening:
            fence = "" if fence and opening[1].startswith(fence) else fence or opening[1]
        elif not fence:
            outside.append(line)
    for before, line in zip(["", *outside], outside, strict=False):
        if hashes := _HASHES.match(line):
            yield (len(hashes[1]), _letters(hashes[2])), hashes[1]
        elif (underline := _UNDERLINE.match(line)) and not _NO_TEXT.match(before):
            yield ((1 if underline[1][0] == "=" else 2), _letters(before)), underline[1][0]
    for raw in _RAW.finditer("\n".join(outside)):
        yield (int(raw[1]), _letters(re.sub(r"<[^>]*>", "", raw[2]))), "<"


def _found(path: Path) -> Counter[Heading]:
    data = path.read_bytes()
    document = parse(data, SourceFile(str(path), path.name, len(data), None))
    return Counter(
        (element.level or 0, _letters(document.text[element.char_start : element.char_end]))
        for element in document.elements
        if element.kind is Kind.HEADING
    )


def _letters(text: str) -> str:
    """The letters and digits that are read, without where links and images lead."""
    return re.sub(r"[\W_]+", "", re.sub(r"\]\([^)]*\)", "", text)).lower()


def main() -> None:
    """A row a set, with recall and precision, is on the screen."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--list", action="store_true", help="show each heading that was missed or is extra")
    if parser.parse_args().list:
        for name in SETS:
            for path, what, (level, letters) in differences(name):
                print(f"{name} {path}: {what} {'#' * level} {letters}")
    print(f"{'set':42} {'found':>6} {'missed':>6} {'extra':>6} {'recall':>7} {'precision':>9}")
    for name, found, missed, extra in measure():
        recall, precision = found / max(1, found + missed), found / max(1, found + extra)
        print(f"{name:42} {found:6} {missed:6} {extra:6} {recall:7.4f} {precision:9.4f}")


if __name__ == "__main__":
    main()
