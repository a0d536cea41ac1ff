"""The report of `tailgate check` and `tailgate advise`: for a terminal, and as one page that needs nothing else."""

from tailgate.report.page import page
from tailgate.report.terminal import advice_only, whole

__all__ = ["advice_only", "page", "whole"]
