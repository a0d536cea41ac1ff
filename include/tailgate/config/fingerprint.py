"""What a corpus file asks for, as three short hashes: which of them changed tells how much must be done again."""

from dataclasses import dataclass
from typing import Self


@dataclass(frozen=True, slots=True)
class Fingerprint:
    """Written `shape.embed.window`: the units, their vectors, the windows around them."""

    shape: str
    embed: str
    window: str

    @classmethod
    def of(cls, written: str) -> Self:
        """What `str` wrote."""
        return cls(*written.split("."))

    def __str__(self) -> str:
        return f"{self.shape}.{self.embed}.{self.window}"

    def same_units(self, other: "Fingerprint") -> bool:
        """Whether units and vectors are made in the same way."""
        return (self.shape, self.embed) == (other.shape, other.embed)
