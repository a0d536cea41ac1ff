"""Turns the bytes of a text file into text, and says so where the encoding had to be guessed."""

import codecs
import re
from collections.abc import Iterator

from tailgate.errors import UnreadableDocument
from tailgate.models import SourceFile

_BOMS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_SAMPLE_BYTES = 65_536
_MOST_JUNK = 0.02
_JUNK = re.compile("[\x00-\x08\x0e-\x1a\x1c-\x1f\x7f\ufffd]")
_FOREIGN = re.compile(r"[^\x00-\x7f]")
_NO_WESTERN_WORD = re.compile(
    "[\u00c0-\u00ff\u0152\u0153\u0160\u0161\u0178\u017d\u017e\u0192]{3}|[^\\W\\d_][¡¢¤¥¦¨«¬¯³¹¾¿]"
)


def decode(data: bytes, file: SourceFile, *, stated: str = "") -> tuple[str, tuple[str, ...]]:
    """The text without a byte order mark, and a warning where its encoding was guessed.

    Tried in this order: a byte order mark, what the document states (after UTF-8 where it states Latin-1), UTF-8, a
    guess. Raises UnreadableDocument where the bytes are no text.
    """
    for encoding in _told(data, file, stated):
        text = _strictly(data, encoding)
        if text is not None and not _is_junk(text):
            return text, ()
    text, warning = _repaired(data) or _guessed(data)
    if _is_junk(text):
        raise UnreadableDocument(file.uri, "it holds binary data, or text in an encoding that could not be recognised")
    return text, (warning,)


def _told(data: bytes, file: SourceFile, stated: str) -> Iterator[str]:
    """Encodings that the file itself speaks for."""
    marked = next((name for mark, name in _BOMS if data.startswith(mark)), None)
    if marked:
        yield marked
        raise UnreadableDocument(file.uri, f"its first bytes say {marked}, and the rest is not")
    if stated and not _is_western_name(stated):
        yield stated
    yield "utf-8"
    if stated and _is_western_name(stated):
        # As browsers do: what is called Latin-1 is nearly always its superset from Windows.
        yield "cp1252"


def _repaired(data: bytes) -> tuple[str, str] | None:
    """UTF-8 with a few broken bytes replaced, where far more letters of it are whole."""
    text = data.decode("utf-8", "replace")
    broken = text.count("\ufffd")
    if not 0 < broken * 50 <= len(_FOREIGN.findall(text)):
        return None
    return text, f"bytes that are not valid UTF-8 were replaced ({broken})"


def _guessed(data: bytes) -> tuple[str, str]:
    """What a guess makes of the bytes; only junk where there is none."""
    encoding = _guess(data)
    text = _strictly(data, encoding) if encoding else None
    return text or "\ufffd", f"the encoding is not stated and was guessed: {encoding}"


def _strictly(data: bytes, encoding: str) -> str | None:
    try:
        return data.decode(encoding)
    except (UnicodeError, LookupError):
        return None


def _is_western_name(encoding: str) -> bool:
    """Whether it names Latin-1, which is often stated of text that is UTF-8, and then decodes it without fail."""
    try:
        return codecs.lookup(encoding).name in ("iso8859-1", "cp1252", "ascii")
    except LookupError:
        return False


def _guess(data: bytes) -> str:
    """The name of an encoding that the bytes are plausible in, or nothing."""
    sample = data[:_SAMPLE_BYTES]
    if 0 in sample or _strictly(data, "utf-8") is not None:
        return _wide(sample)
    western = _strictly(data, "cp1252")
    if western is not None and _is_western(western):
        return "cp1252"
    return _best(sample)


def _wide(sample: bytes) -> str:
    """UTF-16 without a mark: Latin text has a zero in every second byte, always on the same side."""
    even, odd = sample[0::2].count(0), sample[1::2].count(0)
    if even + odd <= len(sample) // 4:
        return ""
    if odd > 4 * even:
        return "utf-16-le"
    return "utf-16-be" if even > 4 * odd else ""


def _is_western(text: str) -> bool:
    """Whether it reads as a Western European language, and not as another alphabet decoded wrongly."""
    foreign = len(_FOREIGN.findall(text))
    return foreign * 10 < len(text) * 3 and not _NO_WESTERN_WORD.search(text)


def _best(sample: bytes) -> str:
    from charset_normalizer import from_bytes

    whole_lines = sample[: sample.rfind(b"\n") + 1] or sample
    best = from_bytes(whole_lines).best()
    return best.encoding if best else ""


def _is_junk(text: str) -> bool:
    return len(_JUNK.findall(text)) > len(text) * _MOST_JUNK
