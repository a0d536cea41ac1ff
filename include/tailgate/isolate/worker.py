"""What runs in the worker process: one document after the other, until nobody asks any more."""

import faulthandler
import os
import pickle
import sys
from collections.abc import Iterable
from typing import BinaryIO

from tailgate.config import Corpus
from tailgate.errors import TailgateError, UnreadableDocument
from tailgate.isolate import frames
from tailgate.isolate.limits import MB, hold, most_resident, trim
from tailgate.isolate.packing import packed
from tailgate.isolate.segmenting import segmented
from tailgate.models import SourceFile
from tailgate.parse import parse
from tailgate.segment import Segmenter, open_segmenter

OUT_OF_MEMORY = 77
"""The exit code that says so: with no memory left, nothing longer can be said safely."""
LARGE_TEXT = 1_000_000
"""Characters above which what a parser leaves behind is given back before the text is segmented."""
GRACE_S = 2.0
"""Seconds above the time limit after which a worker ends by itself: its run was killed and cannot end it."""


def main() -> None:
    """Serves the process that has started this one: a corpus, then for each document a SourceFile and its bytes.

    The answer to each is an error, or the document as `packing` has it.
    """
    requests, answers = _pipes()
    corpus: Corpus = pickle.loads(frames.read(requests) or b"")
    hold(corpus.parse)
    faulthandler.enable()
    try:
        segmenter = open_segmenter(corpus)
    except TailgateError as error:
        frames.write(answers, [pickle.dumps(error)])
        return
    frames.write(answers, [pickle.dumps(None)])
    while (request := frames.read(requests)) is not None:
        faulthandler.dump_traceback_later(corpus.parse.timeout_s + GRACE_S, exit=True)
        file: SourceFile = pickle.loads(request)
        answer = _answer(segmenter, file, requests)
        if most_resident() > corpus.parse.max_memory_mb * MB:  # too short a time to be seen from outside
            os._exit(OUT_OF_MEMORY)
        frames.write(answers, answer)
        del answer
        faulthandler.cancel_dump_traceback_later()


def _answer(segmenter: Segmenter, file: SourceFile, requests: BinaryIO) -> Iterable[bytes]:
    try:
        # The bytes have no name here: they are gone when they have been parsed.
        parsed = parse(frames.read(requests) or b"", file)
        if len(parsed.text) > LARGE_TEXT:
            trim()
        return packed(segmented(segmenter, file, parsed))
    except BaseException as error:  # noqa: BLE001 - a panic of a Rust extension and SystemExit are no Exceptions
        if _is_out_of_memory(error):
            os._exit(OUT_OF_MEMORY)
        return [pickle.dumps(_as_answer(error, file))]


def _as_answer(error: BaseException, file: SourceFile) -> TailgateError:
    if isinstance(error, TailgateError):
        return error
    said = " ".join(str(error).split())[:200]
    return UnreadableDocument(file.uri, f"it cannot be read ({type(error).__name__}: {said})")


def _is_out_of_memory(error: BaseException | None) -> bool:
    """Whether it is one, or was raised because of one."""
    while error is not None and not isinstance(error, MemoryError):
        error = error.__cause__ or error.__context__
    return error is not None


def _pipes() -> tuple[BinaryIO, BinaryIO]:
    """Where requests come from and answers go; what a library prints, or asks for, goes elsewhere."""
    requests, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.dup2(sys.stderr.fileno(), 1)
    return requests, answers
