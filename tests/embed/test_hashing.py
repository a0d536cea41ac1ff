"""The hashing embedder: the same vectors everywhere, of length one, near where words are shared."""

import os
import subprocess
import sys
import time

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tailgate.config import Embed
from tailgate.embed import open_embedder
from tailgate.errors import ConfigError

TEXTS = ["The pump knocks.", "", "  ", "!!!", "水泵在晚上敲。", "The pump knocks at night.", "Ölstand prüfen"]
TEXT = st.text(max_size=60)


@given(st.lists(TEXT, max_size=8))
def test_vectors_are_finite_and_of_length_one(texts: list[str]) -> None:
    vectors = open_embedder(Embed(model="hashing:16")).embed(texts)
    assert (vectors.shape, vectors.dtype) == ((len(texts), 16), np.float32)
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1.0, atol=1e-5)


@given(st.lists(TEXT, min_size=1, max_size=8), st.randoms())
def test_vector_depends_on_its_text_alone(texts: list[str], random: object) -> None:
    embedder = open_embedder(Embed(model="hashing"))
    order = list(range(len(texts)))
    random.shuffle(order)
    together = embedder.embed(texts)
    assert np.array_equal(embedder.embed([texts[i] for i in order]), together[order])
    assert np.array_equal(embedder.embed(texts[:1])[0], together[0])


def test_vectors_are_the_same_in_another_process() -> None:
    code = (
        "import sys\nfrom tailgate.config import Embed\nfrom tailgate.embed import open_embedder\n"
        f"sys.stdout.buffer.write(open_embedder(Embed(model='hashing:32')).embed({TEXTS!r}).tobytes())"
    )
    env = os.environ | {"PYTHONHASHSEED": "7"}
    other = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, env=env).stdout
    assert open_embedder(Embed(model="hashing:32")).embed(TEXTS).tobytes() == other


def test_shared_words_bring_texts_nearer() -> None:
    pump, call, other = open_embedder(Embed(model="hashing")).embed([
        "The pump knocks at night.",
        "At night the old pump knocks.",
        "Invoices are due in thirty days.",
    ])
    assert pump @ call > 0.7 > 0.3 > pump @ other


def test_nothing_is_truncated() -> None:
    embedder = open_embedder(Embed(model="hashing"))
    assert (embedder.max_tokens, embedder.count_truncated(["word " * 10_000])) == (None, 0)


@pytest.mark.parametrize(("model", "dimension"), [("hashing", 256), ("hashing:64", 64), ("hashing:1", 1)])
def test_size_is_part_of_the_name(model: str, dimension: int) -> None:
    embedder = open_embedder(Embed(model=model))
    assert (embedder.dimension, embedder.name) == (dimension, f"hashing:{dimension}")


@pytest.mark.parametrize("model", ["hashing:0", "hashing:x", "hashing:-1"])
def test_size_that_is_none_is_refused(model: str) -> None:
    with pytest.raises(ConfigError, match=r"hashing:256"):
        open_embedder(Embed(model=model))


def test_many_sentences_are_quick() -> None:
    texts = [f"Sentence {i} of a call says that order {i * 7} is late again, please look." for i in range(4000)]
    start = time.process_time()
    open_embedder(Embed(model="hashing")).embed(texts)
    assert 4000 / (time.process_time() - start) > 5000
