"""What is wrong with a corpus file, in words: the key, what was found, and the nearest known key."""

import difflib
from typing import Any

from pydantic import BaseModel

from tailgate.config.tree import Corpus

LONGEST = 200
WORDS = {
    "model_type": "it has keys of its own, so write it as `{{key: value}}`",
    "literal_error": "it must be {expected}",
    "string_pattern_mismatch": "it must match {pattern}",
}
"""What pydantic says in the language of Python types, said in that of a YAML file."""


def sentence(problem: Any) -> str:
    """One problem that pydantic found, with its key."""
    key = ".".join(str(part) for part in problem["loc"]) or "(top level)"
    if problem["type"] == "extra_forbidden":
        return f"unknown key `{key}`{_nearest(problem['loc'])}"
    said = WORDS.get(problem["type"])
    message = said.format(**problem.get("ctx", {})) if said else str(problem["msg"]).removeprefix("Value error, ")
    got = "" if problem["type"] == "missing" else f" (found: {_short(problem['input'])})"
    return f"`{key}`: {message}{got}"


def _short(value: Any) -> str:
    """The value as one would write it, or the start of it."""
    written = repr(value)
    return written if len(written) <= LONGEST else f"{written[:LONGEST]}…"


def _nearest(loc: tuple[str | int, ...]) -> str:
    """The known key that is most like an unknown one, among its siblings first, then in the whole tree."""
    siblings, everywhere = _keys_beside(loc), _all_keys(Corpus)
    near = difflib.get_close_matches(str(loc[-1]), siblings, n=1) or difflib.get_close_matches(
        str(loc[-1]), everywhere, n=1
    )
    return f", the nearest known one is `{near[0]}`" if near else f", known here: {', '.join(sorted(siblings))}"


def _keys_beside(loc: tuple[str | int, ...]) -> list[str]:
    model: type[BaseModel] = Corpus
    for part in loc[:-1]:
        if isinstance(part, str) and part in model.model_fields:
            model = _model_in(model.model_fields[part].annotation) or model
    return list(model.model_fields)


def _all_keys(model: type[BaseModel]) -> list[str]:
    keys = list(model.model_fields)
    for field in model.model_fields.values():
        inner = _model_in(field.annotation)
        keys += _all_keys(inner) if inner else []
    return keys


def _model_in(annotation: Any) -> type[BaseModel] | None:
    """The settings model that an annotation is or holds (`X | None`, `tuple[X, ...]`)."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    inner = (_model_in(part) for part in getattr(annotation, "__args__", ()))
    return next((model for model in inner if model), None)
