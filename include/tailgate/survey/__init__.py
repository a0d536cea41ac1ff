"""What documents are made of, as frames of numbers: of a folder that was just read, or of a published release."""

from tailgate.survey.collect import Collector
from tailgate.survey.folder import listed, shaped, with_lines
from tailgate.survey.material import Material, Sight, Warned
from tailgate.survey.published import published
from tailgate.survey.spread import Bin, Spread, spread
from tailgate.survey.worst import Worst, WorstUnits, worst_units

__all__ = [
    "Bin",
    "Collector",
    "Material",
    "Sight",
    "Spread",
    "Warned",
    "Worst",
    "WorstUnits",
    "listed",
    "published",
    "shaped",
    "spread",
    "with_lines",
    "worst_units",
]
