"""Segment any Text: a neural splitter for 85 languages, which needs no punctuation, for those who have its weights."""

import os
import re
from pathlib import Path
from typing import TYPE_CHECKING

from tailgate.config.paths import absolute
from tailgate.errors import ModelUnavailable
from tailgate.segment.splitter import BLANK_LINE, Span, in_stretches, spans_between

if TYPE_CHECKING:
    from wtpsplit_lite import SaT

UNSURE = 500
"""Characters before the end of a stretch of which the model has not seen enough of what follows."""
SUPERVISED, PLAIN = 0.25, 0.025
"""From which probability on a sentence ends: of models with one label, which are named `…-sm`, and of all others."""
_SURROGATE = re.compile(r"[\ud800-\udfff]")
_HUB_NAME = re.compile(r"\w[\w.-]*(/\w[\w.-]*)?")
_REMEDY = (
    "Set `segment.splitter_model` to a folder that holds a SaT model's model_optimized.onnx and config.json with "
    "XLM-RoBERTa's tokenizer.json, or to a name such as `sat-3l-sm` on a model hub that this machine can reach; or set "
    "`segment.splitter: rules`."
)


class SatSplitter:
    """Sentences by a SaT model, run by ONNX on the processor: the same text gives the same sentences."""

    def __init__(self, name: str, threshold: float | None = None) -> None:
        self._model = _load(name, absolute(name))
        # The package looks for `sm` anywhere in the path: where a folder lies would change where sentences end.
        self._threshold = threshold or (SUPERVISED if self._model.model.config.num_labels == 1 else PLAIN)

    def split(self, text: str, language: str) -> list[Span]:  # noqa: ARG002  # the model knows no languages
        """Stripped spans, in order, that hold every non-blank character of the text once."""
        found = in_stretches(_SURROGATE.sub("\N{REPLACEMENT CHARACTER}", text), self._boundaries, UNSURE)
        starts = [position + start for position, _, starts in found for start in starts]
        return spans_between(text, [*starts, *(blank.end() for blank in BLANK_LINE.finditer(text))])

    def _boundaries(self, text: str) -> list[int]:
        """Behind each character that the model takes for a sentence's last."""
        if not text.strip():
            return []
        likely = self._model.predict_proba(text) > self._threshold
        return [int(last) + 1 for last in likely.nonzero()[0] if last + 1 < len(text)]


def _load(name: str, place: str) -> "SaT":
    """The model; from this machine alone where it lies in a folder."""
    is_folder = Path(place).is_dir()
    if is_folder:
        os.environ["HF_HUB_OFFLINE"] = "1"
    elif not _HUB_NAME.fullmatch(name):
        raise _unavailable(name, f"there is no folder {place}", _REMEDY)
    try:
        from wtpsplit_lite import SaT
    except ImportError as error:
        reason = f"the package {error.name or 'wtpsplit-lite'} is not installed"
        raise _unavailable(
            name,
            reason,
            "Install it with `pip install -c requirements.txt -e '.[sat]'` in Tailgate's checkout, or set "
            "`segment.splitter: rules`.",
        ) from error
    try:
        if is_folder:
            return SaT(place, tokenizer_name_or_path=place, ort_providers=["CPUExecutionProvider"])
        owner = None if "/" in name else "segment-any-text"
        return SaT(name, ort_providers=["CPUExecutionProvider"], hub_prefix=owner)
    except Exception as error:  # noqa: BLE001  # a hub's client, a network and a runtime may raise anything
        reason = (str(error).strip().splitlines() or [type(error).__name__])[0].rstrip(".")
        raise _unavailable(name, reason, _REMEDY) from error


def _unavailable(name: str, reason: str, remedy: str) -> ModelUnavailable:
    return ModelUnavailable(f"SaT model `{name}`", reason, remedy)
