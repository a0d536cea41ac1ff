"""A query's vector → hits: the units that are most like it."""

from typing import Literal

import numpy as np
import numpy.typing as npt

from tailgate.models import Hit
from tailgate.store import Snapshot

Expand = Literal["none", "window", "parent"]

UNITS: dict[Expand, Literal["sentence", "child"]] = {"none": "sentence", "window": "sentence", "parent": "child"}
"""What is searched, so that it can be expanded that way."""


def retrieve(snapshot: Snapshot, vector: npt.NDArray[np.float32], expand: Expand, k: int) -> list[Hit]:
    """The `k` nearest units by cosine, best first; fewer where the corpus holds fewer."""
    return snapshot.nearest(UNITS[expand], vector, k)
