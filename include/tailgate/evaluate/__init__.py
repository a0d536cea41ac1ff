"""What a release costs in tokens, measured: the radius table and the prompt-size table."""

from tailgate.evaluate.prompts import PromptColumn, PromptsReport, prompts
from tailgate.evaluate.questions import read_questions
from tailgate.evaluate.sweep import RadiusRow, SweepReport, sweep
from tailgate.evaluate.tail import Tail, upper_bound

__all__ = [
    "PromptColumn",
    "PromptsReport",
    "RadiusRow",
    "SweepReport",
    "Tail",
    "prompts",
    "read_questions",
    "sweep",
    "upper_bound",
]
