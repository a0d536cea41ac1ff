"""The read path on real releases: score, then expand; one release; the budget bounds the sum."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from published import publish, small_corpus

from tailgate.config import Corpus
from tailgate.errors import ConfigError, NoRelease
from tailgate.models import Hit, Prompt
from tailgate.search import Searcher, search

CALL = "".join(f"{'Ann' if i % 2 else 'Bob'}: Remark {i} is about parcel {i % 7}.\n" for i in range(60))
HANDBOOK = "# Handbook\n\n" + "".join(
    f"## Topic {i}\n\nTopic {i} is about parcel {i}. It has rules. They are short.\n\n" for i in range(9)
)
DOCUMENTS = {"call.txt": CALL, "handbook.md": HANDBOOK}


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    made = small_corpus(tmp_path_factory.mktemp("store"))
    publish(made, DOCUMENTS)
    return made


@pytest.fixture(scope="module")
def searcher(corpus: Corpus) -> Searcher:
    return Searcher(corpus)


def hits(prompt: Prompt) -> list[str]:
    return [hit for passage in prompt.passages for hit in passage.hits]


@pytest.mark.parametrize("expand", ["none", "window", "parent"])
def test_a_prompt_adds_up(searcher: Searcher, expand: str) -> None:
    prompt = searcher.search("remark about parcel 3", expand=expand, k=5)
    assert prompt.tokens == sum(passage.tokens for passage in prompt.passages)
    assert prompt.tokens + prompt.reserve_tokens <= prompt.budget_tokens
    assert prompt.tokens <= prompt.tokens_before_merge
    assert len(hits(prompt)) == len(set(hits(prompt))) == 5
    assert not prompt.left_out
    assert not prompt.missing
    assert (prompt.expand, prompt.release_id) == (expand, "r1")


def test_the_answer_comes_from_the_document_asked_about(searcher: Searcher) -> None:
    prompt = searcher.search("Remark 33 is about parcel 5.", k=1)
    assert prompt.passages[0].path == "call.txt"
    assert "Remark 33" in prompt.passages[0].text
    assert "Remark 35" in prompt.passages[0].text


def test_the_radius_changes_no_hit(searcher: Searcher) -> None:
    found = [searcher.search("parcel 3", k=6, before=b, after=a) for b, a in ((0, 0), (2, 2), (3, 1), (0, 9))]
    assert len({frozenset(hits(prompt)) for prompt in found}) == 1
    assert len({prompt.passages[0].hits[0] for prompt in found}) == 1
    assert all(found[0].tokens_before_merge < other.tokens_before_merge for other in found[1:])


def test_windows_that_overlap_are_sent_once(searcher: Searcher) -> None:
    prompt = searcher.search("Remark is about parcel", k=30, before=5, after=5)
    lines = [line for passage in prompt.passages for line in passage.text.splitlines() if line.strip()]
    assert len(lines) == len(set(lines))
    assert prompt.tokens < prompt.tokens_before_merge


def test_a_parent_is_sent_once(searcher: Searcher) -> None:
    prompt = searcher.search("parcel", expand="parent", k=50)
    spans = [(passage.document_id, passage.ranges) for passage in prompt.passages]
    assert len(spans) == len(set(spans))


def test_a_k_larger_than_the_corpus_gives_everything(searcher: Searcher) -> None:
    prompt = searcher.search("parcel", k=10_000)
    assert {passage.path for passage in prompt.passages} == {"call.txt", "handbook.md"}
    assert all(len(passage.text.strip()) for passage in prompt.passages)


def test_what_does_not_fit_is_left_out_with_its_reason(searcher: Searcher) -> None:
    whole = searcher.search("topic rules parcel", expand="parent", k=8)
    tight = searcher.search("topic rules parcel", expand="parent", k=8, budget_tokens=60, reserve_tokens=20)
    assert tight.tokens <= 40
    assert len(tight.passages) + len(tight.left_out) == len(whole.passages)
    assert tight.left_out
    assert all("do not fit in the" in item.reason for item in tight.left_out)


@dataclass
class Recording:
    """A reranker that turns the order round, and keeps what it was shown."""

    seen: list[Hit] = field(default_factory=list)

    def rerank(self, query: str, hits: Sequence[Hit]) -> list[Hit]:
        self.seen += hits
        return list(reversed(hits))


@pytest.mark.parametrize("expand", ["none", "window", "parent"])
def test_the_reranker_sees_matched_units_only(corpus: Corpus, searcher: Searcher, expand: str) -> None:
    recording = Recording()
    prompt = Searcher(corpus, rerankers={"mine": recording}).search("parcel 3", expand=expand, k=3, rerank="mine")
    pool = searcher.search("parcel 3", expand="none" if expand != "parent" else "parent", k=12)
    assert sorted(hit.unit_id for hit in recording.seen) == sorted(hits(pool))
    assert all(isinstance(hit, Hit) and "\n" not in hit.text.strip() or hit.unit == "child" for hit in recording.seen)
    assert sorted(hits(prompt)) == sorted(hit.unit_id for hit in recording.seen[-3:])
    assert prompt.passages[0].hits[0] == recording.seen[-1].unit_id


@pytest.mark.parametrize(
    ("query", "asked", "complaint"),
    [
        ("  ", {}, "empty"),
        ("parcel", {"k": 0}, "0 hits"),
        ("parcel", {"expand": "page"}, "no expansion `page`"),
        ("parcel", {"before": -1}, "counts sentences"),
        ("parcel", {"expand": "parent", "before": 1}, "belongs to `window`"),
        ("parcel", {"budget_tokens": 0}, "holds nothing"),
        ("parcel", {"reserve_tokens": -5}, "less than nothing"),
        ("parcel", {"budget_tokens": 100}, "leave none"),
    ],
)
def test_arguments_that_make_no_sense_are_refused(
    searcher: Searcher, query: str, asked: dict[str, Any], complaint: str
) -> None:
    with pytest.raises(ConfigError, match=complaint):
        searcher.search(query, **asked)


def test_before_the_first_build_there_is_nothing_to_search(tmp_path: Path) -> None:
    with pytest.raises(NoRelease, match="tailgate build small"):
        search(small_corpus(tmp_path), "parcel")


@pytest.mark.parametrize(("built", "asked"), [("window", "parent"), ("parent", "window"), ("parent", "none")])
def test_an_expansion_needs_its_design(tmp_path: Path, built: str, asked: str) -> None:
    corpus = small_corpus(tmp_path, designs=[built])
    publish(corpus, DOCUMENTS)
    with pytest.raises(ConfigError, match="not among the corpus's designs"):
        search(corpus, "parcel", expand=asked)
    grown = small_corpus(tmp_path, designs=["window", "parent"])
    with pytest.raises(ConfigError, match="was built before"):
        search(grown, "parcel", expand=asked)
    assert search(corpus, "parcel", expand=built).passages


def test_another_model_than_the_releases_is_refused(corpus: Corpus) -> None:
    other = corpus.model_copy(update={"embed": corpus.embed.model_copy(update={"model": "default"})})
    with pytest.raises(ConfigError, match="another embedding model than `default`.*--full"):
        Searcher(other)


def test_a_searcher_moves_to_a_newer_release_when_asked(tmp_path: Path) -> None:
    corpus = small_corpus(tmp_path)
    publish(corpus, {"call.txt": CALL})
    searcher, pinned = Searcher(corpus), Searcher(corpus, release_id="r1")
    assert not searcher.refresh()
    publish(corpus, {"news.txt": "A zebra crossed the yard.\n"})

    assert not any(passage.path == "news.txt" for passage in searcher.search("zebra yard").passages)
    assert searcher.refresh()
    assert searcher.release_id == "r2"
    assert searcher.search("zebra yard", k=1).passages[0].path == "news.txt"
    assert not pinned.refresh()
    assert pinned.search("zebra yard").release_id == "r1"
    assert search(corpus, "zebra yard", release_id="r1").release_id == "r1"
