"""A cross-encoder that scores hits: query and matched text read together by one model."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from tailgate.errors import ModelUnavailable
from tailgate.models import Hit

if TYPE_CHECKING:
    from sentence_transformers import CrossEncoder

RANKING = ("ForSequenceClassification", "ForCausalLM")


class CrossEncoderReranker:
    """Scores by a sentence-transformers cross-encoder; sees the matched unit, never what surrounds it."""

    def __init__(self, model: "CrossEncoder") -> None:
        self._model = model

    def rerank(self, query: str, hits: Sequence[Hit]) -> list[Hit]:
        """The same hits with the model's scores, best first; equal scores keep the order in which they came."""
        if not hits:
            return []
        scores = self._model.predict([(query, hit.text) for hit in hits], show_progress_bar=False)
        scored = [replace(hit, score=float(score)) for hit, score in zip(hits, scores, strict=True)]
        return sorted(scored, key=lambda hit: -hit.score)


def open_reranker(name: str) -> CrossEncoderReranker:
    """The cross-encoder of that hub name or folder.

    Raises ModelUnavailable where it cannot be loaded, was not trained to rank, or gives several scores a pair.
    """
    place, remedy = Path(name).expanduser(), "Give the folder of a cross-encoder, or a hub name that can be reached."
    if not place.is_dir() and (place.is_absolute() or name.startswith(".")):
        raise _unavailable(name, "there is no such folder", remedy)
    from sentence_transformers import CrossEncoder

    try:
        model = CrossEncoder(str(place), device="cpu", local_files_only=place.is_dir())
    except Exception as error:  # noqa: BLE001  # a hub's client, a network and a model's own code may raise anything
        reason = (str(error).strip().splitlines() or [type(error).__name__])[0].rstrip(".")
        raise _unavailable(name, reason, remedy) from error
    # The library would put a head of random weights on any other model, and score by chance.
    if not any(kind.endswith(RANKING) for kind in model.config.architectures or ()):
        raise _unavailable(name, "it is no cross-encoder", "An embedding model cannot rerank; name a model that can.")
    if model.num_labels != 1:
        reason = f"it gives {model.num_labels} scores a pair instead of one"
        raise _unavailable(name, reason, "Use a model that was trained to rank.")
    return CrossEncoderReranker(model)


def _unavailable(name: str, reason: str, remedy: str) -> ModelUnavailable:
    return ModelUnavailable(f"Reranker `{name}`", reason, remedy)
