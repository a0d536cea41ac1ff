"""What is asked of a release, settled: by arguments where given, by the corpus file elsewhere."""

from dataclasses import dataclass
from typing import Any, TypedDict, cast

from tailgate.config import Corpus, Search
from tailgate.errors import ConfigError
from tailgate.retrieve.expand import Radius
from tailgate.retrieve.retrieve import UNITS, Expand


class Asked(TypedDict, total=False):
    """The arguments of a search; what is missing or None is as the corpus file says."""

    expand: str
    """`none`, `window` (where nothing is said) or `parent`."""
    k: int | None
    before: int | None
    after: int | None
    budget_tokens: int | None
    reserve_tokens: int | None
    rerank: str | None
    """A cross-encoder: a hub name or a folder."""


@dataclass(frozen=True, slots=True)
class Request:
    """One way to search and to send what was found; `reserve_tokens < budget_tokens`."""

    expand: Expand
    k: int
    radius: Radius
    budget_tokens: int
    reserve_tokens: int
    rerank: str | None


def settle(corpus: Corpus, asked: Asked) -> Request:
    """The request that arguments and corpus file make together; raises ConfigError, which names the argument."""
    expand = _expansion(asked.get("expand", "window"))
    radius = _radius(corpus, expand, asked.get("before"), asked.get("after"))
    search = _with(corpus.search, asked)
    k, budget, reserve = search["k"], search["budget_tokens"], search["reserve_tokens"]
    _refuse(k < 1, "k", f"{k} hits cannot be searched for", "Ask for at least one.")
    _refuse(budget < 1, "budget", f"a prompt of {budget:,} tokens holds nothing", "Give a larger budget.")
    _refuse(reserve < 0, "reserve", f"{reserve:,} is less than nothing", "Give 0 or more tokens.")
    _refuse(
        reserve >= budget,
        "reserve",
        f"{reserve:,} tokens reserved of {budget:,} leave none for passages",
        "Give a reserve that is smaller than the budget.",
    )
    return Request(expand, k, radius, budget, reserve, search["rerank"])


def _with(search: Search, asked: Asked) -> dict[str, Any]:
    given = {key: value for key, value in asked.items() if key in Search.model_fields and value is not None}
    return search.model_dump() | given


def _expansion(expand: str) -> Expand:
    _refuse(expand not in UNITS, "expand", f"there is no expansion `{expand}`", f"Use one of {', '.join(UNITS)}.")
    return cast(Expand, expand)


def _radius(corpus: Corpus, expand: Expand, before: int | None, after: int | None) -> Radius:
    given = [name for name, value in (("before", before), ("after", after)) if value is not None]
    _refuse(
        bool(given) and expand != "window",
        " and ".join(given),
        f"a radius belongs to `window`, not to `{expand}`",
        "Leave it out, or ask for `window`.",
    )
    window = corpus.window
    radius = Radius(
        window.before if before is None else before, window.after if after is None else after, window.within
    )
    _refuse(min(radius.before, radius.after) < 0, "radius", "a radius counts sentences", "Give 0 or more.")
    return radius


def _refuse(condition: bool, argument: str, reason: str, remedy: str) -> None:
    if condition:
        raise ConfigError(argument, reason, remedy)
