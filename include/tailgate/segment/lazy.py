"""Units that are made only when somebody asks for them: a large document's would fill the memory."""

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from typing import TypeVar, overload

Unit = TypeVar("Unit")


class Lazy(Sequence[Unit]):
    """A sequence that makes what stands at a position each time; equal to every sequence that holds the same."""

    __hash__ = None  # type: ignore[assignment]  # as of a list: equal to sequences that have no hash

    @abstractmethod
    def at(self, position: int) -> Unit:
        """What stands there, counted from 0; the position exists."""

    @overload
    def __getitem__(self, where: int) -> Unit: ...
    @overload
    def __getitem__(self, where: slice) -> tuple[Unit, ...]: ...
    def __getitem__(self, where: int | slice) -> Unit | tuple[Unit, ...]:
        positions = range(len(self))[where]
        return self.at(positions) if isinstance(positions, int) else tuple(map(self.at, positions))

    def __iter__(self) -> Iterator[Unit]:
        return map(self.at, range(len(self)))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Sequence):
            return NotImplemented
        return len(self) == len(other) and all(one == two for one, two in zip(self, other, strict=True))
