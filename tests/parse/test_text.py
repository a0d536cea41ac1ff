import pytest

from tailgate.errors import EmptyDocument, UnreadableDocument
from tailgate.models import Kind

CALL = """\
Agent: Thanks for calling. How can I help?
Caller: My kettle leaks.
It started on Monday.
Agent: Sorry to hear that.
Caller: Can I send it back?
"""


def test_the_canonical_text_is_the_file(parsed):
    content = "\n  First line,\r\nsecond line.\r\n\r\n\tNext.\n\n"
    document = parsed("a.txt", content)
    assert document.text == content
    assert [element.kind for element in document.elements] == [Kind.PROSE, Kind.PROSE]
    assert document.media_type == "text/plain"


def test_a_paragraph_with_line_breaks_stays_one_element(parsed, outline):
    assert outline(parsed("a.txt", "One line\nand another.\n\nNew paragraph.")) == [
        (Kind.PROSE, "One line\nand another."),
        (Kind.PROSE, "New paragraph."),
    ]


def test_no_heading_is_invented_in_text(parsed):
    document = parsed("a.txt", "INTRODUCTION\n============\n\n# Not Markdown\n\n1. Terms\n\nSome text follows.")
    assert {element.kind for element in document.elements} == {Kind.PROSE}


def test_a_transcript_gives_turns_with_speakers(parsed, outline):
    document = parsed("a.txt", CALL)
    assert document.text == CALL
    assert [element.speaker for element in document.elements] == ["Agent", "Caller", "Agent", "Caller"]
    assert outline(document)[1] == (Kind.TURN, "Caller: My kettle leaks.\nIt started on Monday.")


@pytest.mark.parametrize("gap", ["\n", "\n\n"])
@pytest.mark.parametrize(
    ("line", "speaker", "start_s"),
    [
        ("[00:01:05] {}: So it goes.", "Dr. Ann O'Neil", 65.0),
        ("01:05 {}: So it goes.", "Speaker 1", 65.0),
        ("{} (1:00:02.5): So it goes.", "SPEAKER_00", 3602.5),
        ("2026-01-31 10:00:02 {}: So it goes.", "Ann", None),
        ("**{}:** So it goes.", "Ann Müller", None),
        ("{}：そうです。", "田中", None),
    ],
)
def test_turns_are_known_with_and_without_time(parsed, gap, line, speaker, start_s):
    if "：" in line:
        line = line.replace("：", "： ")
    lines = [line.format(name) for name in (speaker, "Bob", speaker, "Bob")]
    first = parsed("a.txt", gap.join(lines)).elements[0]
    assert (first.kind, first.speaker, first.start_s) == (Kind.TURN, speaker, start_s)


@pytest.mark.parametrize(
    "content",
    [
        "Name: Ann\nAge: 30\nTown: Bern\nPhone: 5\nNote: none",
        "By: /s/ Ann\nName: Ann\nTitle: Director\n\nBy: /s/ Bob\nName: Bob\nTitle: Director",
        "The rule is simple: ask first.\n\nWe saw one thing: it works.\n\nAnd another: it lasts.",
    ],
)
def test_forms_and_prose_with_colons_are_no_transcript(parsed, content):
    assert all(element.kind is Kind.PROSE for element in parsed("a.txt", content).elements)


def test_log_files_are_log_lines_traces_included(parsed):
    content = (
        "2026-01-31 10:00:00,123 INFO start\n"
        "2026-01-31 10:00:01,001 ERROR no answer\n"
        "  at app.Main.run(Main.java:10)\n"
        "2026-01-31 10:00:02,500 INFO stop\n"
    )
    (element,) = parsed("a.log", content).elements
    assert element.kind is Kind.LOG


def test_log_lines_json_and_traces_are_told_from_prose(parsed, outline):
    content = """\
The service failed at night:
Jan 31 23:59:58 host app[1]: one
Jan 31 23:59:59 host app[1]: two
Jan 31 23:59:59 host app[1]: three
and then it stopped.

{"event": "push",
 "size": 3}

Traceback (most recent call last):
  File "a.py", line 1, in <module>
    run()
ValueError: no

We restarted it [1].
"""
    assert [kind for kind, _ in outline(parsed("a.txt", content))] == [
        Kind.PROSE,
        Kind.LOG,
        Kind.PROSE,
        Kind.JSON,
        Kind.CODE,
        Kind.PROSE,
    ]


def test_lists_in_text_are_items(parsed, outline):
    content = "We need:\n- bread\n- butter,\n  salted\n\nA dash - like this\n- is only a wrapped line."
    assert outline(parsed("a.txt", content)) == [
        (Kind.PROSE, "We need:"),
        (Kind.LIST_ITEM, "- bread"),
        (Kind.LIST_ITEM, "- butter,\n  salted"),
        (Kind.PROSE, "A dash - like this\n- is only a wrapped line."),
    ]


def test_json_in_a_text_file_is_json(parsed):
    assert [element.kind for element in parsed("a.txt", '[{"a": 1},\n\n {"b": 2}]').elements] == [Kind.JSON]


@pytest.mark.parametrize(
    ("data", "text", "guessed"),
    [
        ("Größe".encode(), "Größe", ""),
        ("Größe".encode("utf-8-sig"), "Größe", ""),
        ("Größe".encode("utf-16"), "Größe", ""),
        ("Größe".encode("utf-32"), "Größe", ""),
        ("Plain words here.".encode("utf-16-le"), "Plain words here.", "utf-16-le"),
        ("Plain words here.".encode("utf-16-be"), "Plain words here.", "utf-16-be"),
        ("The company’s “best” year: £5 a day, café, naïve.".encode("cp1252"), None, "cp1252"),
        ("Die Größe der Tür überrascht den Käufer.".encode("latin-1"), None, "cp1252"),
        ("Привет, как дела? Это простой текст на русском языке.".encode("cp1251"), None, "cp1251"),
        ("これは日本語のテキストです。文字コードを試します。".encode("shift_jis"), None, "cp932"),
    ],
)
def test_encodings_are_recognised_and_guesses_are_named(parsed, data, text, guessed):
    document = parsed("a.txt", data)
    assert document.text == (data.decode(guessed) if text is None else text)
    assert document.warnings == ((f"the encoding is not stated and was guessed: {guessed}",) if guessed else ())


def test_one_broken_byte_does_not_spoil_a_text_in_utf_8(parsed):
    document = parsed("a.txt", "これは日本語のテキストです。".encode() * 9 + b"\xff!")
    assert document.text == "これは日本語のテキストです。" * 9 + "\ufffd!"
    assert document.warnings == ("bytes that are not valid UTF-8 were replaced (1)",)


@pytest.mark.parametrize("data", [b"\0" * 5000, b"text" + b"\0" * 5000, bytes(range(256)) * 20, b"\xff\xfe\xff"])
def test_bytes_that_are_no_text_are_unreadable(parsed, data):
    with pytest.raises(UnreadableDocument, match=r"/data/a.txt: it"):
        parsed("a.txt", data)


@pytest.mark.parametrize("data", [b"", b" \n\t \r\n", "\ufeff \n".encode(), " \n".encode("utf-16")])
def test_files_without_text_are_empty(parsed, data):
    with pytest.raises(EmptyDocument):
        parsed("a.txt", data)


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Hello there.", "en"),
        ("Guten Tag, schöne Grüße.", "en"),
        ("これは日本語です。", "ja"),
        ("这是一个中文文本。", "zh"),
        ("นี่คือข้อความภาษาไทย", "th"),
        ("هذا نص عربي", "ar"),
        ("यह हिंदी है", "hi"),
        ("Это русский текст", "ru"),
        ("한국어 텍스트입니다", "ko"),
        ("The word 東京 means eastern capital, and that is all there is to it.", "en"),
    ],
)
def test_the_script_names_the_language(parsed, text, language):
    assert parsed("a.txt", text).language == language
