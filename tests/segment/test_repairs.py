"""Kinds of boundary that a rule-based splitter misses or invents, each with the right value."""

import pytest

from tailgate.segment.splitter import SentencexSplitter


def _sentences(text: str, language: str = "en") -> list[str]:
    return [text[start:end] for start, end in SentencexSplitter().split(text, language)]


@pytest.mark.parametrize(
    ("language", "sentences"),
    [
        ("en", ["He paused.", "(Laughter.)", "This went on for a while."]),
        ("en", ["That is denied.", "See Gray v. Stone, 24 Vet. App. 428, 433 (2011).", "The rest stands."]),
        ("en", ["It was reversed, 410 U.S. 113, at once.", "Nobody objected."]),
        ("en", ["He left at 6 P.M.", "Mr. Gray stayed."]),
        ("en", ["The train left late.", "12 people missed it."]),
        ("en", ["There were approx. 20 of them.", "All came."]),
        ("en", ["That made my day :)", "Now it is your turn."]),
        ("en", ["1. The first item", "2. The second item", "3. The third item"]),
        ("en", ["1.) The first item.", "2.) The second item."]),
        ("en", ["a. The first item", "b. The second item", "c. The third item"]),
        ("en", ["It was great! :P", "you get a good view of it."]),
        ("en", ["It comes in red, blue, etc.", "The green one is sold out."]),
        ("en", ["Nobody was ruder to me.", "I will not come again."]),
        ("en", ["It holds a diversity of art.", "Ann likes it."]),
        ("en", ["They are out of sight!!", "I will call them again."]),
        ("en", ["(We fly on the next day. )", "Hop onto a bus."]),
        ("en", ["What a place!!", "it was worth the ride."]),
        ("en", ["It is near Palo Alto..", "We will meet there."]),
        ("en", ["What will it say?", '"THE MAYOR: I thank you."', "He sat down."]),
        ("en", ["It is easy to use .", "'Cause you can write on it ."]),
        ("en", ["It is sold by WOMEN.COM NETWORKS, INC. in two shops.", "Both are open."]),
        ("en", ["They wrote it in .NET and moved on.", "It runs."]),
        ("en", ["Wait, no.", "You cannot do more."]),
        ("en", ["The publication no. Grant of each patent is listed."]),
        ("de", ["Die Messe aus dem 18. Jahrhundert steht noch.", "Sie ist offen."]),
        ("de", ["Im 6. Stock ist Licht.", "Dort wird gearbeitet."]),
        ("de", ["Wir waren zufrieden.", "17.45 Uhr kam die Ware."]),
        ("de", ["Niemand war da.", "``Wir warten noch, sagte sie."]),
    ],
)
def test_kinds_of_boundary(language: str, sentences: list[str]) -> None:
    assert _sentences(" ".join(sentences), language) == sentences


def test_rule_of_dashes_ends_what_is_above_it() -> None:
    assert _sentences("Best wishes, Ann ________ Do you need a bicycle?")[-1] == "Do you need a bicycle?"


def test_question_ends_where_the_blank_after_it_was_left_out() -> None:
    assert _sentences("Do they take foreigners?thanks for any help.") == [
        "Do they take foreigners?",
        "thanks for any help.",
    ]
    link = "See http://example.com/list.php?id=7&x=what?now for it."
    assert _sentences(link) == [link]


@pytest.mark.parametrize(
    "sentences",
    [
        ["Kay Mann", "04/26/2001 07:17 AM", "Will you send another version?"],
        ["Ann Lee <ann.lee@example.com>", "03/27/2001 09:11 PM", "have you heard from anyone?"],
        ["Joe Warner@EXAMPLE COMMUNICATIONS on 08/16/2000 03:14:14 PM", "Steve, I can come."],
        ['Email: "Ann Lee"<ann...@example.com>', "Groups: alt.animals.cat"],
        ["Email: ann@example.com", "The site is made!"],
        ["Best regards,", "Ann Lee"],
        ["It rained.", "Sincerely,", "Ann Lee"],
        ["Please copy it.", "Thanks,", "Ann Lee"],
        ["Dear Ann Lee,", "My name is Joe."],
        ["- one.pdf", "- other.pdf", "- third.doc"],
        ["It is attached.", "<< File: sheet.doc >>", "I may change it."],
        ["http://example.com/a.html", "http://example.com/b.html", "These are pictures."],
        ["From: ann@example.com", "To: joe@example.com", "Subject: The bus"],
    ],
)
def test_lines_of_mail_that_were_joined_are_told_apart(sentences: list[str]) -> None:
    assert _sentences(" ".join(sentences)) == sentences


@pytest.mark.parametrize(
    "sentence",
    [
        "We meet on Monday 04/26/2001 07:17 AM in the hall.",
        "It was sent on 08/16/2000 03:14 PM by the office.",
        "Posted by Hidden Nook at 3/9/2005 11:16:00 PM",
        "Write to ann@example.com or to joe@example.com for it.",
        "Thanks, Ann, that is kind.",
        "She sends her regards, Ann says.",
        "You find it at http://example.com/a.html in the list.",
        "It ends on ________ (__) months after that date.",
        "The list is 1 < 2 and 3 >> 2 << 4 in that order.",
    ],
)
def test_what_looks_like_mail_in_running_text_is_one_sentence(sentence: str) -> None:
    assert _sentences(sentence) == [sentence]


def test_number_in_running_text_is_no_list() -> None:
    text = "Of the two I prefer no. 1. The other is no. 2. Both are fine."
    assert "".join(_sentences(text)).replace(" ", "") == text.replace(" ", "")
    assert len(_sentences(text)) <= 3


@pytest.mark.timeout(60)
@pytest.mark.parametrize(
    "unit",
    [
        "`` a ",
        "a.) ",
        "1. a ",
        "a!!!! ",
        "-",
        "\" ' ( ",
        "a@",
        "a.a@a.a",
        "<a@a",
        "www.",
        "http://a ",
        "<<",
        "Dear A ",
        "Thanks, A ",
        "A@A 1/1/2000 1:00 ",
        "1/1/2000 1:00 AM",
        "- a.pdf ",
        "?a",
        "\n",
    ],
)
def test_megabyte_of_one_pattern_is_split_in_seconds(unit: str) -> None:
    text = unit * (1_000_000 // len(unit))
    spans = SentencexSplitter().split(text, "en")
    assert sum(len(text[start:end].split()) for start, end in spans) == len(text.split())
