"""PPTX: one page a slide, the slide's title its heading, the speaker's notes after what the slide shows."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from io import BytesIO
from typing import Any

from tailgate.models import Kind, ParsedDocument, SourceFile
from tailgate.parse.builder import Block, compose
from tailgate.parse.loss import left_out, missing
from tailgate.parse.office import check_package
from tailgate.parse.partition import Part, partition_pptx
from tailgate.parse.tables import rows_of, table_block

MEDIA_TYPE = "application/vnd.openxmlformats-officedocument.presentationml.presentation"
_PICTURE = "{http://schemas.openxmlformats.org/presentationml/2006/main}pic"
_TEXT = "{http://schemas.openxmlformats.org/drawingml/2006/main}t"


@dataclass(frozen=True, slots=True)
class _Slides:
    notes: tuple[str, ...]
    visible: str
    drawings: int
    pictures: int


def parse(data: bytes, file: SourceFile) -> ParsedDocument:
    """The text of the slides and their notes; charts and diagrams are counted in a warning.

    Raises EncryptedDocument and UnreadableDocument.
    """
    check_package(data, file)
    slides = _slides(data)
    blocks = list(_blocks(partition_pptx(data)))
    lost = missing(slides.visible, (block.text for block in blocks))
    counts = {
        "charts and diagrams": slides.drawings,
        "pictures": slides.pictures,
        "letters of unknown shapes or beside the slides": lost,
    }
    notes = [Block(Kind.PROSE, text, page=page) for page, text in enumerate(slides.notes, start=1)]
    return compose(
        sorted(blocks + notes, key=lambda block: block.page or 0),
        media_type=MEDIA_TYPE,
        pages="slide",
        warnings=left_out(counts),
    )


def _blocks(parts: Iterable[Part]) -> Iterator[Block]:
    for part in parts:
        if part.category == "Table" and part.table:
            yield table_block(rows_of(part.table)[0], 1, page=part.page)
        elif part.category == "Title" and part.depth == 0:
            # Only the first paragraph of the title's own shape has depth 0; deeper ones are guesses.
            yield Block(Kind.HEADING, " ".join(part.text.split()), level=1, page=part.page)
        else:
            kind = Kind.LIST_ITEM if part.category == "ListItem" else Kind.PROSE
            yield Block(kind, part.text, page=part.page)


def _slides(data: bytes) -> _Slides:
    import pptx

    slides = list(pptx.Presentation(BytesIO(data)).slides)
    return _Slides(
        notes=tuple(_notes(slide) for slide in slides),
        visible="".join(node.text or "" for slide in slides for node in slide.element.iter(_TEXT)),
        drawings=sum(_is_drawing(shape) for slide in slides for shape in slide.shapes),
        pictures=sum(1 for slide in slides for _ in slide.element.iter(_PICTURE)),
    )


def _notes(slide: Any) -> str:
    frame = slide.notes_slide.notes_text_frame if slide.has_notes_slide else None
    return str(frame.text) if frame is not None else ""


def _is_drawing(shape: Any) -> bool:
    """A chart or a diagram, whose words lie in a part of their own."""
    return str(shape.element.tag).endswith("}graphicFrame") and not shape.has_table
