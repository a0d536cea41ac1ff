"""Records to JSON and back, checked by their types."""

from typing import Any, TypeVar

from pydantic import TypeAdapter

Record = TypeVar("Record")

_adapters: dict[Any, TypeAdapter[Any]] = {}
"""Made once a type: making one takes a hundred times as long as using it."""


def to_json(record: object) -> Any:
    """A tree of plain values that `json` can write."""
    return _adapter(type(record)).dump_python(record, mode="json")


def from_json(kind: type[Record], tree: object) -> Record:
    """The record that `to_json` wrote; raises pydantic's ValidationError for any other tree."""
    record: Record = _adapter(kind).validate_python(tree)
    return record


def _adapter(kind: Any) -> TypeAdapter[Any]:
    if kind not in _adapters:
        _adapters[kind] = TypeAdapter(kind)
    return _adapters[kind]
