from tailgate.models import Kind

PAGE = """\
---
title: Kettles
tags: [a, b]
---
# Kettles

Some *words* about `kettles`:
- first
- second

  more of it

  ```sh
  boil --now

  pour
  ```
1. one
2. two

#channel is no heading
### Limits ###

| Model | Litres |
|---|---|
| `K1`x | 1.5 |
| **K2** | 2<br>or 3 |

<details><summary>More</summary>

Hidden until opened.

</details>

Press ![the red button](a.png) now, then ~~run~~ walk.

Setext
------

    indented = 1

    code = 2

> quoted
"""


def test_everything_that_a_reader_sees_is_there_in_order(parsed, outline):
    assert outline(parsed("a.md", PAGE)) == [
        (Kind.CODE, "title: Kettles\ntags: [a, b]"),
        (Kind.HEADING, "Kettles"),
        (Kind.PROSE, "Some words about kettles:"),
        (Kind.LIST_ITEM, "first"),
        (Kind.LIST_ITEM, "second"),
        (Kind.PROSE, "more of it"),
        (Kind.CODE, "boil --now\n\npour"),
        (Kind.LIST_ITEM, "1. one"),
        (Kind.LIST_ITEM, "2. two"),
        (Kind.PROSE, "#channel is no heading"),
        (Kind.HEADING, "Limits"),
        (Kind.TABLE, "Model | Litres\nK1x | 1.5\nK2 | 2 or 3"),
        (Kind.PROSE, "More"),
        (Kind.PROSE, "Hidden until opened."),
        (Kind.PROSE, "Press the red button now, then run walk."),
        (Kind.HEADING, "Setext"),
        (Kind.CODE, "indented = 1\n\ncode = 2"),
        (Kind.PROSE, "quoted"),
    ]


def test_headings_carry_the_depth_of_their_markup(parsed):
    document = parsed("a.md", PAGE)
    assert [element.level for element in document.elements if element.level] == [1, 3, 2]
    assert document.media_type == "text/markdown"
    assert document.warnings == ()


def test_a_table_has_one_header_row(parsed):
    (table,) = [element for element in parsed("a.md", PAGE).elements if element.kind is Kind.TABLE]
    assert table.header_rows == 1


def test_a_fence_with_headings_and_blank_lines_is_one_element(parsed, outline):
    content = "~~~~python\n# not a heading\n\n\n```\nx = {\n\n}\n~~~~\n\nAfter."
    assert outline(parsed("a.md", content)) == [
        (Kind.CODE, "# not a heading\n\n\n```\nx = {\n\n}"),
        (Kind.PROSE, "After."),
    ]


def test_code_keeps_its_indentation(parsed, outline):
    assert outline(parsed("a.md", "```\n    deep\n  less\n```")) == [(Kind.CODE, "    deep\n  less")]


def test_front_matter_with_any_line_ends_is_no_heading(parsed):
    for content in ("---\r\ntitle: A\r\n---\r\nText.", "---\n title: A\n---\nText.", "+++\ntitle = 1\n+++\nText."):
        assert [element.kind for element in parsed("a.md", content).elements] == [Kind.CODE, Kind.PROSE]


def test_a_rule_at_the_start_is_no_front_matter(parsed, outline):
    assert outline(parsed("a.md", "---\n\nFirst.\n\n---\n\nSecond.")) == [
        (Kind.PROSE, "First."),
        (Kind.PROSE, "Second."),
    ]


def test_a_transcript_in_markdown_gives_turns(parsed):
    document = parsed("a.md", "# Talk\n\n**Ann Lee:** Hello.\n\n**Bob:** Hi.\n\n**Ann Lee:** So.\n\n**Bob:** Yes.")
    assert [element.speaker for element in document.elements] == [None, "Ann Lee", "Bob", "Ann Lee", "Bob"]


def test_the_first_words_of_one_letter_are_kept(parsed, outline):
    assert outline(parsed("a.md", "a\n\n- b\n\n# c")) == [
        (Kind.PROSE, "a"),
        (Kind.LIST_ITEM, "b"),
        (Kind.HEADING, "c"),
    ]


def test_what_only_looks_like_a_tag_is_text(parsed):
    assert parsed("a.md", "Set <your-key> and <b>save</b>.").text == "Set <your-key> and save."
