from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tailgate.config import Corpus
from tailgate.models import Origin, SegmentedDocument, Shape
from tailgate.parse import parse
from tailgate.segment import open_segmenter
from tailgate.sources import list_source, read

pytestmark = pytest.mark.corpora


def documents(folder: Path, include: str, most: int) -> Iterator[SegmentedDocument]:
    corpus = Corpus.model_validate({"name": "x", "source": {"uri": str(folder), "include": [include]}})
    segmenter = open_segmenter(corpus)
    for file in list_source(corpus).files[:most]:
        yield segmenter.segment(parse(read(file, corpus), file))


def p95(found: list[SegmentedDocument]) -> int:
    raw = sorted(sentence.raw_tokens for document in found for sentence in document.sentences if sentence.piece == 0)
    return raw[len(raw) * 95 // 100]


@pytest.mark.parametrize(
    ("name", "include", "shape", "origin"),
    [
        ("qmsum_product", "**/*.txt", Shape.TRANSCRIPT, Origin.SYNTHETIC),
        ("handbook_18f", "**/*.md", Shape.REFERENCE, Origin.AUTHORED),
        ("cuad", "**/*.txt", Shape.REFERENCE, Origin.AUTHORED),
        ("asr_unpunctuated", "**/*.txt", Shape.DUMP, None),
    ],
)
def test_real_documents_keep_every_character(
    corpora: Callable[[str], Path], name: str, include: str, shape: Shape, origin: Origin | None
):
    found = list(documents(corpora(name), include, 12))
    for document in found:
        whole = "".join("".join(sentence.text for sentence in document.sentences).split())
        assert whole == "".join(document.parsed.text.split())
        assert max(child.tokens for child in document.children) <= 256
    assert sum(document.shape is shape for document in found) > len(found) / 2
    parents = [parent.origin for document in found for parent in document.parents]
    assert origin is None or parents.count(origin) > len(parents) / 2


def test_unpunctuated_speech_is_told_by_its_raw_sentences(corpora: Callable[[str], Path]):
    assert p95(list(documents(corpora("asr_unpunctuated"), "**/*.txt", 5))) > 1000
    assert p95(list(documents(corpora("qmsum_product"), "**/*.txt", 5))) < 60
