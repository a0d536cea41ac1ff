"""Makes the sample documents that are no plain text, and the two files of the bad night.

    python benchmarks/make_samples.py [--into FOLDER]

The contract (DOCX) and the handbook (PDF) come from `benchmarks/samples/*.md`; the log dump and the giant section are
drawn with a fixed seed. The same input gives the same bytes. Everything is invented.
"""

import argparse
import random
import textwrap
import zipfile
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime, timedelta
from io import BytesIO
from pathlib import Path

from samples import words

HERE = Path(__file__).resolve().parent
INCLUDE = HERE.parent / "include"
SEED = 20_261_130

Line = tuple[str, str]
"""The mark that a line of the source begins with (`#`, `##`, `-`, `|`, nothing), and the rest of it."""


def make() -> dict[str, bytes]:
    """Every generated file, by its path below `include/`."""
    return {
        "samples/contracts/supply-and-operation-agreement.docx": contract(_lines("contract.md")),
        "samples/handbook/operations-handbook.pdf": handbook(_lines("handbook.md")),
        "samples-bad-night/hub-ingest.log": log_dump(random.Random(SEED)).encode(),
        "samples-bad-night/field-diary.md": giant_section(random.Random(SEED)).encode(),
    }


def contract(lines: Iterable[Line]) -> bytes:
    """A DOCX whose title and articles have heading styles and whose schedules are tables."""
    import docx

    document = docx.Document()
    properties = document.core_properties
    properties.author, properties.title = "Velnook", "Supply and Operation Agreement"
    rows: list[list[str]] = []
    for mark, text in [*lines, ("", "")]:
        if mark == "|":
            rows += [_cells(text)] if not set(text) <= set("|- ") else []
            continue
        if rows:
            _add_table(document, rows)
            rows = []
        if mark in {"#", "##"}:
            document.add_heading(text, level=len(mark) - 1)
        elif text:
            document.add_paragraph(text)
    packed = BytesIO()
    document.save(packed)
    return _without_time(packed.getvalue())


def handbook(lines: Iterable[Line]) -> bytes:
    """A PDF with a text layer, each chapter on a page of its own, and an outline of chapters and sections."""
    pages, outline = _typeset(lines)
    return _Pdf(pages, outline).bytes()


def log_dump(draw: random.Random, size: int = 150_000) -> str:
    """Log lines of several hundred characters without a sentence in them, some of them whole payloads."""
    moment, lines, written = datetime(2026, 11, 30, 1, 58, tzinfo=UTC), list[str](), 0
    while written < size:
        moment += timedelta(milliseconds=draw.randrange(40, 30_000))
        stamp = f"{moment:%Y-%m-%dT%H:%M:%S}.{moment.microsecond // 1000:03d}Z"
        many = 260 if draw.random() < 0.03 else draw.randrange(18, 42)
        pairs = " ".join(_pair(draw) for _ in range(many))
        level, unit = draw.choice(words.LEVELS), draw.choice(words.UNITS)
        lines.append(f"{stamp} {level} {unit}[{draw.randrange(1000, 9999)}] {draw.choice(words.ACTIONS)} {pairs}\n")
        written += len(lines[-1])
    return "".join(lines)


def giant_section(draw: random.Random, size: int = 60_000, rest: int = 11_000) -> str:
    """A Markdown page of which nearly everything stands below one heading, and the rest below another."""
    days = _days(draw)
    return words.DIARY_HEAD + _first(days, size) + words.REST_HEAD + _first(days, rest)


def _first(parts: Iterator[str], size: int) -> str:
    """Of the parts as many as make the size."""
    text = ""
    while len(text) < size:
        text += next(parts)
    return text


def _days(draw: random.Random) -> Iterator[str]:
    """The days of the diary, without end; nobody writes on Saturdays and Sundays."""
    day = datetime(2026, 1, 5, tzinfo=UTC)
    while True:
        if day.weekday() < 5 and draw.random() < 0.8:
            yield _day(draw, day)
        day += timedelta(days=1)


def _lines(name: str) -> Iterator[Line]:
    for line in (HERE / "samples" / name).read_text(encoding="utf-8").splitlines():
        mark, _, rest = line.partition(" ")
        if line.startswith("|"):
            yield "|", line
        elif mark in {"#", "##", "-"}:
            yield mark, rest
        elif line:
            yield "", line


def _cells(row: str) -> list[str]:
    return [cell.strip() for cell in row.strip("| ").split("|")]


def _add_table(document: "docx.document.Document", rows: list[list[str]]) -> None:  # noqa: F821 - imported where used
    table = document.add_table(rows=0, cols=len(rows[0]), style="Table Grid")
    for row in rows:
        for cell, text in zip(table.add_row().cells, row, strict=True):
            cell.text = text


def _without_time(package: bytes) -> bytes:
    """The same package with one fixed date on each of its parts, so that it does not differ from day to day."""
    packed = BytesIO()
    with zipfile.ZipFile(BytesIO(package)) as old, zipfile.ZipFile(packed, "w") as new:
        for name in old.namelist():
            info = zipfile.ZipInfo(name, date_time=(2026, 11, 30, 0, 0, 0))
            info.compress_type = zipfile.ZIP_DEFLATED
            new.writestr(info, old.read(name))
    return packed.getvalue()


Printed = tuple[str, int, int, str]
"""A printed line: font, size, distance to the line above it, text."""

_FONTS = {"F1": "Helvetica", "F2": "Helvetica-Bold"}
_TOP, _BOTTOM, _LEFT, _CHARS = 790, 50, 60, 92
_STYLES = {"#": ("F2", 16, 30), "##": ("F2", 11, 20)}


def _typeset(lines: Iterable[Line]) -> tuple[list[list[Printed]], list[tuple[int, str, int]]]:
    """The printed lines of each page, and the outline: level, title, page from 0."""
    pages, outline, left = list[list[Printed]](), list[tuple[int, str, int]](), 0
    for mark, text in lines:
        printed = list(_printed(mark, text))
        height = sum(above for _, _, above, _ in printed)
        if mark == "#" or height > left:
            pages.append([])
            left = _TOP - _BOTTOM
        if mark in _STYLES:
            outline.append((len(mark), text, len(pages) - 1))
        pages[-1] += printed
        left -= height
    return pages, outline


def _printed(mark: str, text: str) -> Iterator[Printed]:
    font, size, above = _STYLES.get(mark, ("F1", 10, 17))
    shown = f"• {text}" if mark == "-" else text
    for number, line in enumerate(_wrapped(shown)):
        yield font, size, above if number == 0 else size + 3, line


def _wrapped(text: str) -> list[str]:
    """Lines of which the last one is clearly shorter where that can be had: it shows where a paragraph ends."""
    tries = [textwrap.wrap(text, chars) for chars in range(_CHARS, _CHARS - 12, -1)]
    return next((lines for lines in tries if len(lines[-1]) < _CHARS * 0.7), tries[0])


class _Pdf:
    """Numbers and writes the objects of one PDF."""

    def __init__(self, pages: list[list[Printed]], outline: list[tuple[int, str, int]]) -> None:
        self._objects: list[str] = ["", "", ""]  # catalogue, page tree and outline refer to what comes after them
        fonts = " ".join(f"/{name} {self._font(base)} 0 R" for name, base in _FONTS.items())
        numbers = [self._page(page, fonts) for page in pages]
        self._objects[0] = "<< /Type /Catalog /Pages 2 0 R /Outlines 3 0 R /PageMode /UseOutlines >>"
        kids = " ".join(f"{number} 0 R" for number in numbers)
        self._objects[1] = f"<< /Type /Pages /Kids [{kids}] /Count {len(numbers)} /MediaBox [0 0 595 842] >>"
        self._outline(outline, numbers)

    def bytes(self) -> bytes:
        body, offsets = b"%PDF-1.4\n%\xe2\xe3\xcf\xd3\n", list[int]()
        for number, content in enumerate(self._objects, start=1):
            offsets.append(len(body))
            body += f"{number} 0 obj\n{content}\nendobj\n".encode("cp1252")
        count = len(offsets) + 1
        table = "".join(f"{offset:010d} 00000 n \n" for offset in offsets)
        tail = f"trailer\n<< /Size {count} /Root 1 0 R >>\nstartxref\n{len(body)}\n%%EOF\n"
        return body + f"xref\n0 {count}\n0000000000 65535 f \n{table}{tail}".encode("ascii")

    def _add(self, content: str) -> int:
        self._objects.append(content)
        return len(self._objects)

    def _font(self, base: str) -> int:
        return self._add(f"<< /Type /Font /Subtype /Type1 /BaseFont /{base} /Encoding /WinAnsiEncoding >>")

    def _page(self, lines: list[Printed], fonts: str) -> int:
        shown = "".join(f"/{font} {size} Tf 0 -{above} Td ({_escaped(text)}) Tj\n" for font, size, above, text in lines)
        stream = f"BT {_LEFT} {_TOP + 20} Td\n{shown}ET"
        content = self._add(f"<< /Length {len(stream.encode('cp1252'))} >>\nstream\n{stream}\nendstream")
        return self._add(
            f"<< /Type /Page /Parent 2 0 R /Resources << /Font << {fonts} >> >> /Contents {content} 0 R >>"
        )

    def _outline(self, entries: list[tuple[int, str, int]], pages: list[int]) -> None:
        """Chapters below the outline's root, sections below their chapter; siblings are chained both ways."""
        first = len(self._objects) + 1
        parents, chapter = list[int](), 3
        for position, (level, _, _) in enumerate(entries):
            parents.append(3 if level == 1 else chapter)
            chapter = first + position if level == 1 else chapter
        children = {
            parent: [first + i for i, other in enumerate(parents) if other == parent] for parent in {3, *parents}
        }
        for position, (_, title, page) in enumerate(entries):
            beside = children[parents[position]]
            place = beside.index(first + position)
            links = f"/Prev {beside[place - 1]} 0 R " if place else ""
            links += f"/Next {beside[place + 1]} 0 R " if place + 1 < len(beside) else ""
            links += _family(children.get(first + position, []), sign="-")
            target = f"/Parent {parents[position]} 0 R /Dest [{pages[page]} 0 R /Fit]"
            self._add(f"<< /Title ({_escaped(title)}) {target} {links}>>")
        self._objects[2] = f"<< /Type /Outlines {_family(children[3])}>>"


def _family(children: list[int], sign: str = "") -> str:
    return f"/First {children[0]} 0 R /Last {children[-1]} 0 R /Count {sign}{len(children)} " if children else ""


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace("(", "\\(").replace(")", "\\)")


def _pair(draw: random.Random) -> str:
    value = draw.choice([
        lambda: f"{draw.getrandbits(64):016x}",
        lambda: str(draw.randrange(100_000)),
        lambda: f"C4-{draw.randrange(20_000, 21_999)}",
        lambda: f"{draw.randrange(256)}/{draw.randrange(256)}/{draw.randrange(65_536):04x}",
        lambda: draw.choice(words.STATES),
    ])
    return f"{draw.choice(words.FIELDS)}={value()}"


def _day(draw: random.Random, day: datetime) -> str:
    """One paragraph of the diary."""
    said = [f"{day:%A}, {day.day} {day:%B}. {draw.choice(words.OPENINGS)}"]
    for pattern in draw.sample(words.EVENTS, k=draw.randrange(3, 7)):
        site, there = draw.sample(words.SITES, k=2)
        who, other = draw.sample(words.PEOPLE, k=2)
        said.append(
            pattern.format(
                site=site,
                there=there,
                who=who,
                other=other,
                part=draw.choice(words.PARTS),
                bay=draw.randrange(1, 13),
                volts=f"{draw.randrange(115, 134) / 10:.1f}",
                minutes=draw.choice([10, 15, 20, 25, 40, 55, 70, 90]),
                signal=draw.randrange(78, 118),
                weather=draw.choice(words.WEATHER),
            )
        )
    return " ".join([*said, draw.choice(words.CLOSINGS)]).strip() + "\n\n"


def main() -> None:
    """The files are in their places below the folder."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--into", type=Path, default=INCLUDE, help="default: the checkout's include/")
    into: Path = parser.parse_args().into
    for path, data in make().items():
        target = into / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(data)
        print(f"{len(data):>9,} bytes  {target}")


if __name__ == "__main__":
    main()
