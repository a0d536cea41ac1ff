"""Which of the two designs fits some documents, why, what a prompt would cost, and which of that is certain."""

from tailgate.advise.advice import Advice, advise
from tailgate.advise.costs import Cost
from tailgate.advise.shapes import ShapeAdvice

__all__ = ["Advice", "Cost", "ShapeAdvice", "advise"]
