"""One document, top to bottom: sentences, parents, children, windows, shape."""

from dataclasses import dataclass

from tailgate.config import Corpus
from tailgate.models import ParsedDocument, SegmentedDocument
from tailgate.segment.cap import capped
from tailgate.segment.children import children_of
from tailgate.segment.clauses import clauses_of
from tailgate.segment.drafts import drafts_of
from tailgate.segment.ledger import ledger_of
from tailgate.segment.parents import parents_of
from tailgate.segment.sentences import sentences_of
from tailgate.segment.shape import shape_of
from tailgate.segment.splitter import Splitter
from tailgate.segment.splitters import open_splitter
from tailgate.segment.tokens import Tokenizer, open_tokenizer
from tailgate.segment.windows import windows_of


@dataclass(frozen=True, slots=True)
class Segmenter:
    """Segments documents the way one corpus file says; the same document gives the same units."""

    corpus: Corpus
    tokenizer: Tokenizer
    splitter: Splitter

    def segment(self, parsed: ParsedDocument) -> SegmentedDocument:
        """Every unit of the document, each a verbatim slice of its text; no non-blank character is left out."""
        settings, tokenizer = self.corpus.segment, self.tokenizer
        drafts = capped(drafts_of(parsed, self.splitter), parsed.text, settings.sentence_max_tokens, tokenizer)
        ledger = ledger_of(parsed.text, zip(drafts.starts, drafts.ends, drafts.tokens, strict=True), tokenizer)
        clauses = clauses_of(parsed)
        parents = parents_of(parsed, drafts, clauses, settings, ledger)
        sentences = sentences_of(parsed, drafts, parents.outlines, clauses)
        sections = [(parent.first_sentence, parent.last_sentence) for parent in parents.outlines]
        windowed, parented = "window" in self.corpus.designs, "parent" in self.corpus.designs
        return SegmentedDocument(
            parsed=parsed,
            shape=shape_of(parsed, drafts, parents.outlines),
            tokens=ledger.count(0, len(parsed.text)),
            sentences=sentences,
            windows=windows_of(sentences.layout, sections, self.corpus.window, ledger) if windowed else (),
            parents=parents,
            children=children_of(drafts, sections, settings.child_tokens, ledger) if parented else (),
        )


def open_segmenter(corpus: Corpus, splitter: Splitter | None = None) -> Segmenter:
    """A segmenter with the corpus's sizes.

    Raises ModelUnavailable where its token encoding, or what its splitter needs, is not on this machine.
    """
    return Segmenter(corpus, open_tokenizer(corpus.tokens.encoding), splitter or open_splitter(corpus.segment))
