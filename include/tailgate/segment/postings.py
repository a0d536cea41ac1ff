"""Where sentences begin in mail and postings, whose lines were joined: nothing but their look tells them apart.

Each rule names what has to be in a text before it is worth a search, since few texts are mail.
"""

import re
from collections.abc import Iterator

_AT_START = r"(?:(?<![^\n])|(?<=[.!?]\s))"
_UPPER = r"[^\W\d_a-zß-öø-ÿа-яё]"
_FILE = r"\.[A-Za-z]\w{1,3}"
_RULES: tuple[tuple[tuple[str, ...], re.Pattern[str]], ...] = (
    # An address in angle brackets ends the line that names its owner.
    (("@",), re.compile(r"<[^<>\s@]+@[^<>\s]+>\s+(?=[\"“]?[A-Z\d])")),
    # So does a bare one at the end of a signature.
    (("@",), re.compile(rf"(?<!\S)[^\s@]+@[^\s@]+\.[a-z]+\s+(?={_UPPER})")),
    # A field of a header that follows another one.
    (
        ("@", "Subject:"),
        re.compile(r"(?<=\S)\s+(?=(?:From|To|Sent|Subject|Cc|Bcc|Date|Reply-To|Groups|Newsgroups):\s)"),
    ),
    # A greeting or a farewell has a line of its own.
    (("Dear ",), re.compile(rf"{_AT_START}Dear(?:\s[A-Z][\w.]*){{1,4}}\s?[,:]\s+(?=[A-Z])")),
    (
        ("egards,", "ishes,", "incerely", "Yours", "espectfully"),
        re.compile(
            rf"{_AT_START}(?:(?:[A-Z][a-z]+\s)?(?:[Kk]ind\s|[Bb]est\s)?(?:[Rr]egards|[Ww]ishes)|Sincerely(?:\syours)?"
            r"|Yours\s(?:very\s)?(?:truly|sincerely|faithfully)|Respectfully(?:\syours)?),\s+(?=[A-Z])"
        ),
    ),
    (
        ("Thanks,", "Thank you,", "Cheers,"),
        re.compile(
            rf"{_AT_START}(?:(?:Many\s)?Thanks|Thank\syou|Cheers),\s+(?=[A-Z]\w*(?:\s[A-Z]\w*){{0,3}}(?:\s*\n|\s*\Z|\s[A-Z]))"
        ),
    ),
    # What is attached: one file after the other.
    ((" - ", "\n- "), re.compile(rf"{_FILE}\)?\s+(?=-\s[^\s/]*{_FILE}(?!\S))")),
    (("<<",), re.compile(r"<<[^<>\n]{1,200}>>\s+(?=\S)")),
    # A link that another link or a new sentence follows.
    (("://", "www."), re.compile(rf"(?<!\S)(?:https?://|www\.)\S*[^\s,;:-]\s+(?=https?://|www\.|{_UPPER}[a-z])")),
)
_STAMP = re.compile(
    r"(?<!\S)\d{1,2}/\d{1,2}/\d{2,4},?\s\d{1,2}:\d{2}(?::\d{2})?+(?:\s?[AaPp][Mm]\b)?+(?P<after>\s+(?=[\"“]?[^\W\d_]))?"
)
_SENDER = re.compile(r"(?<!\S)(?:[A-Z][\w.'’-]*|\S+@\S+|\S*>|[A-Z]\S+@[A-Z\s]+)\s+\Z")
_NO_SENDER = re.compile(
    r"(?<!\S)(?:On|At|By|Since|Until|From|Before|After|Date|Sent|(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)\S*)\s+\Z"
)
_ON = re.compile(r"\son\s+\Z")
_SIGNS = (
    *("@", "<", "/", "www", "- ", "Subject:", "Dear "),
    *("egards,", "ishes,", "incerely", "Yours", "espectfully", "Thanks,", "Thank you,", "Cheers,"),
)
"""One of these is in every text that one of the rules has something to say of."""
REACH = 60
"""Characters before a time stamp that are looked at."""


def postings(text: str) -> Iterator[int]:
    """Where a sentence begins because a header, a greeting, a signature, a file or a link ends before it."""
    if not may_be_posting(text):
        return
    for needed, rule in _RULES:
        if any(part in text for part in needed):
            yield from (match.end() for match in rule.finditer(text))
    if "/" in text:
        yield from _stamps(text)


def may_be_posting(text: str) -> bool:
    """Whether there is a sign in the text that one of the rules goes by."""
    return any(sign in text for sign in _SIGNS)


def _stamps(text: str) -> Iterator[int]:
    """Around the time at which somebody wrote what follows: `Ann Lee 03/27/2001 09:11 AM Will you come?`."""
    for match in _STAMP.finditer(text):
        head = text[max(0, match.start() - REACH) : match.start()]
        named = _SENDER.search(head) and not _NO_SENDER.search(head)
        if named:
            yield match.start()
        if match["after"] and (named or (_ON.search(head) and text[match.end()].isupper())):
            yield match.end()
