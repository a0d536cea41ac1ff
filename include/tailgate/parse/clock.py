"""Times as transcripts write them, in seconds from the beginning."""

import re

_CLOCK = re.compile(r"(?:(\d{1,3}):)?(\d{1,3}):(\d{1,2}(?:[.,]\d+)?)$")


def seconds(clock: str) -> float | None:
    """Of `1:02:03.5`, `02:03,500` or `123.5`; None where the text is no time."""
    match = _CLOCK.match(clock.strip())
    if match:
        return int(match[1] or 0) * 3600 + int(match[2]) * 60 + float(match[3].replace(",", "."))
    return float(clock) if re.fullmatch(r"\d{1,9}(?:\.\d+)?", clock.strip()) else None
