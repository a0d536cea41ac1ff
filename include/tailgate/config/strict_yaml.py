"""YAML without surprises: no key twice, no aliases that unfold without end, no value that only a parser understands."""

from typing import Any

import yaml

MOST_NODES = 10_000
"""Values in a corpus file when its aliases are written out: a thousand times what a person writes."""


class StrictYamlError(Exception):
    """The text is no YAML that a corpus file can be, for the reason in words."""


def read_strictly(text: str) -> Any:
    """The value that the text describes. Raises StrictYamlError."""
    try:
        node = yaml.compose(text, yaml.SafeLoader)
        if node is not None and _size(node, {}) > MOST_NODES:
            raise StrictYamlError(f"it holds more than {MOST_NODES:,} values")
        return yaml.SafeLoader("").construct_document(node) if node is not None else None
    except yaml.YAMLError as error:
        raise StrictYamlError(" ".join(str(error).split())) from error
    except RecursionError as error:
        raise StrictYamlError("it is nested too deeply") from error
    except (ValueError, KeyError, TypeError, AttributeError, OverflowError) as error:
        # PyYAML's own readers of numbers, dates and tags raise whatever Python does.
        raise StrictYamlError(f"a value in it cannot be read ({error})") from error


def _size(node: yaml.Node, known: dict[int, int]) -> int:
    """How many values the node is when aliases are written out; each node is counted once. Refuses a key twice."""
    if id(node) not in known:
        known[id(node)] = MOST_NODES  # what holds itself is too large, too
        if isinstance(node, yaml.MappingNode):
            _refuse_twice([key.value for key, _ in node.value if isinstance(key, yaml.ScalarNode)], node)
            known[id(node)] = 1 + sum(_size(key, known) + _size(value, known) for key, value in node.value)
        elif isinstance(node, yaml.SequenceNode):
            known[id(node)] = 1 + sum(_size(value, known) for value in node.value)
        else:
            known[id(node)] = 1
    return known[id(node)]


def _refuse_twice(keys: list[str], node: yaml.Node) -> None:
    for key in keys:
        if keys.count(key) > 1:
            raise StrictYamlError(f"`{key}` is there twice, from line {node.start_mark.line + 1} on")
