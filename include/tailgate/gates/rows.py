"""What the index gates read of a candidate's tables."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, Literal, Protocol, get_args

if TYPE_CHECKING:
    import pandas as pd

Table = Literal["documents", "parents", "sentences", "children"]
TABLES: tuple[Table, ...] = get_args(Table)
KEYS: dict[Table, str] = {
    "documents": "document_id",
    "parents": "parent_id",
    "sentences": "sentence_id",
    "children": "child_id",
}


class Tables(Protocol):
    """The part of `tailgate.store.Snapshot` that the gates use."""

    def has(self, table: Table) -> bool: ...

    def frame(self, table: Table, columns: Sequence[str], where: str | None = None) -> "pd.DataFrame": ...

    def batches(self, table: Table, columns: Sequence[str]) -> Iterator[Any]: ...
