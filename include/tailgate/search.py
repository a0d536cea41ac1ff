"""The read path, top to bottom: settle what is asked, embed the query, retrieve, rerank, expand, merge, fit.

Scores exist up to `rerank` and no further; what is expanded is never scored. `search` opens a release, asks once and
forgets it; a `Searcher` is opened once and asked often.
"""

from collections.abc import Mapping
from typing import Unpack

from tailgate.config import Corpus
from tailgate.embed.cross_encoder import open_reranker
from tailgate.errors import ConfigError
from tailgate.models import Prompt
from tailgate.retrieve import Asked, Reranker, expand, fit, merge, open_reader, rerank, retrieve, settle
from tailgate.retrieve.rerank import POOL


def search(corpus: Corpus, query: str, *, release_id: str | None = None, **asked: Unpack[Asked]) -> Prompt:
    """What a prompt may hold for the query, from the newest published release or from the one named.

    Arguments are those of `Asked`: expand, k, before, after, budget_tokens, reserve_tokens, rerank. Raises NoRelease
    before the first build, ConfigError for what cannot be used, ModelUnavailable, StoreUnreachable.
    """
    return Searcher(corpus, release_id).search(query, **asked)


class Searcher:
    """A long-lived reader: it answers from one release until `refresh`, and loads each model once.

    `rerankers` are at hand by name; any other name is loaded as a cross-encoder.
    """

    def __init__(
        self, corpus: Corpus, release_id: str | None = None, rerankers: Mapping[str, Reranker] | None = None
    ) -> None:
        self._corpus = corpus
        self._named = release_id
        self._reader = open_reader(corpus, release_id)
        self._rerankers = dict(rerankers or {})

    @property
    def release_id(self) -> str:
        """The release that answers."""
        return self._reader.release.release_id

    def refresh(self) -> bool:
        """The newest published release answers from now on; True where that is another one than before.

        A searcher of a named release stays where it is.
        """
        before = self.release_id
        if self._named is None:
            self._reader = self._reader.renewed()
        return self.release_id != before

    def search(self, query: str, **asked: Unpack[Asked]) -> Prompt:
        """As the function `search`, from the release that is open."""
        if not query.strip():
            raise ConfigError("query", "it is empty", "Say what to look for.")
        request, reader = settle(self._corpus, asked), self._reader
        reader.require(request.expand)
        reranker = self._reranker(request.rerank)

        [vector] = reader.vectors([query])
        hits = retrieve(reader.snapshot, vector, request.expand, request.k * (POOL if reranker else 1))
        hits = rerank(reranker, query, hits, request.k)
        found = expand(reader.snapshot, hits, request.expand, request.radius, reader.tokenizer)
        merged = merge(found.passages, found.texts, reader.tokenizer)
        kept, left_out = fit(merged, request.budget_tokens, request.reserve_tokens)

        return Prompt(
            query=query,
            release_id=self.release_id,
            expand=request.expand,
            passages=kept,
            left_out=left_out,
            tokens=sum(passage.tokens for passage in kept),
            tokens_before_merge=sum(passage.tokens for passage in found.passages),
            budget_tokens=request.budget_tokens,
            reserve_tokens=request.reserve_tokens,
            missing=found.missing,
        )

    def _reranker(self, name: str | None) -> Reranker | None:
        if name is None:
            return None
        if name not in self._rerankers:
            self._rerankers[name] = open_reranker(name)
        return self._rerankers[name]
