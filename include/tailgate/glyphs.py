"""Characters for terminals: bars that grow by eighths of a cell, and what stands for them in plain ASCII."""

import unicodedata

EIGHTHS = " ▏▎▍▌▋▊▉█"
_ASCII = str.maketrans(
    {"▏": ":", "▎": ":", "▍": ":", "▌": "#", "▋": "#", "▊": "#", "▉": "#", "█": "#"}
    | {"–": "-", "—": "-", "…": "...", "×": "x", "·": "-", "≤": "<=", "→": "->", "“": '"', "”": '"', "’": "'"}
    | dict.fromkeys("─━╌╸╺", "-")
    | dict.fromkeys("│┃", "|")
    | dict.fromkeys("╭╮╰╯┌┐└┘├┤┬┴┼", "+")
)


def bar(part: float, width: int) -> str:
    """A bar of `part` (0 to 1) of `width` cells; whatever is more than nothing can be seen."""
    eighths = max(1, round(part * width * 8)) if part > 0 else 0
    return EIGHTHS[-1] * (eighths // 8) + (EIGHTHS[eighths % 8] if eighths % 8 else "")


def ascii_of(text: str) -> str:
    """The text in ASCII: lines and bars by what looks like them, letters without their accents, the rest as `?`."""
    plain = unicodedata.normalize("NFKD", text.translate(_ASCII))
    kept = "".join(character for character in plain if not unicodedata.combining(character))
    return kept.encode("ascii", "replace").decode("ascii")
