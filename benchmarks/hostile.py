"""Gives documents that are made to hurt to the isolated reader, and prints how each ended.

    python benchmarks/hostile.py [--quick] [--only WORD]

One table: input, limit that was set, seconds, the most memory at one moment in MB (million bytes), and how it ended: in
rows, or in the error that quarantines it. Memory is the worker's, that of the process which asks it and writes the
rows as a run does, and the largest sum of both. `--quick` leaves out what takes more than a few seconds. Linux only.
"""

import argparse
import base64
import contextlib
import json
import os
import random
import signal
import tempfile
import threading
import time
import zipfile
from collections import Counter
from collections.abc import Callable, Generator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from io import BytesIO
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from tailgate.config import Corpus
from tailgate.errors import DocumentError
from tailgate.isolate import open_shaper
from tailgate.isolate.limits import MB, resident
from tailgate.models import SourceFile
from tailgate.parse.registry import PARSERS
from tailgate.sources import list_source
from tailgate.store import RunFolder, ShardWriter

TICK_S = 0.02
BEGUN = 100 * MB
"""A worker that holds so much has begun on its document; an idle one has about 80 MB."""
DOCX_BODY = b'<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>'


def prose(size: int, word: str = "harbour") -> bytes:
    """About that many bytes of paragraphs whose sentences all differ."""
    chance, parts, total = random.Random(7), list[str](), 0
    said = f"the a {word} crane lifts quay north while tide slowly seven crew boxes before dawn and stacks them"
    words = said.split()
    while total < size:
        lengths = (chance.randint(5, 30) for _ in range(5))
        parts.append(" ".join(f"{' '.join(chance.choices(words, k=length)).capitalize()}." for length in lengths))
        total += len(parts[-1]) + 2
    return "\n\n".join(parts).encode()


def blob(size: int) -> bytes:
    """A single line of base64."""
    return base64.b64encode(random.Random(7).randbytes(size * 3 // 4))


def minified(size: int) -> bytes:
    """One array without a blank in it."""
    rows = [{"id": i, "name": f"n{i}", "of": [1, 2]} for i in range(size // 38)]
    return json.dumps(rows, separators=(",", ":")).encode()


def archive(members: dict[str, bytes]) -> bytes:
    """A zip file of these members."""
    file = BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, content in members.items():
            packed.writestr(name, content)
    return file.getvalue()


def zip_bomb() -> bytes:
    """A DOCX with a picture that unpacks to a thousand times its size."""
    return archive({"word/document.xml": DOCX_BODY, "word/media/image.png": bytes(60 * MB)})


def entity_bomb() -> bytes:
    """Ten entities, each ten times the one before it."""
    laughs = "".join(f'<!ENTITY l{i} "{f"&l{i - 1};" * 10}">' for i in range(1, 12))
    return f'<!DOCTYPE a [<!ENTITY l0 "ha">{laughs}]><a>&l11;</a>'.encode()


def pdf(pages: int, *, password: str = "", cyclic: bool = False) -> bytes:
    """A PDF with a line on each page; cyclic: its tree of pages holds itself."""
    objects = ["<< /Type /Catalog /Pages 2 0 R >>", "", "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>"]
    for number in range(pages):
        shown = f"BT /F1 12 Tf 50 750 Td (This is page {number} of them.) Tj ET"
        resources = f"/Contents {len(objects) + 2} 0 R /Resources << /Font << /F1 3 0 R >> >>"
        objects.append(f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] {resources} >>")
        objects.append(f"<< /Length {len(shown)} >>\nstream\n{shown}\nendstream")
    kids = [f"{4 + 2 * number} 0 R" for number in range(pages)] + ["2 0 R"] * cyclic
    objects[1] = f"<< /Type /Pages /Kids [{' '.join(kids)}] /Count {len(kids)} >>"
    body, offsets = "%PDF-1.4\n", list[int]()
    for number, content in enumerate(objects, start=1):
        offsets.append(len(body))
        body += f"{number} 0 obj\n{content}\nendobj\n"
    table = "".join(f"{offset:010d} 00000 n \n" for offset in offsets)
    trailer = f"trailer << /Size {len(objects) + 1} /Root 1 0 R >>\nstartxref\n{len(body)}\n%%EOF"
    data = f"{body}xref\n0 {len(objects) + 1}\n0000000000 65535 f \n{table}{trailer}".encode()
    return _locked(data, password) if password else data


def _locked(data: bytes, password: str) -> bytes:
    from pypdf import PdfReader, PdfWriter

    writer, file = PdfWriter(clone_from=PdfReader(BytesIO(data))), BytesIO()
    writer.encrypt(password, algorithm="AES-256")
    writer.write(file)
    return file.getvalue()


@dataclass(frozen=True, slots=True)
class Case:
    """Files that are made to hurt; `limits` are keys of `parse` that differ from their defaults."""

    name: str
    file: str
    make: Callable[[], bytes]
    limits: dict[str, Any] = field(default_factory=dict)
    slow: bool = False
    ends: tuple[signal.Signals, int] | None = None
    """A signal that workers get while they read it, and how many of them."""
    suffixes: tuple[str, ...] = ("",)
    """What is put behind the file's name: a file each."""


def noise() -> bytes:
    """300 kB of random bytes."""
    return random.Random(7).randbytes(300_000)


CASES = [
    Case("plain text, 50 MB, ASCII", "a.txt", lambda: prose(50 * MB), slow=True),
    Case("plain text, 50 MB, some of it not Latin", "a.txt", lambda: prose(50 * MB, "“海” na\u00efve"), slow=True),
    Case("plain text, 20 MB", "a.txt", lambda: prose(20 * MB), {"timeout_s": 2}),
    Case("plain text, 20 MB", "a.txt", lambda: prose(20 * MB), {"max_memory_mb": 160}),
    Case("one line of prose, 1 MB", "a.txt", lambda: prose(MB).replace(b"\n\n", b" ")),
    Case("one line of base64, 30 MB", "a.txt", lambda: blob(30 * MB), slow=True),
    Case("one line of base64, 30 MB", "a.txt", lambda: blob(30 * MB), {"timeout_s": 3}),
    Case("minified JSON, 8 MB", "a.json", lambda: minified(8 * MB), slow=True),
    Case("one letter, 4 MB", "a.txt", lambda: b"a" * 4 * MB, slow=True),
    Case("quotation marks, 2 MB", "a.txt", lambda: b'"' * 2 * MB),
    Case("CSV, 6 MB, a million rows", "a.csv", lambda: b"a,b,c\n" + b"1,2,3\n" * MB, slow=True),
    Case("XML, 60 MB, 7.5 million elements", "a.xml", lambda: b"<r>%b</r>" % (b"<a>1</a>" * 7_500_000), slow=True),
    Case("Markdown, 4 MB, 140,000 sections", "a.md", lambda: b"# H\n\nHello there. It works.\n\n" * 140_000, slow=True),
    Case("HTML, a million nested elements", "a.html", lambda: b"<div>" * MB + b"deep"),
    Case("HTML, a million open comments", "a.html", lambda: b"<!--" * MB),
    Case("Markdown, 30,000 nested quotations", "a.md", lambda: b">" * 30_000 + b" deep"),
    Case("zip bomb in a DOCX", "a.docx", zip_bomb),
    Case("entity bomb in XML", "a.xml", entity_bomb),
    Case("PDF, 3,000 pages", "a.pdf", lambda: pdf(3_000)),
    Case("PDF, 20,000 pages", "a.pdf", lambda: pdf(20_000), slow=True),
    Case("PDF whose pages hold themselves", "a.pdf", lambda: pdf(2, cyclic=True)),
    Case("PDF with a password", "a.pdf", lambda: pdf(2, password="secret")),
    Case(f"random bytes with {len(PARSERS)} suffixes", "a", noise, suffixes=tuple(PARSERS)),
    Case("20 MB; the worker is killed once", "a.txt", lambda: prose(20 * MB), ends=(signal.SIGKILL, 1), slow=True),
    Case("20 MB; each worker is killed", "a.txt", lambda: prose(20 * MB), ends=(signal.SIGKILL, 9)),
    Case("20 MB; each worker crashes", "a.txt", lambda: prose(20 * MB), ends=(signal.SIGSEGV, 9)),
    Case("20 MB; the worker stands still", "a.txt", lambda: prose(20 * MB), {"timeout_s": 3}, ends=(signal.SIGSTOP, 9)),
    Case("a file of 200 MB", "a.txt", lambda: bytes(200 * MB)),
]


@dataclass(slots=True)
class Peaks:
    """The most memory seen so far, in bytes."""

    worker: int = 0
    asker: int = 0
    both: int = 0

    def see(self, worker: int, asker: int) -> None:
        """What was seen at one moment."""
        self.worker, self.asker = max(self.worker, worker), max(self.asker, asker)
        self.both = max(self.both, worker + asker)


def write(number: int, folder: str) -> None:
    """The files of the case are in the folder."""
    case = CASES[number]
    content = case.make()
    for suffix in case.suffixes:
        Path(folder, f"{case.file}{suffix}").write_bytes(content)


def run(number: int, folder: str) -> tuple[str, float, Peaks]:
    """How the case ended, the seconds, and the memory: from its listed files up to the rows of its shard."""
    case = CASES[number]
    with tempfile.TemporaryDirectory() as store:
        tree = {"name": "hostile", "source": {"uri": folder}, "store": {"uri": store}, "parse": case.limits}
        corpus = Corpus.model_validate(tree)
        files = list_source(corpus).files
        with watched(case.ends) as peaks:
            started = time.perf_counter()
            result = shaped(corpus, files)
            return result, time.perf_counter() - started, peaks


def shaped(corpus: Corpus, files: tuple[SourceFile, ...]) -> str:
    """How the files ended; their rows are written as a run writes them."""
    results, sentences = list[str](), 0
    now = datetime.now(UTC)
    with open_shaper(corpus) as shaper, ShardWriter(RunFolder(corpus, "r"), 0, corpus, now) as writer:
        for file in files:
            try:
                content_hash, document = shaper.shape(file)
            except DocumentError as error:
                results.append(f"{type(error).__name__}: {error.reason}")
                continue
            writer.add(file, content_hash, document)
            sentences += len(document.sentences)
    if len(files) > 1:
        kinds = Counter(result.partition(":")[0] for result in results)
        return f"{len(files) - len(results)} with rows, {dict(kinds)}"
    return results[0] if results else f"{sentences:,} sentences"


def workers() -> list[int]:
    """The ids of this process's workers; a child that is about to become one still counts this process's memory."""
    found = list[int]()
    for task in Path("/proc/self/task").iterdir():
        with contextlib.suppress(OSError):  # it has ended meanwhile
            for child in (task / "children").read_text().split():
                is_worker = b"tailgate.isolate" in Path(f"/proc/{child}/cmdline").read_bytes()
                found += [int(child)] * is_worker
    return found


@contextmanager
def watched(ends: tuple[signal.Signals, int] | None = None) -> Generator[Peaks]:
    """Memory is looked at all the time; workers that have begun on a large document get the signal."""
    peaks, over, told = Peaks(), threading.Event(), set[int]()

    def watch() -> None:
        while not over.wait(TICK_S):
            held = {child: resident(child) for child in workers()}
            peaks.see(sum(held.values()), resident(os.getpid()))
            for child, size in held.items():
                if ends and size > BEGUN and child not in told and len(told) < ends[1]:
                    told.add(child)
                    os.kill(child, ends[0])

    thread = threading.Thread(target=watch)
    thread.start()
    try:
        yield peaks
    finally:
        over.set()
        thread.join()


def main() -> None:
    """Prints the table, a line as soon as it is known."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--quick", action="store_true")
    options.add_argument("--only", default="")
    chosen = options.parse_args()
    print(f"{'input':40} {'limit':17} {'s':>6} {'worker':>7} {'asker':>6} {'both':>6}  outcome")
    # A process for each task: what another one left behind would count as memory.
    with ProcessPoolExecutor(1, mp_context=get_context("spawn"), max_tasks_per_child=1) as pool:
        for number, case in enumerate(CASES):
            if chosen.only not in case.name or (chosen.quick and case.slow):
                continue
            with tempfile.TemporaryDirectory() as folder:
                pool.submit(write, number, folder).result()
                result, seconds, peaks = pool.submit(run, number, folder).result()
            limit = ", ".join(f"{key} {value:g}" for key, value in case.limits.items())
            memory = f"{peaks.worker / MB:7.0f} {peaks.asker / MB:6.0f} {peaks.both / MB:6.0f}"
            print(f"{case.name:40} {limit:17} {seconds:6.1f} {memory}  {result[:110]}", flush=True)


if __name__ == "__main__":
    main()
