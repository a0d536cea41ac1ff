"""One advice for a whole corpus, from what fits each shape in it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from tailgate.advise.costs import Cost, costs
from tailgate.advise.figures import Figures, figures
from tailgate.advise.shapes import Choice, ShapeAdvice, shape_advice
from tailgate.config import Corpus
from tailgate.models import Shape
from tailgate.survey import Material
from tailgate.wording import per_cent

Verdict = Literal["window", "parent", "neither", "by shape", "nothing"]

NEARLY_ALL = 0.9
"""The share of all tokens from which one choice is the advice for all documents."""
COMPUTED = "Computed, so true for every query: the shapes, all sizes, and both ceilings."
TO_MEASURE = (
    "To be measured on a built corpus: prompt sizes over real questions and what merging saves (`tailgate prompts`), "
    "and whether the answers are found. The typical prompt is an estimate."
)


@dataclass(frozen=True, slots=True)
class Advice:
    """What to build and why; `settings` are the lines of a corpus file that follow from it."""

    verdict: Verdict
    headline: str
    shapes: tuple[ShapeAdvice, ...]
    costs: tuple[Cost, ...]
    cautions: tuple[str, ...]
    settings: dict[str, object]
    computed: str = COMPUTED
    to_measure: str = TO_MEASURE


def advise(material: Material, corpus: Corpus) -> Advice:
    """The advice for these documents, with the bounds, k and budget of `corpus`."""
    shapes, priced = tuple(shape_advice(material, corpus)), costs(material, corpus)
    verdict = _verdict(shapes)
    seen = figures(material)
    return Advice(
        verdict=verdict,
        headline=_headline(verdict, shapes, priced),
        shapes=shapes,
        costs=priced,
        cautions=tuple(_cautions(verdict, seen, corpus)),
        settings=_settings(verdict, seen, corpus),
    )


def _verdict(shapes: Sequence[ShapeAdvice]) -> Verdict:
    if not shapes:
        return "nothing"
    choice, share = next(iter(_by_choice(shapes).items()))
    return choice if share >= NEARLY_ALL else "by shape"


def _by_choice(shapes: Sequence[ShapeAdvice]) -> dict[Choice, float]:
    """The share of all tokens that each choice is for, the largest first."""
    choices = dict.fromkeys(advice.choice for advice in shapes)
    shares = {choice: sum(a.token_share for a in shapes if a.choice == choice) for choice in choices}
    return dict(sorted(shares.items(), key=lambda item: -item[1]))


def _headline(verdict: Verdict, shapes: Sequence[ShapeAdvice], priced: Sequence[Cost]) -> str:
    chosen = [advice for advice in shapes if advice.choice == verdict]
    match verdict:
        case "nothing":
            return "Nothing could be read, so there is nothing to advise."
        case "by shape":
            return f"No one design fits all: {_each(shapes)}. {_if_one(shapes, priced)}"
        case "neither":
            return f"Neither design, as these files are: {_documents(chosen)}."
        case "parent":
            return f"Parent documents: {_documents(chosen)}."
        case "window" if chosen[0].shape is Shape.WIKI:
            return f"Sentence windows, as the bounded answer and not the better one: {_documents(chosen)}."
        case "window":
            return f"Sentence windows: {_documents(chosen)}."


def _documents(chosen: Sequence[ShapeAdvice]) -> str:
    shares = (f"{a.figures.documents:,} {_plural(a)} ({per_cent(a.token_share)} of the text)" for a in chosen)
    return ", ".join(shares)


def _each(shapes: Sequence[ShapeAdvice]) -> str:
    return "; ".join(
        f"{choice} for {_documents([a for a in shapes if a.choice == choice])}" for choice in _by_choice(shapes)
    )


def _if_one(shapes: Sequence[ShapeAdvice], priced: Sequence[Cost]) -> str:
    both = "Build both and choose for each query, or make a corpus of each shape."
    safe = [cost.design for cost in priced if cost.guaranteed]
    wanted = [choice for choice in _by_choice(shapes) if choice in safe] or safe
    if not wanted:
        return f"{both} For neither design does the ceiling hold over all of them."
    reason = "both ceilings hold, and it fits more of the text" if len(safe) > 1 else "only its ceiling holds"
    return f"{both} If it must be one: {wanted[0]}, since {reason}."


def _plural(advice: ShapeAdvice) -> str:
    kind, many = advice.shape.value, advice.figures.documents != 1
    return {
        "prose": f"prose document{'s' * many}",
        "reference": f"reference page{'s' * many}",
        "wiki": f"wiki page{'s' * many}",
    }.get(kind, f"{kind}{'s' * many}")


def _cautions(verdict: Verdict, seen: Figures, corpus: Corpus) -> Iterator[str]:
    gates, most = corpus.gates, corpus.gates.unsegmentable_share.max
    if verdict in {"window", "parent", "by shape"} and seen.unsegmentable_share > most:
        yield (
            f"{per_cent(seen.unsegmentable_share)} of the characters are code, JSON, log lines or cut sentences "
            f"(bound {per_cent(most)}): five such lines are no context for the sixth, and with windows this would not "
            "be published."
        )
    if verdict in {"parent", "by shape"} and seen.authored_max > gates.parent_tokens_max.max:
        yield (
            f"The largest section has {seen.authored_max:,} tokens (bound {gates.parent_tokens_max.max:,.0f}). "
            "`oversize: split` cuts it at its own paragraphs for the prompt; the gate goes on measuring it whole, so "
            "divide such sections at the source, or raise the bound on purpose."
        )


def _settings(verdict: Verdict, seen: Figures, corpus: Corpus) -> dict[str, object]:
    designs: dict[Verdict, list[str]] = {"window": ["window"], "parent": ["parent"], "by shape": ["window", "parent"]}
    if verdict not in designs:
        return {}
    chosen: dict[str, object] = {"designs": designs[verdict]}
    if "parent" in designs[verdict] and seen.authored_max > corpus.gates.parent_tokens_max.max:
        chosen["segment"] = {"oversize": "split"}
    return chosen
