"""The splitters that a corpus file can name besides the default one; those whose packages are missing are skipped."""

import json
import re
import shutil
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
from tailgate.isolate import open_shaper
from tailgate.models import SourceFile
from tailgate.segment import open_segmenter
from tailgate.segment.sat import PLAIN, SUPERVISED
from tailgate.segment.splitter import STRETCH, SentencexSplitter, Span, Splitter
from tailgate.segment.splitters import open_splitter

TINY = Path(__file__).parent / "tiny_sat"
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

    labels = 111

    def __init__(self, name: str, **settings: Any) -> None:
        self.settings = settings
        self.model = SimpleNamespace(config=SimpleNamespace(num_labels=self.labels))

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
    ("settings", "package"),
    [
        (Segment(splitter="thai"), "pythainlp.tokenize"),
        (Segment(splitter="sat", splitter_model="sat-3l-sm"), "wtpsplit_lite"),
    ],
)
def test_a_missing_package_is_named_with_its_remedy(settings: Segment, package: str, monkeypatch: pytest.MonkeyPatch):
    # Without -e a copy of Tailgate would take the checkout's place, and relative paths would start somewhere else.
    remedy = rf"pip install -c requirements\.txt -e '\.\[{settings.splitter}\]'"
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


@pytest.mark.parametrize(("labels", "threshold", "count"), [(111, None, 2), (1, None, 1), (1, 0.05, 2), (111, 0.5, 1)])
def test_the_threshold_is_that_of_the_kind_of_model_wherever_it_lies(
    tmp_path: Path, stops: None, monkeypatch: pytest.MonkeyPatch, labels: int, threshold: float | None, count: int
):
    monkeypatch.setattr(StopsModel, "labels", labels)
    (tmp_path / "smith-sm").mkdir()
    settings = Segment(splitter="sat", splitter_model=str(tmp_path / "smith-sm"), splitter_threshold=threshold)
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


@pytest.fixture(scope="module")
def tiny() -> Splitter:
    """A small model of SaT's own architecture with random weights; `make_tiny_sat.py` has made it."""
    pytest.importorskip("wtpsplit_lite", reason="the extra `sat` is not installed")
    return open_splitter(Segment(splitter="sat", splitter_model=str(TINY)))


def test_a_model_of_the_real_architecture_cuts_behind_what_it_takes_for_an_end(tiny: Splitter):
    text = "The pier was closed in spring.  It opened \ud800 again in May?\n\nToday the weather is fine. " * 3
    likely = tiny._model.predict_proba(text.replace("\ud800", "\ufffd"))  # type: ignore[attr-defined]
    behind = {int(last) + 1 for last in (likely > SUPERVISED).nonzero()[0]}
    cuts = {start + len(text[start:]) - len(text[start:].lstrip()) for start in behind}
    blanks = {match.end() for match in re.finditer(r"\n\s*\n\s*", text)}
    assert {start for start, _ in tiny.split(text, "en")} == {0} | {cut for cut in cuts | blanks if cut < len(text)}
    assert loses_nothing(tiny, text, "en")
    assert tiny.split(text, "en") == tiny.split(text, "th")


@pytest.mark.parametrize("text", ["", " \n ", "x", "\x00", "\u3000x\n\n", "é" * 9_000])
def test_a_model_of_the_real_architecture_loses_no_character(tiny: Splitter, text: str):
    assert loses_nothing(tiny, text, "en")


@pytest.mark.parametrize(("labels", "threshold"), [(1, SUPERVISED), (111, PLAIN)])
def test_a_models_own_config_says_which_kind_it_is(tmp_path: Path, labels: int, threshold: float):
    pytest.importorskip("wtpsplit_lite", reason="the extra `sat` is not installed")
    shutil.copytree(TINY, tmp_path / "model")
    written = json.loads((TINY / "config.json").read_text(encoding="utf-8"))
    written["id2label"] = {str(label): f"LABEL_{label}" for label in range(labels)}
    (tmp_path / "model" / "config.json").write_text(json.dumps(written), encoding="utf-8")
    opened: Any = open_splitter(Segment(splitter="sat", splitter_model=str(tmp_path / "model")))
    assert opened._threshold == threshold


def test_weights_that_cannot_be_read_are_no_model(tmp_path: Path):
    pytest.importorskip("wtpsplit_lite", reason="the extra `sat` is not installed")
    shutil.copytree(TINY, tmp_path / "model")
    (tmp_path / "model" / "model_optimized.onnx").write_bytes(b"no weights")
    with pytest.raises(ModelUnavailable, match="splitter_model"):
        open_splitter(Segment(splitter="sat", splitter_model=str(tmp_path / "model")))


@pytest.mark.parametrize(
    ("package", "chosen"),
    [("wtpsplit_lite", {"splitter": "sat", "splitter_model": str(TINY)}), ("pycrfsuite", {"splitter": "thai"})],
)
def test_a_worker_process_can_hold_the_model(package: str, chosen: dict[str, str], tmp_path: Path):
    pytest.importorskip(package, reason=f"the extra `{chosen['splitter']}` is not installed")
    path = tmp_path / "a.txt"
    path.write_text(f"{THAI}\n" * 50, encoding="utf-8")
    corpus = Corpus.model_validate({"name": "x", "source": {"uri": str(tmp_path)}, "segment": chosen})
    with open_shaper(corpus) as shaper:
        isolated = shaper.shape(SourceFile(str(path), path.name, path.stat().st_size, None)).document
    alone = open_segmenter(corpus).segment(isolated.parsed)
    assert [sentence.text for sentence in isolated.sentences] == [sentence.text for sentence in alone.sentences]


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
