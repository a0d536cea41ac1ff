"""Recognises program text that was pasted among prose without any markup: runs of lines that only code has."""

import re
from collections.abc import Iterator, Sequence
from itertools import groupby

from tailgate.models import Kind
from tailgate.parse import dump
from tailgate.parse.builder import Block
from tailgate.parse.lines import paragraphs

_STRONG = re.compile(
    r"""
    \s*(?:
      (?:import\ [\w.]+(?:\ as\ \w+)?|from\ [\w.]+\ import\ [\w*(, .]+)\s*;?$                      # Python
    | (?:async\ )?def\ \w+\(.*
    | class\ \w+(?:\([\w., =]*\))?:$
    | (?:if|elif|for|while|with|except|assert)\ [^.?!]*[()=\[\]<>'"].*:$
    | (?:try|else|finally):$
    | (?:return|raise|yield|await|throw)\ [^\s].*[()\[\]{}='"].*$
    | @(?:[\w.]+\(.*\)|property|(?:static|class)method|Override|dataclass)$
    | (?:export\ )?(?:const|let|var)\ [\w{}\[\], :]+\ =\ .*                                           # JavaScript
    | import\ .*\ from\ ['"].*['"];?$
    | (?:export\ )?(?:default\ )?(?:async\ )?function\ ?\w*\(.*
    | (?:public|private|protected|static|final)\ .*[;{]$                                             # Java, C
    | \#(?:include|define|ifdef|ifndef|endif|pragma)\b.*
    | \#!/.*
    | (?:\$\ |curl\ .*https?:|pip3?\ install\ |npm\ (?:install|run|i)\ |npx\ |export\ [A-Z_]+=|sudo\ |docker\ \w+\ ).*
    | (?:git\ (?:clone|pull|push|add|commit|checkout)|apt(?:-get)?\ install|brew\ install|cd\ [\w./~-]+$)\ ?.*
    | .*[^\\]\ \\$                                                                                   # goes on below
    | [A-Za-z_][\w.]*(?:\[[^\]]*\])*(?:\ ?:\ ?[\w\[\], .]+)?\ (?:[-+*/|&:]?=)\ [^\s=].*                 # assignment
    | [A-Za-z_]\w*=\S.*,$
    | (?:\w+[._][\w.]*\([^)]*\)|\w+\((?:[^)]*["'=,.][^)]*)?\)|(?:print|len|log|main)\(.*\))[;{]?(?:\.\w+.*)?$
    | [A-Za-z_][\w.]*\($
    | [\[\](){}]+[\[\](){},;.]*$
    | [)\]}][)\]},;]*\ (?:as\ \w+:|else\ \{|catch.*\{|=>\ \{|from\ ['"].*['"];?)$
    | [)\]}]+(?:\.[\w.]+(?:\(.*\))?(?:\[\d+\])?)+;?$
    | .*(?:[)\w'"]\ \{|\(\{|\[\{|=>\ \{|=\ [\[{(])$
    | (?!.*[a-z]{2,}\ [a-z]{2,}\ [a-z]{2,}\ )[A-Za-z_$][\w.$]*[(\[+-].*[)\]\w"'+-];$
    | [A-Za-z_$][\w.$ ]*\ [-+*/|&]?=\ .*;$
    | ["'][^"']{1,60}["']\s*:\s*(?:["'\[{].*|-?\d[\d.e]*,?|(?:true|false|null|True|False|None),?)$  # JSON
    | \{(?![%{#]).*\},?(?:\s*(?:\#|//).*)?$
    | (?:data|event):\ (?:[\[{].*|\w+_\w+)$
    | //\ .*
    | /\*.*
    )
    """,
    re.VERBOSE,
)
# What begins like code and is prose, a form or a contract: a sentence with a semicolon, a footnote, a signature line.
_NOT_CODE = re.compile(
    r"\s*(?:[A-Z][a-z]*\ [a-z].*[a-z]{2}\ [a-z].*[a-z];|\*\*|[-*+]\ |\d+[.)]\ |\||>|(?:_|\.|=){3,}|https?://)"
)
_WEAK = re.compile(r"""\s+\S|[)\]}]|--?[a-z]|['"].*['"],?$|.*[,({\[\\:]$|.*\w\(.*\)""")
_COMMENT = re.compile(r"\#\ ?\S")
_SENTENCE = re.compile(r"\s{0,3}[A-Z][a-z'’]*\ [a-z]+.*\ [a-z]+.*[a-z][.?!:]$")
_TRIPLE = re.compile(r'"""|\'\'\'')
_CODE_SIGNS = frozenset("{}[]()=;")
_SIGNS = frozenset("{}[]()=;:,.\"'+-*/<>\\#_`%&|!?0123456789")
_LEAST_LINES = 3
_LEAST_STRONG_SHARE = 0.5
_MOST_LINE_CHARS = 400
"""Above which a line is not compared with patterns, whose time may grow with the square of its length."""
_DENSE_SAMPLE_CHARS = 20_000
_LEAST_DENSE_CHARS = 100
_LEAST_DENSE_SHARE = 0.2
_LEAST_DENSE_WORDS = 8
_MOST_SIGNS = 5
_SURE_SIGNS = frozenset("{}=")
_TEMPLATES = ("{%", "{{", "%}", "}}")
_MOST_QUOTED_LINES = 200


def code_runs(lines: Sequence[str]) -> list[tuple[int, int]]:
    """Ranges of lines (first, after the last) that are code: three or more, at least half of them unmistakable.

    Blank lines lie inside a run where code goes on after them. One long line is a run where its words are mostly signs.
    """
    runs: list[tuple[int, int]] = []
    i = 0
    while i < len(lines):
        end, is_code = _stretch(lines, i)
        runs += [(i, end)] if is_code else []
        i = end
    return runs


def kind_of_code(text: str) -> Kind:
    """JSON or LOG where the code is that and nothing else."""
    lines = [line for paragraph in paragraphs(text) for line in paragraph]
    if lines and dump.is_json(text, lines):
        return Kind.JSON
    return Kind.LOG if dump.is_log([lines]) else Kind.CODE


def with_code(blocks: Sequence[Block]) -> list[Block]:
    """The blocks of a document with markup: paragraphs that are lines of one program become one piece of code."""
    joined: list[Block] = []
    for is_prose, run in groupby(blocks, key=lambda block: block.kind is Kind.PROSE):
        inside = list(run)
        position = 0
        for first, after in code_runs([block.text for block in inside]) if is_prose else ():
            text = "\n".join(block.text for block in inside[first:after])
            joined += [*inside[position:first], Block(kind_of_code(text), text, page=inside[first].page)]
            position = after
        joined += inside[position:]
    return joined


def _stretch(lines: Sequence[str], first: int) -> tuple[int, bool]:
    """Behind the lines that go together with the first one, and whether they are code; no line is looked at again."""
    if _is_dense(lines[first]):
        return first + 1, True
    start = first
    while start < len(lines) and _COMMENT.match(lines[start]):
        start += 1
    if start == len(lines) or not is_strong(lines[start]):
        return max(start, first + 1), False
    end, strong, filled, comments = first, 0, 0, 0
    for number, weight in _weights(lines, first, start):
        end = number + 1
        strong += weight
        filled += 1
        comments += _COMMENT.match(lines[number]) is not None
    return end, filled >= _LEAST_LINES and strong >= max(2, (filled - comments) * _LEAST_STRONG_SHARE)


def _weights(lines: Sequence[str], first: int, start: int) -> Iterator[tuple[int, int]]:
    """Each line of the run, and whether it is code beyond doubt (what stands in a long string is, with its quotes)."""
    quoted = 0
    after_blank = False
    for i in range(first, len(lines)):
        line = lines[i]
        if quoted:
            quoted -= 1
            quoted = 0 if len(_TRIPLE.findall(line)) % 2 else quoted
            if line.strip():
                yield i, 1
            continue
        if not line.strip():
            after_blank = True
            continue
        strong = i >= start and is_strong(line)
        if not (i < start or strong or _goes_on(lines, i, after_blank=after_blank)):
            return
        quoted = _MOST_QUOTED_LINES if strong and len(_TRIPLE.findall(line)) % 2 else 0
        after_blank = False
        yield i, int(strong)


def _goes_on(lines: Sequence[str], i: int, *, after_blank: bool) -> bool:
    """Whether a line without a sure sign of code still belongs to the code above it."""
    line = lines[i]
    if len(line) > _MOST_LINE_CHARS:
        return line.lstrip()[:1] in "\"'{[" or _is_dense(line)
    if _COMMENT.match(line):
        following = next((other for other in lines[i + 1 : i + 8] if not _COMMENT.match(other)), "")
        return not after_blank or is_strong(following)
    if after_blank:
        return line[:1] in " \t" and not _SENTENCE.match(line) and not _NOT_CODE.match(line)
    return _WEAK.match(line) is not None and not _SENTENCE.match(line) and not _NOT_CODE.match(line)


def is_strong(line: str) -> bool:
    """Whether only code has lines such as this one."""
    return (
        len(line) <= _MOST_LINE_CHARS
        and _STRONG.match(line) is not None
        and not _NOT_CODE.match(line)
        and not _SENTENCE.match(line)
    )


def _is_dense(line: str) -> bool:
    """Whether a long line is code whose line ends were lost: many of its words are signs, many of those brackets."""
    if len(line) < _LEAST_DENSE_CHARS or line.lstrip()[:1] in "|-*>":
        return False
    sample = line[:_DENSE_SAMPLE_CHARS]
    if sum(map(sample.count, _CODE_SIGNS)) < _LEAST_DENSE_WORDS:  # of most lines, much cheaper than to look at words
        return False
    words = sample.split()
    signs = [word for word in words if len(word) < _MOST_SIGNS and _SIGNS.issuperset(word)]
    codes = sum(1 for word in signs if not _CODE_SIGNS.isdisjoint(word))
    sure = sum(1 for word in signs if not _SURE_SIGNS.isdisjoint(word) and not word.startswith(_TEMPLATES))
    return codes >= max(_LEAST_DENSE_WORDS, len(words) * _LEAST_DENSE_SHARE) and sure * 10 >= codes
