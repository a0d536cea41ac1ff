"""Reads and segments documents in a worker process, so that no document can hang or end the run."""

from tailgate.isolate.shaper import Shaped, Shaper, Unchanged, open_shaper

__all__ = ["Shaped", "Shaper", "Unchanged", "open_shaper"]
