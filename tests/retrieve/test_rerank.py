"""A reranker sees what was matched and nothing around it."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest

from tailgate.embed.cross_encoder import CrossEncoderReranker, open_reranker
from tailgate.errors import ModelUnavailable
from tailgate.models import Hit
from tailgate.retrieve import rerank

HITS = [
    Hit("sentence", f"d:s{i}", "d", i, text, 1 - i / 10)
    for i, text in enumerate(["the ship", "a paper on rivers", "late"])
]


@dataclass
class Longest:
    """Prefers long texts, and keeps what it was shown."""

    seen: list[str] = field(default_factory=list)

    def rerank(self, query: str, hits: Sequence[Hit]) -> list[Hit]:
        self.seen += [hit.text for hit in hits]
        scored = [replace(hit, score=float(len(hit.text))) for hit in hits]
        return sorted(scored, key=lambda hit: -hit.score)


def test_without_a_reranker_the_order_stays() -> None:
    assert rerank(None, "ship", HITS, 2) == HITS[:2]


def test_the_reranker_decides_order_and_who_stays() -> None:
    longest = Longest()
    assert [hit.text for hit in rerank(longest, "ship", HITS, 2)] == ["a paper on rivers", "the ship"]
    assert longest.seen == [hit.text for hit in HITS]


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a real cross-encoder with random weights."""
    return save_tiny(tmp_path_factory.mktemp("tiny"), labels=1)


def save_tiny(folder: Path, labels: int) -> Path:
    import torch
    from transformers import BertConfig, BertForSequenceClassification, BertTokenizerFast

    words = sorted({word for hit in HITS for word in hit.text.split()})
    (folder / "vocab.txt").write_text("\n".join(["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *words]))
    torch.manual_seed(0)
    shape = {"hidden_size": 16, "num_hidden_layers": 1, "num_attention_heads": 2, "intermediate_size": 16}
    config = BertConfig(vocab_size=20, num_labels=labels, max_position_embeddings=64, **shape)
    BertForSequenceClassification(config).save_pretrained(folder)
    BertTokenizerFast(str(folder / "vocab.txt"), model_max_length=64).save_pretrained(folder)
    return folder


def test_a_cross_encoder_scores_the_matched_texts(tiny: Path) -> None:
    reranker = open_reranker(str(tiny))
    assert isinstance(reranker, CrossEncoderReranker)
    ranked = reranker.rerank("ship", HITS)
    assert sorted(hit.text for hit in ranked) == sorted(hit.text for hit in HITS)
    assert [hit.score for hit in ranked] == sorted((hit.score for hit in ranked), reverse=True)
    assert {hit.score for hit in ranked}.isdisjoint(hit.score for hit in HITS)
    assert reranker.rerank("ship", HITS) == ranked
    assert reranker.rerank("ship", []) == []


def test_a_model_with_several_scores_a_pair_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ModelUnavailable, match="3 scores a pair"):
        open_reranker(str(save_tiny(tmp_path, labels=3)))


def test_a_model_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(ModelUnavailable, match="nothing-here"):
        open_reranker(str(tmp_path / "nothing-here"))


def test_an_embedding_model_is_refused(tmp_path: Path) -> None:
    from transformers import BertConfig, BertModel, BertTokenizerFast

    save_tiny(tmp_path, labels=1)
    shape = {"hidden_size": 16, "num_hidden_layers": 1, "num_attention_heads": 2, "intermediate_size": 16}
    BertModel(BertConfig(vocab_size=20, **shape)).save_pretrained(tmp_path)
    BertTokenizerFast(str(tmp_path / "vocab.txt"), model_max_length=64).save_pretrained(tmp_path)
    with pytest.raises(ModelUnavailable, match="no cross-encoder"):
        open_reranker(str(tmp_path))
