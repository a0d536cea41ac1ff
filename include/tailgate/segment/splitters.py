"""The splitter that a corpus file names. None takes another's place unasked: the same file gives the same sentences."""

from tailgate.config.tree import Segment
from tailgate.segment.splitter import SentencexSplitter, Splitter


def open_splitter(settings: Segment) -> Splitter:
    """The splitter of these settings. Raises ModelUnavailable where its package or its weights are not there."""
    match settings.splitter:
        case "thai":
            from tailgate.segment.thai import ThaiSplitter

            return ThaiSplitter()
        case "sat":
            from tailgate.segment.sat import SatSplitter

            return SatSplitter(settings.splitter_model or "", settings.splitter_threshold)
        case _:
            return SentencexSplitter()
