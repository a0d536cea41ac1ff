import json

import pytest

from tailgate.errors import UnreadableDocument
from tailgate.models import Kind, Origin, Shape
from tailgate.parse.cues import LONGEST_TURN

VTT = """\
WEBVTT - a call

NOTE recorded on Monday

STYLE
::cue { color: red }

1
00:00:01.000 --> 00:00:03.000 align:start
<v.loud Ann Lee>I never said
that she stole</v>

2
00:00:03.000 --> 00:00:05.500
<v Ann Lee>my money &amp; <i>ran</i>. Did I?</v>

00:00:05.500 --> 00:00:07.000
<v Ann Lee>No.</v>
<v Bob>Yes.</v>
"""

SRT = """\
1
00:00:01,000 --> 00:00:02,500
Ann: Hello there, how

2
00:00:02,500 --> 00:00:04,000
are you
<i>doing</i> today?
3
00:01:04,000 --> 00:01:06,000
{\\an8}Bob: Fine.
"""


def turns(document):
    return [
        (element.speaker, element.start_s, element.end_s, document.text[element.char_start : element.char_end])
        for element in document.elements
    ]


def test_vtt_cues_of_one_speaker_are_rejoined_to_sentences(parsed):
    document = parsed("a.vtt", VTT)
    assert turns(document) == [
        ("Ann Lee", 1.0, 5.5, "Ann Lee: I never said that she stole my money & ran. Did I?"),
        ("Ann Lee", 5.5, 7.0, "Ann Lee: No."),
        ("Bob", 5.5, 7.0, "Bob: Yes."),
    ]
    assert {element.kind for element in document.elements} == {Kind.TURN}
    assert document.text.count("\n") == 2
    assert document.warnings == ("left out: notes (1)",)


@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
def test_srt_speakers_named_in_the_text_go_on_speaking(parsed, line_end):
    assert turns(parsed("a.srt", SRT.replace("\n", line_end))) == [
        ("Ann", 1.0, 4.0, "Ann: Hello there, how are you doing today?"),
        ("Bob", 64.0, 66.0, "Bob: Fine."),
    ]


def test_dashes_in_a_cue_are_two_speakers_without_a_name(parsed):
    cue = "00:00:01.000 --> 00:00:02.000\n"
    document = parsed("a.vtt", f"WEBVTT\n\n{cue}- Where are\n- Here.\n\n{cue}Never\n\n{cue}mind the gap")
    assert [text for *_, text in turns(document)] == ["- Where are", "- Here.", "Never mind the gap"]


def test_rolling_captions_give_every_line_once(parsed):
    lines = ["so today we", "talk about", "kettles and", "their lids"]
    cues = [f"00:0{i}.000 --> 00:0{i + 1}.000\n{lines[i - 1]}\n{lines[i]}" for i in range(1, 4)]
    document = parsed("a.vtt", "WEBVTT\n\n" + "\n\n".join(cues))
    assert document.text == "so today we talk about kettles and their lids"
    assert document.warnings == ("left out: repeated lines of rolling captions (2)",)


def test_speech_without_punctuation_is_bounded_in_length(parsed):
    cues = [f"00:{i // 60:02}:{i % 60:02}.000 --> 01:00:00.000\nand then we went on and on" for i in range(300)]
    document = parsed("a.vtt", "WEBVTT\n\n" + "\n\n".join(cues))
    assert len(document.elements) > 5
    assert max(element.char_end - element.char_start for element in document.elements) <= LONGEST_TURN


def test_words_with_a_colon_in_captions_are_no_speakers(parsed):
    said = ["Step 1: open the lid", "and wait.", *["It takes a while."] * 20, "Step 2: close it."]
    cues = "\n\n".join(f"{i}\n00:00:{i:02},000 --> 00:00:{i + 1:02},000\n{text}" for i, text in enumerate(said))
    assert {element.speaker for element in parsed("a.srt", cues).elements} == {None}


@pytest.mark.parametrize("content", ["WEBVTT\n\nno cue here", "plain text"])
def test_captions_without_a_cue_are_unreadable(parsed, content):
    with pytest.raises(UnreadableDocument, match="no cue"):
        parsed("a.vtt", content)


WHISPER = {
    "text": " I never said that. You did.",
    "segments": [
        {"id": 0, "start": 0.0, "end": 2.5, "text": " I never", "tokens": [1, 2]},
        {"id": 1, "start": 2.5, "end": 4.0, "text": " said that.", "tokens": [3]},
        {"id": 2, "start": 4.0, "end": 5.0, "text": " You did.", "tokens": [4]},
    ],
    "language": "en",
}


def test_whisper_json_is_a_transcript(parsed):
    document = parsed("a.json", json.dumps(WHISPER))
    assert turns(document) == [(None, 0.0, 4.0, "I never said that."), (None, 4.0, 5.0, "You did.")]
    assert document.warnings == ()


def test_whisper_json_with_speakers_names_them(parsed):
    value = {"segments": [{**s, "speaker": f"SPEAKER_0{i // 2}"} for i, s in enumerate(WHISPER["segments"])]}
    assert turns(parsed("a.json", json.dumps(value))) == [
        ("SPEAKER_00", 0.0, 4.0, "SPEAKER_00: I never said that."),
        ("SPEAKER_01", 4.0, 5.0, "SPEAKER_01: You did."),
    ]


RECORDS = [
    {"speaker": "Ann", "text": "How is it"},
    {"speaker": "Ann", "text": "going, then?", "start": "00:00:02.5", "end": 4},
    {"speaker": 2, "text": "Well."},
]


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.json", json.dumps(RECORDS, indent=1)),
        ("a.jsonl", "\n".join(map(json.dumps, RECORDS)) + "\n"),
        ("a.json", "\n".join(map(json.dumps, RECORDS))),
        ("a.json", json.dumps({"title": "A talk we had", "utterances": RECORDS})),
    ],
)
def test_records_of_speaker_and_text_are_a_transcript(parsed, name, content):
    document = parsed(name, content)
    assert turns(document) == [
        ("Ann", None, 4.0, "Ann: How is it going, then?"),
        ("Speaker 2", None, None, "Speaker 2: Well."),
    ]
    assert document.warnings == (("left out: other texts in the JSON (1)",) if "title" in content else ())


@pytest.mark.parametrize(
    "value",
    [
        {"event": "push", "commits": [{"text": "a"}]},
        [{"text": "no speaker"}, {"text": "none"}],
        [{"speaker": "Ann", "text": "one"}, {"speaker": "Bob"}],
        {"segments": []},
        [],
        "text",
        {"segments": [{"start": 1, "end": 2}]},
    ],
)
def test_other_json_stays_json(parsed, value):
    content = json.dumps(value)
    document = parsed("a.json", content)
    assert document.text == content
    assert [element.kind for element in document.elements] == [Kind.JSON]


@pytest.mark.parametrize(
    ("line", "start_s", "end_s"),
    [
        ("[00:01:02] {}", 62.0, None),
        ("[00:01.500 --> 01:04.000]  {}", 1.5, 64.0),
    ],
)
def test_lines_with_times_alone_are_turns(parsed, line, start_s, end_s):
    document = parsed("a.txt", "\n".join(line.format(text) for text in ("Hello.", "So it goes.", "Good bye.")))
    assert [(e.kind, e.speaker, e.start_s, e.end_s) for e in document.elements] == [
        (Kind.TURN, None, start_s, end_s)
    ] * 3


def test_log_lines_with_times_are_no_transcript(parsed):
    content = "\n".join(f"[10:00:0{i}] INFO started worker {i}" for i in range(5))
    assert Kind.TURN not in {element.kind for element in parsed("a.txt", content).elements}


def test_a_name_on_a_line_above_speaks(parsed):
    said = [
        "Ann Lee  0:05\nSo, one rule: ask first.\nThen wait.",
        "Bob  0:12\nYes.",
        "Ann Lee  0:15\nGood.",
        "Bob  0:20\nBye.",
    ]
    content = "\n\n".join(said)
    document = parsed("a.txt", content)
    assert document.text == content
    assert [(element.speaker, element.start_s) for element in document.elements] == [
        ("Ann Lee", 5.0),
        ("Bob", 12.0),
        ("Ann Lee", 15.0),
        ("Bob", 20.0),
    ]


def test_a_time_before_the_name_is_the_start(parsed):
    content = "\n".join(f"[00:01:0{i}] {name}: So it goes." for i, name in enumerate(["Ann", "Bob", "Ann", "Bob"]))
    assert [element.start_s for element in parsed("a.txt", content).elements] == [60.0, 61.0, 62.0, 63.0]


def test_a_colon_later_in_a_turn_ends_no_name(segmented):
    content = "Ann Lee  0:05\nIt boils. One rule: ask.\n\nBob  0:12\nYes.\n\nAnn Lee  0:15\nGood.\n\nBob  0:20\nBye."
    sentences = [sentence.text for sentence in segmented("a.txt", content).sentences]
    assert sentences[:2] == ["Ann Lee  0:05\nIt boils.", "One rule: ask."]


def test_times_and_speakers_reach_the_sentences(segmented):
    document = segmented("a.vtt", VTT)
    assert [(s.speaker, s.start_s, s.end_s) for s in document.sentences] == [
        ("Ann Lee", 1.0, 5.5),
        ("Ann Lee", 1.0, 5.5),
        ("Ann Lee", 5.5, 7.0),
        ("Bob", 5.5, 7.0),
    ]
    assert {parent.origin for parent in document.parents} == {Origin.SYNTHETIC}


@pytest.mark.parametrize("name", ["a.vtt", "a.srt"])
def test_captions_invent_no_section(segmented, name):
    document = segmented(name, VTT if name == "a.vtt" else SRT)
    assert document.shape is Shape.TRANSCRIPT
