"""What the page of a Dag says of its corpus."""

from pathlib import Path

from tailgate.config import Corpus
from tailgate.errors import ConfigError


def facts(corpus: Corpus, file: Path) -> str:
    """A Markdown table of what the corpus file decides."""
    rows = {
        "corpus file": file.name,
        "source": corpus.source.uri,
        "designs": ", ".join(corpus.designs),
        "window": f"{corpus.window.before} before, {corpus.window.after} after",
        "embedding model": corpus.embed.model,
        "budget": f"{corpus.search.budget_tokens} tokens, {corpus.search.reserve_tokens} of them reserved",
        "tables": f"{corpus.store.uri}/{corpus.name}",
    }
    return "\n".join(["| | |", "| --- | --- |", *(f"| {key} | `{value}` |" for key, value in rows.items())])


def fault(error: ConfigError) -> str:
    """Markdown that says what to mend before anything of a corpus can be indexed."""
    return f"**This corpus file cannot be used, so that nothing is indexed.**\n\n{error}"
