"""Errors explain themselves, survive a process boundary, and say whether a retry helps."""

import pickle
from dataclasses import fields

import pytest

from tailgate import errors
from tailgate.errors import TailgateError, TerminalError, TransientError


def _classes(root: type[TailgateError]) -> list[type[TailgateError]]:
    return [root, *(leaf for sub in root.__subclasses__() for leaf in _classes(sub))]


CONCRETE = [kind for kind in _classes(TailgateError) if fields(kind)]


def _example(kind: type[TailgateError]) -> TailgateError:
    values = {"failures": ("one", "two"), "sequence": 3, "seen": 4}
    return kind(**{field.name: values.get(field.name, f"some {field.name}") for field in fields(kind)})


@pytest.mark.parametrize("kind", CONCRETE)
def test_error_survives_pickling_with_its_fields(kind: type[TailgateError]) -> None:
    error = _example(kind)
    again = pickle.loads(pickle.dumps(error))
    assert type(again) is kind
    assert str(again) == str(error)
    assert all(getattr(again, field.name) == getattr(error, field.name) for field in fields(kind))


@pytest.mark.parametrize("kind", CONCRETE)
def test_error_is_either_transient_or_terminal(kind: type[TailgateError]) -> None:
    assert issubclass(kind, TransientError) != issubclass(kind, TerminalError)


def test_tree_at_the_top_of_the_module_names_every_error() -> None:
    drawn = errors.__doc__ or ""
    assert [kind.__name__ for kind in _classes(TailgateError) if kind.__name__ not in drawn] == []


def test_exit_codes_are_those_of_the_command_line() -> None:
    assert errors.GateFailed("c", "shape", ()).exit_code == 1
    assert errors.ConfigError("c", "r").exit_code == 2
    assert errors.SourceUnreachable("u", "r").exit_code == 3
    assert errors.StoreUnreachable("u", "r").exit_code == 3
