"""Documents one after the other become frames of numbers; their texts are let go of."""

import re
from array import array
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from tailgate.models import Kind, Origin, Parent, SegmentedDocument, Sentence, Window
from tailgate.survey.material import Material, Sight, Unit, Warned, place_of
from tailgate.survey.sights import is_file_text, look

if TYPE_CHECKING:
    import pandas as pd

DOCUMENT = ("document", "shape", "chars", "tokens", "sentences", "parents", "warnings")
KINDS, ORIGINS = tuple(Kind), tuple(Origin)
_CODES = {kind: code for code, kind in enumerate(KINDS)}
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")


class Collector:
    """Holds some thirty bytes for each unit, and a look at the largest units of each document."""

    def __init__(self) -> None:
        self._documents: list[tuple[Any, ...]] = []
        self._sentences = {name: array("I") for name in ("ordinal", "chars", "raw_tokens", "piece", "window_tokens")}
        self._kinds, self._pseudo = array("B"), array("B")
        self._parents = {name: array("I") for name in ("ordinal", "piece", "tokens", "raw_tokens")}
        self._origins, self._paths = array("B"), list[tuple[str, ...]]()
        self._sights: dict[tuple[Unit, str, int], Sight] = {}
        self._warned: dict[str, Warned] = {}
        self._windows = True

    def add(self, name: str, content_hash: str, document: SegmentedDocument) -> None:
        """The document is counted under its name, which no other has; the hash is of the file's bytes."""
        parsed, counts = document.parsed, (len(document.sentences), len(document.parents))
        sizes = len(parsed.text), document.tokens, *counts, len(parsed.warnings)
        self._documents.append((name, document.shape.value, *sizes))
        self._add_sentences(document.sentences, document.windows)
        self._add_parents(document.parents)
        in_file = is_file_text(parsed.text, content_hash)
        for unit, ordinal in self._largest(*counts):
            self._sights[unit, name, ordinal] = look(document, unit, ordinal, in_file=in_file)
        for warning in parsed.warnings:
            # The same warning with other figures is the same warning.
            seen = self._warned.get(key := _NUMBER.sub("0", warning), Warned(warning, 0, name))
            self._warned[key] = Warned(seen.message, seen.documents + 1, seen.example)

    def material(self) -> Material:
        """Everything that was added."""
        import pandas as pd

        documents = pd.DataFrame(self._documents, columns=list(DOCUMENT))
        sentences = {name: np.asarray(column) for name, column in self._sentences.items()}
        if not self._windows:
            del sentences["window_tokens"]
        sentences["kind"] = _named(KINDS, self._kinds)
        sentences["pseudo"] = np.asarray(self._pseudo).astype(bool)
        parents: dict[str, Any] = {name: np.asarray(column) for name, column in self._parents.items()}
        parents |= {"origin": _named(ORIGINS, self._origins), "heading_path": self._paths}
        return Material(
            documents=documents,
            sentences=self._units("sentence", documents, sentences),
            parents=self._units("parent", documents, parents),
            warnings=tuple(sorted(self._warned.values(), key=lambda warned: -warned.documents)),
            sight=lambda unit, name, ordinal: self._sights.get((unit, name, ordinal), Sight()),
        )

    def _add_sentences(self, sentences: Sequence[Sentence], windows: Sequence[Window]) -> None:
        held = self._sentences
        for sentence in sentences:
            held["ordinal"].append(sentence.ordinal)
            held["chars"].append(sentence.char_end - sentence.char_start)
            held["raw_tokens"].append(sentence.raw_tokens)
            held["piece"].append(sentence.piece)
            self._kinds.append(_CODES[sentence.kind])
            self._pseudo.append(sentence.pseudo)
        self._windows = self._windows and len(windows) == len(sentences)
        held["window_tokens"].extend(window.tokens for window in windows)

    def _add_parents(self, parents: Sequence[Parent]) -> None:
        for parent in parents:
            for name, column in self._parents.items():
                column.append(getattr(parent, name))
            self._origins.append(ORIGINS.index(parent.origin))
            self._paths.append(parent.heading_path)

    def _largest(self, sentences: int, parents: int) -> Iterator[tuple[Unit, int]]:
        """The units of the last document that a list of offenders can name; the first of equals, as there."""
        if sentences:
            raw, piece, windows = (
                _last(self._sentences[c], sentences) for c in ("raw_tokens", "piece", "window_tokens")
            )
            yield "sentence", int(np.argmax(np.where(piece == 0, raw, 0)))
            if self._windows:
                yield "sentence", int(np.argmax(windows))
        if parents:
            tokens, raw, piece = (_last(self._parents[c], parents) for c in ("tokens", "raw_tokens", "piece"))
            authored = _last(self._origins, parents) != ORIGINS.index(Origin.SYNTHETIC)
            yield "parent", int(np.argmax(np.where((piece == 0) & authored, raw, 0)))
            yield "parent", int(np.argmax(tokens))

    def _units(self, unit: Unit, documents: "pd.DataFrame", columns: dict[str, Any]) -> "pd.DataFrame":
        import pandas as pd

        counts = documents[f"{unit}s"].to_numpy(dtype=np.int64)
        named = {name: np.repeat(documents[name].to_numpy(dtype=object), counts) for name in ("document", "shape")}
        starts = dict(zip(documents["document"], np.cumsum(counts) - counts, strict=True))
        places = np.full(int(counts.sum()), None, dtype=object)
        for (kind, name, ordinal), sight in self._sights.items():
            if kind == unit:
                places[starts[name] + ordinal] = place_of(sight, f"{unit} {ordinal}")
        return pd.DataFrame(named | columns | {"place": places})


def _last(column: "array[int]", count: int) -> npt.NDArray[np.int64]:
    return np.asarray(column[-count:], dtype=np.int64)


def _named(values: Sequence[str], codes: "array[int]") -> npt.NDArray[np.object_]:
    named: npt.NDArray[np.object_] = np.array([str(value) for value in values], dtype=object)
    return named.take(np.asarray(codes, dtype=np.int64))
