"""The packaged model, loaded once: order, length, packing, what it reads of a text; and models that are not there."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tailgate.config import Embed
from tailgate.embed import Embedder, open_embedder
from tailgate.embed.transformer import pack
from tailgate.errors import ModelUnavailable

TEXTS = [
    "A knocking pump sucks air, so tighten the inlet clamp and prime it again.",
    "Yes.",
    "",
    "Der Ölstand ist zu prüfen, bevor die Pumpe läuft.",
    "The invoice is due in thirty days. " * 12,
    "水泵在晚上敲。",
    "Yes.",
    "word " * 400,
    "It knocks.",
]


@pytest.fixture(scope="session")
def embedder() -> Embedder:
    return open_embedder(Embed(model="default", batch_tokens=128))


def test_packed_vectors_are_those_of_one_text_at_a_time(embedder: Embedder) -> None:
    packed = embedder.embed(TEXTS)
    alone = np.concatenate([embedder.embed([text]) for text in TEXTS])
    assert (packed.shape, packed.dtype) == ((len(TEXTS), 384), np.float32)
    assert np.allclose((packed * alone).sum(axis=1), 1.0, atol=1e-5)


def test_packed_vectors_are_those_of_the_library(embedder: Embedder) -> None:
    model: Any = embedder._model
    plain = model.encode(TEXTS, batch_size=4, normalize_embeddings=True, show_progress_bar=False)
    assert np.allclose((embedder.embed(TEXTS) * plain).sum(axis=1), 1.0, atol=1e-5)


def test_vectors_have_length_one_and_meaning(embedder: Embedder) -> None:
    vectors = embedder.embed(["The pump knocks at night.", "A noisy pump after dark.", "Invoices are due monthly."])
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1.0, atol=1e-5)
    assert vectors[0] @ vectors[1] > vectors[0] @ vectors[2] + 0.2


def test_no_text_gives_no_vector(embedder: Embedder) -> None:
    assert embedder.embed([]).shape == (0, 384)
    assert embedder.count_truncated([]) == 0


def test_text_beyond_what_the_model_reads_is_counted(embedder: Embedder) -> None:
    assert embedder.max_tokens == 256
    fits, too_long = "word " * 254, "word " * 255
    assert embedder.count_truncated([fits, too_long, "short", too_long]) == 2


@given(st.lists(st.integers(min_value=1, max_value=256), max_size=60), st.integers(min_value=1, max_value=1024))
def test_batches_hold_every_row_once_and_stay_within_their_tokens(lengths: list[int], most: int) -> None:
    batches = list(pack(lengths, most))
    assert sorted(row for batch in batches for row in batch) == list(range(len(lengths)))
    for batch in batches:
        assert len(batch) == 1 or max(lengths[row] for row in batch) * len(batch) <= most


@pytest.mark.parametrize("name", ["/nowhere/model", "./models/none", "~/no-model", "models/of/mine"])
def test_folder_that_is_not_there_is_named_at_once(name: str) -> None:
    with pytest.raises(ModelUnavailable, match=r"there is no folder /.*Set `embed.model` to `default`"):
        open_embedder(Embed(model=name))


def test_folder_without_a_model_is_told(root: Path) -> None:
    (root / "empty").mkdir()
    with pytest.raises(ModelUnavailable, match=r"Embedding model `empty` is not available: .*Set `embed.model`"):
        open_embedder(Embed(model="empty"))


def test_hub_name_without_a_hub_is_told(root: Path) -> None:
    with pytest.raises(ModelUnavailable, match=r"nobody/no-such-model.*that this machine can reach"):
        open_embedder(Embed(model="nobody/no-such-model"))


def test_asking_for_hashing_loads_no_model() -> None:
    code = (
        "import sys\nfrom tailgate.config import Embed\nfrom tailgate.embed import open_embedder\n"
        "open_embedder(Embed(model='hashing')).embed(['a'])\n"
        "sys.exit('torch' in sys.modules or 'sentence_transformers' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
