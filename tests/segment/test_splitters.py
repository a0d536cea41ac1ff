"""The splitters that a corpus file can name besides the default one; those whose packages are missing are skipped."""

import json
import sys
import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from tailgate.config import Corpus
from tailgate.config.tree import Segment
from tailgate.errors import ModelUnavailable
from tailgate.segment import open_segmenter
from tailgate.segment.splitter import STRETCH, SentencexSplitter, Span, Splitter
from tailgate.segment.splitters import open_splitter

THAI = "ขอขอบคุณครับ ฉันก็ไม่รีรอ เรียกชื่อเพื่อนให้ตอบคำถาม ดิฉันมีความเห็นว่าคนเราไม่ควรจะเชื่อเรื่องดวงชะตามากเกินไป"


def texts(text: str, spans: list[Span]) -> list[str]:
    return [text[start:end] for start, end in spans]


def loses_nothing(splitter: Splitter, text: str, language: str) -> bool:
    position = 0
    for start, end in splitter.split(text, language):
        assert position <= start < end <= len(text)
        assert not text[position:start].strip()
        assert text[start:end] == text[start:end].strip()
        position = end
    return not text[position:].strip()


class StopsModel:
    """A model that is sure of a sentence's end at each full stop, and of nothing else."""

    def __init__(self, name: str, **settings: Any) -> None:
        self.name, self.settings = name, settings

    def predict_proba(self, text: str) -> np.ndarray:
        assert "\ud800" not in text
        return np.array([0.1 if character == "." else 0.0 for character in text])


@pytest.fixture
def stops(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "wtpsplit_lite", SimpleNamespace(SaT=StopsModel))


def test_the_default_is_the_rules():
    assert isinstance(open_splitter(Segment()), SentencexSplitter)


@pytest.mark.parametrize("settings", [{"splitter": "sat"}, {"splitter_model": "x"}, {"splitter_threshold": 0.5}])
def test_a_model_and_the_splitter_that_reads_it_are_named_together(settings: dict[str, Any]):
    with pytest.raises(ValidationError, match="splitter"):
        Segment(**settings)


def test_another_splitter_segments_everything_anew():
    plain = Corpus.model_validate({"name": "x", "source": {"uri": "."}})
    for segment in (Segment(splitter="thai"), Segment(splitter="sat", splitter_model="sat-3l-sm")):
        assert plain.model_copy(update={"segment": segment}).stages.shape != plain.stages.shape


@pytest.mark.parametrize(
    ("settings", "package", "remedy"),
    [
        (Segment(splitter="thai"), "pythainlp.tokenize", r"pip install '\.\[thai\]'"),
        (Segment(splitter="sat", splitter_model="sat-3l-sm"), "wtpsplit_lite", r"pip install '\.\[sat\]'"),
    ],
)
def test_a_missing_package_is_named_with_its_remedy(
    settings: Segment, package: str, remedy: str, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setitem(sys.modules, package, None)
    corpus = Corpus.model_validate({"name": "x", "source": {"uri": "."}, "segment": settings.model_dump()})
    with pytest.raises(ModelUnavailable, match=remedy):
        open_segmenter(corpus)


def test_missing_weights_are_named_with_their_remedy(tmp_path: Path, stops: None, monkeypatch: pytest.MonkeyPatch):
    with pytest.raises(ModelUnavailable, match=r"there is no folder .*model_optimized.onnx"):
        open_splitter(Segment(splitter="sat", splitter_model=str(tmp_path / "nowhere")))

    def refuses(name: str, **settings: Any) -> None:
        raise ValueError("Could not find an ONNX model in the model directory.")

    monkeypatch.setattr(sys.modules["wtpsplit_lite"], "SaT", refuses)
    with pytest.raises(ModelUnavailable, match=r"Could not find an ONNX model.*splitter_model"):
        open_splitter(Segment(splitter="sat", splitter_model=str(tmp_path)))


@pytest.mark.parametrize(
    ("name", "threshold", "count"),
    [("sat-3l", None, 2), ("sat-3l-sm", None, 1), ("sat-3l-sm", 0.05, 2), ("sm", None, 2)],
)
def test_the_threshold_is_that_of_the_kind_of_model(
    tmp_path: Path, stops: None, name: str, threshold: float | None, count: int
):
    (tmp_path / name).mkdir()
    settings = Segment(splitter="sat", splitter_model=str(tmp_path / name), splitter_threshold=threshold)
    assert len(open_splitter(settings).split("one is here. two is there.", "en")) == count


@pytest.mark.parametrize(("name", "owner"), [("sat-3l", "segment-any-text"), ("somebody/sat-3l", None)])
def test_a_hub_name_without_an_owner_is_that_of_the_authors(stops: None, name: str, owner: str | None):
    splitter: Any = open_splitter(Segment(splitter="sat", splitter_model=name))
    assert splitter._model.settings["hub_prefix"] == owner


def test_a_model_reads_a_long_text_in_stretches(stops: None):
    text = "one \ud800 is here. two is\xa0there.\n\nthree without a stop\n\n" * 1_000
    assert len(text) > 5 * STRETCH
    spans = open_splitter(Segment(splitter="sat", splitter_model="sat-3l")).split(text, "en")
    assert texts(text, spans) == ["one \ud800 is here.", "two is\xa0there.", "three without a stop"] * 1_000


@given(st.text(st.sampled_from("ab. \n\ud800é😀"), max_size=80))
def test_a_model_loses_no_character(text: str):
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(sys.modules, "wtpsplit_lite", SimpleNamespace(SaT=StopsModel))
        assert loses_nothing(open_splitter(Segment(splitter="sat", splitter_model="sat-3l")), text, "en")


def test_a_model_in_a_folder_is_read_by_the_real_package(tmp_path: Path):
    pytest.importorskip("wtpsplit_lite", reason="the extra `sat` is not installed")
    pytest.importorskip("onnx", reason="onnx, which writes the model, is not installed")
    save_stops_model(tmp_path)
    splitter = open_splitter(Segment(splitter="sat", splitter_model=str(tmp_path)))
    text = "One \ud800 is here. Two is\xa0thère.\n\nThree 😀 without a stop\n\n" * 700
    expected = ["One \ud800 is here.", "Two is\xa0thère.", "Three 😀 without a stop"] * 700
    assert texts(text, splitter.split(text, "en")) == expected
    assert splitter.split(text, "en") == splitter.split(text, "xx")
    assert splitter.split(" \n ", "en") == []


def save_stops_model(folder: Path) -> None:
    """A model with the inputs and outputs of SaT, that is sure of full stops."""
    import onnx
    from onnx import TensorProto, helper, numpy_helper
    from tokenizers import Tokenizer, models, pre_tokenizers

    vocabulary = {token: i for i, token in enumerate(["<s>", "<pad>", "</s>", "<unk>", "▁", *map(chr, range(33, 127))])}
    tokenizer = Tokenizer(models.BPE(vocab=vocabulary, merges=[], unk_token="<unk>"))
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace()
    tokenizer.save(str(folder / "tokenizer.json"))
    logits = np.full((len(vocabulary), 1), -9, np.float32)
    logits[vocabulary["."]] = 5
    graph = helper.make_graph(
        [
            helper.make_node("Gather", ["table", "input_ids"], ["found"]),
            helper.make_node("Cast", ["attention_mask"], ["flat"], to=TensorProto.FLOAT),
            helper.make_node("Unsqueeze", ["flat", "axis"], ["mask"]),
            helper.make_node("Mul", ["found", "mask"], ["logits"]),
        ],
        "sat",
        [
            helper.make_tensor_value_info("input_ids", TensorProto.INT64, ["b", "s"]),
            helper.make_tensor_value_info("attention_mask", TensorProto.FLOAT16, ["b", "s"]),
        ],
        [helper.make_tensor_value_info("logits", TensorProto.FLOAT, ["b", "s", 1])],
        [numpy_helper.from_array(logits, "table"), numpy_helper.from_array(np.array([2]), "axis")],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    onnx.save(model, folder / "model_optimized.onnx")
    (folder / "config.json").write_text(json.dumps({"model_type": "xlm-token", "id2label": {"0": "LABEL_0"}}))


@pytest.fixture(scope="module")
def thai() -> Splitter:
    pytest.importorskip("pycrfsuite", reason="the extra `thai` is not installed")
    pytest.importorskip("pythainlp", reason="the extra `thai` is not installed")
    return open_splitter(Segment(splitter="thai"))


def test_thai_is_split_at_blanks_that_end_a_sentence(thai: Splitter):
    found = texts(THAI, thai.split(THAI, "th"))
    assert 1 < len(found) <= THAI.count(" ") + 1
    assert " ".join(found) == THAI


def test_a_stop_within_a_thai_word_ends_nothing(thai: Splitter):
    text = "เขาเกิดเมื่อ พ.ศ.2560"
    assert all("พ.ศ.2560" in found or "พ.ศ." not in found for found in texts(text, thai.split(text, "th")))


def test_what_is_not_thai_is_left_to_the_rules(thai: Splitter):
    text = "Dr. Lee came. He left."
    for language in ("en", "th"):
        assert thai.split(text, language) == SentencexSplitter().split(text, language)


def test_a_long_thai_text_is_split_like_its_parts(thai: Splitter):
    part = texts(THAI, thai.split(THAI, "th"))
    text = "\n\n".join([THAI] * 300)
    assert len(text) > 3 * STRETCH
    found = texts(text, thai.split(text, "th"))
    assert "".join("".join(found).split()) == "".join(text.split())
    assert len(found) == pytest.approx(300 * len(part), rel=0.02)


@given(st.text(st.sampled_from("กขคมาๆะ. \nab1!😀"), max_size=60))
def test_thai_loses_no_character(text: str):
    pytest.importorskip("pycrfsuite", reason="the extra `thai` is not installed")
    pytest.importorskip("pythainlp", reason="the extra `thai` is not installed")
    assert loses_nothing(open_splitter(Segment(splitter="thai")), text, "th")


@pytest.mark.timeout(120)
@pytest.mark.parametrize("unit", ["ก", "ณ ", "ตากลม", "ๆ", "1.", "\n"])
def test_hostile_thai_is_split_in_seconds(thai: Splitter, unit: str):
    begin = time.process_time()
    thai.split(unit * (30_000 // len(unit)), "th")
    assert time.process_time() - begin < 20
