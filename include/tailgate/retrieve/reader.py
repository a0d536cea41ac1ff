"""An opened release and what reading it takes: one set of table versions, the model that embeds, the token counter."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from tailgate.config import Corpus, Design
from tailgate.embed import Embedder, open_embedder
from tailgate.errors import ConfigError
from tailgate.models import Release
from tailgate.retrieve.retrieve import Expand
from tailgate.segment.tokens import Tokenizer, open_tokenizer
from tailgate.store import Snapshot, open_store


@dataclass(frozen=True, slots=True)
class Reader:
    """Opened once, asked often; it goes on seeing its own release whatever is published meanwhile."""

    corpus: Corpus
    release: Release
    snapshot: Snapshot
    embedder: Embedder
    tokenizer: Tokenizer

    def vectors(self, queries: Sequence[str]) -> npt.NDArray[np.float32]:
        """One unit vector a query, shape (n, d), in order; each different query is embedded once."""
        places = {query: place for place, query in enumerate(dict.fromkeys(queries))}
        return self.embedder.embed(list(places))[[places[query] for query in queries]]

    def renewed(self) -> "Reader":
        """A reader of the newest published release with this one's models; this one, where nothing newer is there."""
        store = open_store(self.corpus)
        release = store.release()
        if release.release_id == self.release.release_id:
            return self
        check_model(self.corpus, release)
        return replace(self, release=release, snapshot=store.snapshot(release))

    def require(self, expand: Expand) -> None:
        """Corpus and release have the design that this expansion reads; raises ConfigError where one has not."""
        design: Design = "parent" if expand == "parent" else "window"
        if design not in self.corpus.designs:
            raise ConfigError(
                self.corpus.name,
                f"`{expand}` reads the design `{design}`, which is not among the corpus's designs",
                f"Add `{design}` to `designs` in the corpus file and build again, or ask for another expansion.",
            )
        if not self._built(design):
            raise ConfigError(
                self.corpus.name,
                f"release {self.release.release_id} was built before `{design}` was among the corpus's designs",
                f"Build again, in full: `tailgate build {self.corpus.name} --full`.",
            )

    def _built(self, design: Design) -> bool:
        if design == "parent" and not self.snapshot.has("parents"):
            return False
        return self.snapshot.dimension("sentences" if design == "window" else "children") > 0


def open_reader(corpus: Corpus, release_id: str | None = None) -> Reader:
    """A reader of the newest published release, or of the one named.

    Raises NoRelease before the first build and ConfigError where the corpus's model is not the release's.
    """
    store = open_store(corpus)
    release = store.release(release_id)
    check_model(corpus, release)
    return Reader(
        corpus, release, store.snapshot(release), open_embedder(corpus.embed), open_tokenizer(corpus.tokens.encoding)
    )


def check_model(corpus: Corpus, release: Release) -> None:
    """Queries and the release's units are embedded by one model; raises ConfigError where they are not."""
    if release.stages.embed != corpus.stages.embed:
        raise ConfigError(
            corpus.name,
            f"release {release.release_id} was built with another embedding model than `{corpus.embed.model}`, "
            "so that its vectors and a query's cannot be compared",
            f"Rebuild with `tailgate build {corpus.name} --full`, or set `embed.model` back to what it was.",
        )
