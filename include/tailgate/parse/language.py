"""Names the language of a text by its script: cheap, deterministic, and enough to choose rules for sentence ends."""

import re
from collections import Counter

_SAMPLE_CHARS = 20_000
_LEAST_SHARE = 0.2
_SCRIPTS = {
    "kana": r"[\u3040-\u30ff\u31f0-\u31ff]",
    "zh": r"[\u3400-\u4dbf\u4e00-\u9fff]",
    "ko": r"[\u1100-\u11ff\uac00-\ud7af]",
    "th": r"[\u0e00-\u0e7f]",
    "ar": r"[\u0600-\u06ff\u0750-\u077f]",
    "he": r"[\u0590-\u05ff]",
    "hi": r"[\u0900-\u097f]",
    "bn": r"[\u0980-\u09ff]",
    "ta": r"[\u0b80-\u0bff]",
    "ru": r"[\u0400-\u04ff]",
    "el": r"[\u0370-\u03ff\u1f00-\u1fff]",
    "hy": r"[\u0530-\u058f]",
    "ka": r"[\u10a0-\u10ff]",
}
_ANY_SCRIPT = re.compile("|".join(f"(?P<{name}>{characters})" for name, characters in _SCRIPTS.items()))
_FOREIGN = re.compile("[\u0370-\U0010ffff]+")
_LETTER = re.compile(r"[^\W\d_]")


def language_of(text: str) -> str:
    """The language that a fifth of the letters at the text's start speak for, `en` where none does.

    Scripts that many languages share stand for their largest one; Latin script is always `en`.
    """
    sample = text[:_SAMPLE_CHARS]
    if sample.isascii():
        return "en"
    found = Counter(match.lastgroup or "" for match in _ANY_SCRIPT.finditer("".join(_FOREIGN.findall(sample))))
    # Japanese mixes kana with the characters of Chinese; any real share of kana tells them apart.
    kana = found.pop("kana", 0)
    if kana > found["zh"] / 20:
        found["ja"] = kana + found.pop("zh", 0)
    letters = len(_LETTER.findall(sample))
    name, count = max(found.items(), key=lambda item: (item[1], item[0]), default=("en", 0))
    return name if count > letters * _LEAST_SHARE else "en"


def stated_language(tag: str) -> str:
    """The language of a tag such as `de-DE`, or nothing where it is none."""
    match = re.match(r"\s*([A-Za-z]{2,3})(?:[-_]|\s*$)", tag)
    return match[1].lower() if match else ""
