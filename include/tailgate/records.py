"""Records to JSON and back, checked by their types."""

from typing import Any, TypeVar

from pydantic import TypeAdapter

Record = TypeVar("Record")


def to_json(record: object) -> Any:
    """A tree of plain values that `json` can write."""
    return TypeAdapter(type(record)).dump_python(record, mode="json")


def from_json(kind: type[Record], tree: object) -> Record:
    """The record that `to_json` wrote; raises pydantic's ValidationError for any other tree."""
    return TypeAdapter(kind).validate_python(tree)
