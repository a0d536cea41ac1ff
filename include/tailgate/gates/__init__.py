"""Gates: checks that fail the run. Great Expectations decides each of them, in one run for each of two places."""

from tailgate.errors import GateFailed
from tailgate.gates.index import check_index
from tailgate.gates.material import ShapeUnits
from tailgate.gates.shape import check_shape, preview_shape
from tailgate.models import GateReport
from tailgate.wording import sentence_of

__all__ = ["ShapeUnits", "check_index", "check_shape", "failed", "preview_shape", "sentence_of"]


def failed(report: GateReport) -> GateFailed:
    """The error of a report that has failures, with one sentence for each."""
    return GateFailed(report.corpus, report.place, tuple(sentence_of(result) for result in report.failures))
