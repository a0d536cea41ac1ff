"""What fits one shape of document, and why: DESIGN section 6."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from tailgate.advise.figures import SPRAWLING_TOKENS, Figures, figures
from tailgate.config import Corpus, Gates
from tailgate.models import Shape
from tailgate.survey import Material
from tailgate.wording import per_cent

NEARLY_ALL = 0.9
Choice = Literal["window", "parent", "neither"]


@dataclass(frozen=True, slots=True)
class ShapeAdvice:
    """What fits the documents of one shape, with the figures that say so."""

    shape: Shape
    choice: Choice
    reason: str
    token_share: float
    figures: Figures


def shape_advice(material: Material, corpus: Corpus) -> Iterator[ShapeAdvice]:
    """The advice for each shape that there is, the shape with most tokens first."""
    tokens = material.documents.groupby("shape")["tokens"].sum().sort_values(ascending=False, kind="stable")
    for name, count in tokens.items():
        shape, seen = Shape(str(name)), figures(material, str(name))
        choice, reason = _choice(shape, seen, corpus)
        yield ShapeAdvice(shape, choice, reason, int(count) / max(1, int(tokens.sum())), seen)


def _choice(shape: Shape, seen: Figures, corpus: Corpus) -> tuple[Choice, str]:
    gates = corpus.gates
    match shape:
        case Shape.DUMP if _all_in_sections(seen, gates):
            return "parent", _examples(seen)
        case Shape.DUMP if seen.cut_share > gates.pseudo_sentence_share.max and not seen.sentences_hold(gates):
            return "neither", _no_sentences(seen, corpus)
        case Shape.DUMP:
            return "neither", _dump(seen)
        case Shape.REFERENCE:
            return "parent", _reference(seen, gates)
        case Shape.TABLE if seen.authored and seen.authored_max <= gates.parent_tokens_max.max:
            return "parent", f"the largest table or section has {seen.authored_max:,} tokens: it can come whole"
        case _ if not seen.sentences_hold(gates):
            return "neither", _no_sentences(seen, corpus)
        case Shape.TABLE:
            return "window", f"too large to come whole ({_largest(seen)}); windows of rows carry the header with them"
        case Shape.WIKI:
            return "window", _wiki(seen)
        case Shape.TRANSCRIPT:
            return "window", f"turns follow one another, {_invented(seen)}; {_sentences(seen, gates)}"
        case _:
            return "window", f"it reads from beginning to end, {_invented(seen)}; {_sentences(seen, gates)}"


def _dump(seen: Figures) -> str:
    return (
        f"{per_cent(seen.unsegmentable_share)} of the characters are code, JSON, log lines or cut sentences, which are "
        "no context for one another however short they are; give them a unit of their own (a record, a message, a "
        "stack trace) or leave them out"
    )


def _all_in_sections(seen: Figures, gates: Gates) -> bool:
    """Whether somebody made sections of bounded size all over them, as with examples of code under headings."""
    bounded = seen.authored_p99 <= gates.parent_tokens_p99.max and seen.authored_max <= gates.parent_tokens_max.max
    return bounded and seen.authored > NEARLY_ALL * seen.parents


def _examples(seen: Figures) -> str:
    return (
        f"{per_cent(seen.unsegmentable_share)} of the characters are code or data, but under headings: a section (99 % "
        f"of them up to {seen.authored_p99:,} tokens) keeps an example with what is said of it; a window would not"
    )


def _reference(seen: Figures, gates: Gates) -> str:
    kept = f"{seen.authored:,} sections that their authors made, 99 % of them up to {seen.authored_p99:,} tokens"
    if seen.authored_max <= gates.parent_tokens_max.max and seen.authored_p99 <= gates.parent_tokens_p99.max:
        return f"{kept}, the largest {seen.authored_max:,}: a hit brings what belongs together, under its headings"
    return f"{kept}, but the largest {seen.authored_max:,}: the boundaries are good, the tail is not (see below)"


def _wiki(seen: Figures) -> str:
    return (
        f"{per_cent(seen.sprawling_share)} of the text is in sections of more than {SPRAWLING_TOKENS:,} tokens "
        f"({_largest(seen)}): a window is the bounded answer, not the better one, since it ends after a count of "
        "sentences and not where the topic does"
    )


def _no_sentences(seen: Figures, corpus: Corpus) -> str:
    other = "set `segment.splitter` to `thai` for Thai or `sat` for other writing without full stops, "
    return (
        f"no sentences to count: their 95th percentile is {seen.sentence_p95:,} tokens "
        f"(bound {corpus.gates.sentence_tokens_p95.max:,.0f}) and {per_cent(seen.cut_share)} were cut at the hard cap, "
        "so neighbours are an accident; restore full stops first, as speech recognisers can, "
        f"{other if corpus.segment.splitter == 'rules' else ''}or choose another unit"
    )


def _invented(seen: Figures) -> str:
    if not seen.authored:
        return "and nobody made sections: all parents would be blocks that the splitter invents"
    return f"with {seen.authored:,} of {seen.parents:,} parents authored"


def _sentences(seen: Figures, gates: Gates) -> str:
    return f"sentences hold (95th percentile {seen.sentence_p95:,} tokens, bound {gates.sentence_tokens_p95.max:,.0f})"


def _largest(seen: Figures) -> str:
    return f"largest {seen.authored_max:,}"
