"""Segments a parsed document, and whatever happens there is the document's fault and not the run's."""

from tailgate.errors import TailgateError, UnreadableDocument
from tailgate.models import ParsedDocument, SegmentedDocument, SourceFile
from tailgate.segment import Segmenter


def segmented(segmenter: Segmenter, file: SourceFile, parsed: ParsedDocument) -> SegmentedDocument:
    """The document's units. Raises UnreadableDocument, or ModelUnavailable where the segmenter lacks one."""
    try:
        return segmenter.segment(parsed)
    except TailgateError:
        raise
    except Exception as error:  # noqa: BLE001 - one document that no rule foresaw must not end a run
        said = " ".join(str(error).split())[:200]
        raise UnreadableDocument(file.uri, f"it cannot be segmented ({type(error).__name__}: {said})") from error
