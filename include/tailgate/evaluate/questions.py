"""What is asked when prompts are measured: a log of questions, or sentences of the corpus drawn by a seed."""

import json
from pathlib import Path

import numpy as np

from tailgate.errors import ConfigError
from tailgate.models import Kind
from tailgate.store import Snapshot

SAMPLE = 400
"""More than the 299 of which none may be over budget to prove "under 1 %" with 95 % confidence."""

SEED = 20_240_229
ASKABLE = (Kind.PROSE, Kind.LIST_ITEM)


def read_questions(path: str | Path) -> list[str]:
    """The `question` of every line of a JSON Lines file, in order; raises ConfigError, which names file and line."""
    try:
        lines = Path(path).read_text(encoding="utf-8-sig").split("\n")
    except (OSError, UnicodeDecodeError) as error:
        reason = f"the questions cannot be read: {error}"
        raise ConfigError(str(path), reason, "Give a UTF-8 JSON Lines file.") from error
    filled = [(number, line) for number, line in enumerate(lines, start=1) if line.strip()]
    questions = [_question(f"{path}, line {number}", line) for number, line in filled]
    if not questions:
        raise ConfigError(str(path), "it holds no question", 'Write one JSON object a line: {"question": "..."}.')
    return questions


def sample_questions(snapshot: Snapshot, count: int = SAMPLE, seed: int = SEED) -> list[str]:
    """Sentences of the corpus, each at most once, drawn with the seed; all of them where there are no more."""
    kinds = ", ".join(f"'{kind.value}'" for kind in ASKABLE)
    frame = snapshot.frame("sentences", ["sentence_id", "text"], f"kind IN ({kinds})")
    if frame.empty:
        frame = snapshot.frame("sentences", ["sentence_id", "text"])
    texts = frame.sort_values("sentence_id")["text"].drop_duplicates().tolist()
    if len(texts) <= count:
        return [str(text) for text in texts]
    places = np.random.default_rng(seed).choice(len(texts), size=count, replace=False)
    return [str(texts[place]) for place in sorted(places)]


def _question(where: str, line: str) -> str:
    try:
        question = json.loads(line)["question"]
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise ConfigError(where, "it is no JSON object with a `question`", 'Write {"question": "..."}.') from error
    if not isinstance(question, str) or not question.strip():
        raise ConfigError(where, "its `question` is empty or no text", 'Write {"question": "..."}.')
    return question
