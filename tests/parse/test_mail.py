import pytest

from tailgate.errors import EncryptedDocument, UnreadableDocument
from tailgate.models import Kind

HEAD = "From: {}\nTo: all@example.com\nSubject: {}\nDate: Mon, 05 Jan 2026 10:00:00 +0000\n"


def mail(body: str, sender: str = "ann@example.com", subject: str = "Kettles") -> str:
    return f"{HEAD.format(sender, subject)}Content-Type: text/plain; charset=utf-8\n\n{body}"


def headings(document):
    return [
        (element.level, document.text[element.char_start : element.char_end])
        for element in document.elements
        if element.kind is Kind.HEADING
    ]


WHEN = "Date: Mon, 05 Jan 2026 10:00:00 +0000"


def test_a_mailbox_has_a_section_a_message_and_a_subject_once(parsed):
    messages = [
        mail("It leaks.\n\n>From the lid.\n"),
        mail("Where?\n", "bob@example.com", "Re: Kettles"),
        mail("Lunch?\n", "eve@example.com", "Food"),
    ]
    document = parsed("a.mbox", "".join(f"From x Mon Jan  5 10:00:00 2026\n{message}\n" for message in messages))
    assert headings(document) == [
        (1, "Kettles"),
        (2, f"From: ann@example.com, {WHEN}"),
        (2, f"From: bob@example.com, {WHEN}"),
        (1, "Food"),
        (2, f"From: eve@example.com, {WHEN}"),
    ]
    assert "From the lid." in document.text


def test_a_forwarded_message_is_a_section_of_its_own(parsed):
    outer = (
        HEAD.format("ann@example.com", "Fwd: Kettles")
        + "MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=x\n"
    )
    content = (
        f"{outer}\n--x\nContent-Type: text/plain\n\nSee below.\n--x\nContent-Type: message/rfc822\n\n"
        f"{mail('It leaks.', 'bob@example.com', 'Pots')}\n--x--\n"
    )
    document = parsed("a.eml", content)
    assert [text for _, text in headings(document)] == [
        "Fwd: Kettles",
        f"From: ann@example.com, {WHEN}",
        "Pots",
        f"From: bob@example.com, {WHEN}",
    ]
    assert document.warnings == ()


@pytest.mark.parametrize(
    ("quoted", "heading"),
    [
        ("On Mon, 5 Jan 2026 at 09:00, Ann\n<ann@example.com> wrote:\n> It leaks.\n> Badly.\n", "On Mon, 5 Jan"),
        (
            "-----Original Message-----\nFrom: Ann\nSent: Monday\nTo: Bob\nSubject: Pots\n\nIt leaks.\nBadly.",
            "From: Ann, Sent",
        ),
        ("From: Ann\nDate: Monday\nTo: Bob\n\nIt leaks.\nBadly.", "From: Ann, Date: Monday"),
    ],
)
def test_a_message_quoted_whole_is_a_section(parsed, quoted, heading):
    document = parsed("a.eml", mail(f"I will look.\n\n{quoted}"))
    assert headings(document)[2][1].startswith(heading)
    assert document.text.endswith("It leaks.\nBadly.")


def test_answers_between_quotes_stay_in_one_section(parsed):
    document = parsed("a.eml", mail("On Mon, 5 Jan 2026, Ann wrote:\n> Does it leak?\nYes.\n> Badly?\nNo.\n"))
    assert len(headings(document)) == 2
    assert "> Does it leak?" in document.text


def test_quotes_in_quotes_are_sections_too(parsed):
    body = "Top.\n\nOn Monday 5 Jan, Ann wrote:\n> Middle.\n>\n> On Sunday 4 Jan, Bob wrote:\n>> Bottom.\n"
    document = parsed("a.eml", mail(body))
    assert [text for _, text in headings(document)][2:] == [
        "On Monday 5 Jan, Ann wrote:",
        "On Sunday 4 Jan, Bob wrote:",
    ]
    assert document.text.endswith("Bottom.")


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-8-sig"])
def test_a_message_saved_by_a_text_editor_is_read(parsed, encoding):
    assert "It leaks." in parsed("a.eml", mail("It leaks.").encode(encoding)).text


def test_an_encrypted_message_is_encrypted(parsed):
    content = (
        HEAD.format("a@example.com", "S") + "Content-Type: application/pkcs7-mime; smime-type=enveloped-data\n\nMIIB"
    )
    with pytest.raises(EncryptedDocument):
        parsed("a.eml", content)


def test_what_is_no_mailbox_or_outlook_message_is_unreadable(parsed):
    for name in ("a.mbox", "a.msg"):
        with pytest.raises(UnreadableDocument):
            parsed(name, "text")


@pytest.mark.corpora
def test_outlook_messages_give_headings_and_text(parsed, corpora):
    folder = corpora("binary_fixtures") / "docs" / "unstructured"
    document = parsed("a.msg", (folder / "fake-email-attachment.msg").read_bytes())
    assert headings(document)[0] == (1, "Fake email with attachment")
    assert "Here's the attachments!" in document.text
    assert document.warnings == ("left out: attachments (1)",)
    with pytest.raises(EncryptedDocument):
        parsed("a.msg", (folder / "fake-encrypted.msg").read_bytes())
