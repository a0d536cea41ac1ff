"""One YAML file a corpus, read once at the edge into one frozen tree that is passed in from there."""

from tailgate.config.files import load, parse
from tailgate.config.paths import absolute, corpora_folder, corpus_files, root
from tailgate.config.tree import (
    Action,
    Bound,
    Channel,
    Corpus,
    Design,
    Embed,
    Gates,
    Run,
    Search,
    Segment,
    Settings,
    Smtp,
    Source,
    StorePlace,
    Tokens,
    Webhook,
    Window,
)

__all__ = [
    "Action",
    "Bound",
    "Channel",
    "Corpus",
    "Design",
    "Embed",
    "Gates",
    "Run",
    "Search",
    "Segment",
    "Settings",
    "Smtp",
    "Source",
    "StorePlace",
    "Tokens",
    "Webhook",
    "Window",
    "absolute",
    "corpora_folder",
    "corpus_files",
    "load",
    "parse",
    "root",
]
