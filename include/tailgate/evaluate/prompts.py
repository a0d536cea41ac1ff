"""The prompt-size table: windows and parents, measured on the sum over k hits, after merging, before any fitting."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from tailgate.config import Corpus, Design
from tailgate.evaluate.lengths import layouts
from tailgate.evaluate.questions import SEED, sample_questions
from tailgate.evaluate.sweep import measure
from tailgate.evaluate.tail import Tail, tail, upper_bound
from tailgate.models import Hit, Passage
from tailgate.retrieve import Reader, Request, expand, merge, open_reader, retrieve, settle

CHUNK = 64
"""Queries whose hits are expanded by the same few reads."""

Progress = Callable[[str, int, int], None]


@dataclass(frozen=True, slots=True)
class PromptColumn:
    """One design: what its units cost, and what its prompts cost."""

    expand: Design
    unit: Tail
    """Every unit of the release."""
    hit: Tail
    """The units that the hits brought, once a hit: large parents hold more children and are hit more often."""
    prompt: Tail
    """Tokens of all passages of a query, measured on the sum."""
    product: int
    """k × the median unit, which is what the prompt would be if it were a product."""
    ceiling_tokens: int
    """What no prompt can exceed: k × the largest window, or the k largest parents together."""
    over: int
    """Queries whose prompt and the reserve together exceed the budget."""
    share_over: float
    share_over_upper: float
    """The one-sided 95 % upper confidence bound of that share."""
    margin_tokens: int
    """Budget less reserve less p99 prompt: positive, nobody overflows; negative, somebody does."""
    saving_share: float
    """Of the tokens before merging and de-duplication, the part that merging saved."""
    passages: Tail
    """Distinct passages a prompt: parents sent once, windows merged."""
    missing: int
    """Hits that could not be expanded."""


@dataclass(frozen=True, slots=True)
class PromptsReport:
    """The prompt-size table of one release."""

    corpus: str
    release_id: str
    encoding: str
    k: int
    before: int
    after: int
    budget_tokens: int
    reserve_tokens: int
    queries: int
    drawn: Literal["questions", "sampled sentences"]
    """Whether somebody asked, or sentences of the corpus stand for what might be asked."""
    seed: int | None
    columns: tuple[PromptColumn, ...]


@dataclass(frozen=True, slots=True)
class _Asked:
    """What one query brought: tokens a hit, passages and tokens of the whole prompt."""

    hits: tuple[int, ...]
    passages: int
    tokens: int
    missing: int


def prompts(
    corpus: Corpus,
    questions: Sequence[str] | None = None,
    k: int | None = None,
    progress: Progress = lambda step, done, total: None,
) -> PromptsReport:
    """The prompt-size table of the published release, one column a design that it was built for.

    Without questions, sentences are drawn from the corpus. Raises NoRelease and ConfigError.
    """
    reader = open_reader(corpus)
    asked = sample_questions(reader.snapshot) if questions is None else list(questions)
    vectors = reader.vectors(asked)
    requests = [settle(corpus, {"expand": design, "k": k}) for design in corpus.designs]
    columns = tuple(_column(reader, request, vectors, progress) for request in requests)
    return PromptsReport(
        corpus=corpus.name,
        release_id=reader.release.release_id,
        encoding=corpus.tokens.encoding,
        k=requests[0].k,
        before=corpus.window.before,
        after=corpus.window.after,
        budget_tokens=requests[0].budget_tokens,
        reserve_tokens=requests[0].reserve_tokens,
        queries=len(asked),
        drawn="sampled sentences" if questions is None else "questions",
        seed=SEED if questions is None else None,
        columns=columns,
    )


def _column(reader: Reader, request: Request, vectors: npt.NDArray[np.float32], progress: Progress) -> PromptColumn:
    reader.require(request.expand)
    asked = list[_Asked]()
    for start in range(0, len(vectors), CHUNK):
        asked += _ask(reader, request, vectors[start : start + CHUNK])
        progress(f"ask {request.expand}", len(asked), len(vectors))
    units = _units(reader, request)
    room = request.budget_tokens - request.reserve_tokens
    over = sum(one.tokens > room for one in asked)
    sent, before = sum(one.tokens for one in asked), sum(sum(one.hits) for one in asked)
    prompt, unit = tail([one.tokens for one in asked]), tail(units)
    return PromptColumn(
        expand="parent" if request.expand == "parent" else "window",
        unit=unit,
        hit=tail([tokens for one in asked for tokens in one.hits]),
        prompt=prompt,
        product=request.k * unit.median,
        ceiling_tokens=_ceiling(request, units),
        over=over,
        share_over=over / len(asked) if asked else 0.0,
        share_over_upper=upper_bound(over, len(asked)),
        margin_tokens=room - prompt.p99,
        saving_share=1 - sent / before if before else 0.0,
        passages=tail([one.passages for one in asked]),
        missing=sum(one.missing for one in asked),
    )


def _ask(reader: Reader, request: Request, vectors: npt.NDArray[np.float32]) -> list[_Asked]:
    """What each of a few queries brings; their hits are expanded together."""
    found = [retrieve(reader.snapshot, vector, request.expand, request.k) for vector in vectors]
    hits: list[Hit] = list({hit.unit_id: hit for one in found for hit in one}.values())
    expanded = expand(reader.snapshot, hits, request.expand, request.radius, reader.tokenizer)
    by_unit: dict[str, Passage] = {passage.hits[0]: passage for passage in expanded.passages}
    asked = []
    for one in found:
        passages = [by_unit[hit.unit_id] for hit in one if hit.unit_id in by_unit]
        merged = merge(passages, expanded.texts, reader.tokenizer)
        sizes = tuple(passage.tokens for passage in passages)
        asked.append(_Asked(sizes, len(merged), sum(passage.tokens for passage in merged), len(one) - len(passages)))
    return asked


def _units(reader: Reader, request: Request) -> npt.NDArray[np.int64]:
    """Tokens of every unit of the release, counted with the corpus's encoding and radius of now."""
    if request.expand == "parent":
        texts = reader.snapshot.frame("parents", ["text"])["text"].tolist()
        return np.asarray(reader.tokenizer.counts(texts), dtype=np.int64)
    return measure(layouts(reader.snapshot), request.radius, reader.tokenizer).measured


def _ceiling(request: Request, units: npt.NDArray[np.int64]) -> int:
    if request.expand == "parent":
        return int(np.sort(units)[-request.k :].sum())
    return request.k * int(units.max(initial=0))
