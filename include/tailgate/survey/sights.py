"""A look at one unit: where it stands and how it begins."""

from tailgate import ids
from tailgate.models import SegmentedDocument
from tailgate.survey.material import Sight, Unit

ENCODINGS = ("utf-8", "utf-8-sig", "cp1252", "utf-16")
"""In which a canonical text may give back the file's very bytes, and so be the file's text."""
WORDS_CHARS = 72
"""Characters of a unit that are shown so that a person recognises it."""
OPENING_CHARS = 200


def look(document: SegmentedDocument, unit: Unit, ordinal: int, *, in_file: bool) -> Sight:
    """The sentence or parent of the document with that ordinal; lines are those of the text, if it is the file's."""
    text, parents = document.parsed.text, document.parents
    if unit == "parent":
        parent = parents[ordinal]
        start, end, page, path = parent.char_start, parent.char_end, parent.page, parent.heading_path
    else:
        sentence = document.sentences[ordinal]
        start, end, page = sentence.char_start, sentence.char_end, sentence.page
        path = parents[sentence.parent].heading_path if len(parents) else ()
    return sight_of(text, start, end, page=page, heading_path=path, in_file=in_file)


def sight_of(
    text: str, start: int, end: int, *, page: int | None, heading_path: tuple[str, ...], in_file: bool
) -> Sight:
    """The slice of the document text, as a person finds it again."""
    head = text[start : min(end, start + 8 * WORDS_CHARS)].strip()
    opening, _, rest = head.partition("\n")
    titled = bool(heading_path and rest.strip()) and " ".join(opening.split()) == heading_path[-1]
    line = line_of(text, start) if in_file else None
    return Sight(line, page, heading_path, words_of(rest if titled else head), head[:OPENING_CHARS])


def line_of(text: str, start: int) -> int:
    """The line of a character, from 1."""
    end = "\n" if "\n" in text else "\r"
    return text.count(end, 0, start) + 1


def line_in(text: str, opening: str) -> int | None:
    """The line of a file where a unit begins that opens so; None if several could be, markup aside."""
    if text.count(opening) == 1:
        return line_of(text, text.index(opening))
    wanted = _bare(opening.partition("\n")[0])
    lines = [_bare(line) for line in text.splitlines()] if wanted else []
    for found in (
        [number for number, line in enumerate(lines, start=1) if line == wanted],
        [number for number, line in enumerate(lines, start=1) if wanted in line],
    ):
        if found:
            return found[0] if len(found) == 1 else None
    return None


def is_file_text(text: str, content_hash: str) -> bool:
    """Whether the canonical text is the file's own, so that a place in one is the same place in the other."""
    return any(ids.content_hash(data) == content_hash for name in ENCODINGS if (data := _encoded(text, name)))


def words_of(text: str) -> str:
    """How a text begins, on one line."""
    words = " ".join(text.split())
    return words if len(words) <= WORDS_CHARS else f"{words[: WORDS_CHARS - 1].rstrip()}…"


def _encoded(text: str, encoding: str) -> bytes:
    try:
        return text.encode(encoding)
    except UnicodeEncodeError:
        return b""


def _bare(line: str) -> str:
    return line.strip(" \t\r#*=->|_`:.")
