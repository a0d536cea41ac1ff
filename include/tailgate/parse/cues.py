"""What was said when, in pieces as a screen or a speech recogniser cuts it: sentences are joined again to turns."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from tailgate.models import Kind
from tailgate.parse.builder import Block
from tailgate.parse.transcript import Turn, turn_of

LONGEST_TURN = 1_000
"""Characters above which cues are not joined on: speech without punctuation has no sentence end to wait for."""

_SENTENCE_END = re.compile(r"[.!?…。！？｡؟।॥][\"'”’»)\]」』）♪*_]*$")
_CUT_SPEECH = re.compile(r"(?:\.\.\.|…)$")
_DOTS = re.compile(r"^[.…\s]+")
_WIDE = re.compile(r"[\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef\u0e00-\u0e7f]")
_CHANGE = re.compile(r"(?:>>+|[-–—])\s*")
_NAME = re.compile(r"(?:[^\W\d_a-z][\w.'’-]*|\d+)(?:[ _](?:[^\W\d_a-z][\w.'’-]*|\d+)){0,3}$")
_FEW = 12


@dataclass(frozen=True, slots=True)
class Cue:
    """A piece of speech; times are seconds from the beginning."""

    text: str
    speaker: str | None = None
    start_s: float | None = None
    end_s: float | None = None
    is_new: bool = False
    """Whether the transcript marks a change of speaker here, without a name."""


def turns_of(cues: Sequence[Cue]) -> Iterator[Block]:
    """TURNs, `Speaker: text` each where the speaker is known, from the first of their cues to the last.

    Cues of one speaker are joined until a sentence ends with one of them, or up to LONGEST_TURN characters.
    """
    joined: Cue | None = None
    for cue in cues if any(cue.speaker for cue in cues) else _with_names(cues):
        if joined is not None and _goes_on(joined, cue):
            joined = replace(joined, text=_glued(joined.text, cue.text), end_s=cue.end_s)
            continue
        if joined is not None:
            yield _block(joined)
        joined = cue
    if joined is not None:
        yield _block(joined)


def _goes_on(before: Cue, cue: Cue) -> bool:
    return (
        cue.speaker == before.speaker
        and not cue.is_new
        and len(before.text) + len(cue.text) < LONGEST_TURN
        and not _ends(before.text, cue.text)
    )


def _ends(before: str, following: str) -> bool:
    """Whether a sentence ends between two cues; three dots before a small letter only stand for a pause."""
    if _CUT_SPEECH.search(before):
        return not _DOTS.sub("", following)[:1].islower()
    return _SENTENCE_END.search(before) is not None


def _glued(before: str, after: str) -> str:
    if before and after and _WIDE.match(before[-1]) and _WIDE.match(after[0]):
        return before + after
    return f"{before} {after}".strip()


def _block(cue: Cue) -> Block:
    text = f"{cue.speaker}: {cue.text}" if cue.speaker else cue.text
    return Block(Kind.TURN, text, speaker=cue.speaker, start_s=cue.start_s, end_s=cue.end_s)


def _with_names(cues: Sequence[Cue]) -> Iterator[Cue]:
    """The cues with the speakers that their own texts name (`Ann: …`); who was named last goes on speaking."""
    found = [_named(cue.text) for cue in cues]
    names = _speakers([turn.speaker for turn, _ in filter(None, found)], len(cues))
    speaker: str | None = None
    for cue, named in zip(cues, found, strict=True):
        if named and named[0].speaker in names:
            speaker = named[0].speaker
            yield replace(cue, text=named[1], speaker=speaker, is_new=False)
        else:
            speaker = None if cue.is_new else speaker
            yield replace(cue, speaker=speaker)


def _named(text: str) -> tuple[Turn, str] | None:
    """Who is named before the text, and the text after the name."""
    said = _CHANGE.sub("", text, count=1) if _CHANGE.match(text) else text
    turn = turn_of(said)
    return (turn, said[turn.end :].strip()) if turn and said[turn.end :].strip() else None


def _speakers(names: Iterable[str], cues: int) -> frozenset[str]:
    """Those of the names that are a person's rather than the beginning of `Step 1: …`.

    In a few cues, all that are written like names, if there are two; in many, only those that come back.
    """
    counts = Counter(name for name in names if _NAME.match(name))
    returning = frozenset(name for name, count in counts.items() if count > 1)
    if cues <= _FEW and len(counts) > 1:
        return frozenset(counts)
    return returning if len(returning) > 1 else frozenset()
