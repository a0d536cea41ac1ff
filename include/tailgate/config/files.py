"""A corpus file, found by name or path, checked whole, or refused with what to correct."""

import difflib
import os
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from tailgate.config.mistakes import sentence
from tailgate.config.paths import corpora_folder, corpus_files
from tailgate.config.strict_yaml import StrictYamlError, read_strictly
from tailgate.config.tree import Corpus
from tailgate.errors import ConfigError


def load(corpus: str | Path) -> Corpus:
    """The corpus named (a file under `include/corpora/`) or given by the path of its YAML file.

    Raises ConfigError, which names file, key, reason and remedy.
    """
    path = _path_of(str(corpus))
    try:
        tree = read_strictly(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, StrictYamlError) as error:
        reason = " ".join(str(error).split())
        raise ConfigError(str(path), f"it cannot be read as YAML: {reason}", "Correct the file.") from error
    if not isinstance(tree, dict):
        raise ConfigError(str(path), "it holds no mapping of keys", "Start with `name:` and `source:`.")
    found = parse(tree, where=str(path))
    if path.parent.resolve() == corpora_folder() and found.name != path.stem:
        reason = f"it says `name: {found.name}`, and a corpus is named after its file"
        raise ConfigError(str(path), reason, f"Write `name: {path.stem}`, or call the file {found.name}.yaml.")
    return found


def parse(tree: dict[str, Any], *, where: str) -> Corpus:
    """The corpus that a mapping describes; `where` is named in errors."""
    try:
        return Corpus.model_validate(tree)
    except ValidationError as error:
        problems = "; ".join(sentence(problem) for problem in error.errors())
        raise ConfigError(where, problems, "Correct these keys.") from error


def _path_of(corpus: str) -> Path:
    if corpus.endswith((".yaml", ".yml")):
        path = Path(os.path.expanduser(corpus))
        if os.path.isfile(path):
            return path
        raise ConfigError(corpus, "there is no such corpus file", "Give the path of a YAML file, or a corpus's name.")
    path = corpora_folder() / f"{corpus}.yaml"
    # Unlike pathlib's, these answer for any name, also for one that is too long or holds what no name can.
    if os.path.isfile(path):
        return path
    known = [file.stem for file in corpus_files()]
    near = difflib.get_close_matches(corpus, known, n=1)
    hint = f"Did you mean `{near[0]}`?" if near else f"Known: {', '.join(known) or 'none'}."
    raise ConfigError(corpus, f"no corpus of that name in {corpora_folder()}", hint)
