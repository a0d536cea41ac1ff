import pytest
from segment_samples import heading, numbered, parsed, prose, segment

from tailgate.models import Kind, Origin, OutlineEntry, Parent, ParsedDocument


def paths(document: ParsedDocument) -> list[tuple[str, ...]]:
    return [parent.heading_path for parent in segment(document).parents]


def test_a_heading_with_its_text_is_a_section():
    parents = segment(parsed(prose("Before."), heading("One", 1), prose("A."), heading("Two", 2), prose("B."))).parents
    assert [(p.kind, p.origin, p.level, p.heading_path, p.text) for p in parents] == [
        ("section", Origin.AUTHORED, None, (), "Before."),
        ("section", Origin.AUTHORED, 1, ("One",), "One\n\nA."),
        ("section", Origin.AUTHORED, 2, ("One", "Two"), "Two\n\nB."),
    ]


def test_a_heading_without_text_goes_with_the_section_after_it():
    parents = segment(parsed(heading("One", 1), heading("Two", 2), prose("B."), heading("Three", 2))).parents
    assert [(p.heading_path, p.level, p.text) for p in parents] == [
        (("One", "Two"), 2, "One\n\nTwo\n\nB."),
        (("One", "Three"), 2, "Three"),
    ]


def test_no_section_is_a_heading_alone_but_at_the_end():
    levels = [2, 2, 3, 1, 4, 4]
    blocks = [heading(f"H{i}", level) for i, level in enumerate(levels)]
    assert paths(parsed(*blocks, prose("Text."), heading("End", 1))) == [("H3", "H5"), ("End",)]


@pytest.mark.parametrize(
    ("levels", "expected"),
    [
        ([1, 3, 2, 3], [("0",), ("0", "1"), ("0", "2"), ("0", "2", "3")]),
        ([2, 2, 2], [("0",), ("1",), ("2",)]),
        ([3, 1, 6, 2], [("0",), ("1",), ("1", "2"), ("1", "3")]),
    ],
)
def test_heading_paths_follow_the_levels(levels: list[int], expected: list[tuple[str, ...]]):
    blocks = [block for i, level in enumerate(levels) for block in (heading(str(i), level), prose("Text."))]
    assert paths(parsed(*blocks)) == expected


def test_a_heading_without_a_level_makes_no_section():
    parents = segment(parsed(heading("Guess", None), prose("A."), heading("Stated", 1), heading("Guess", None))).parents
    assert [(p.heading_path, p.text) for p in parents] == [((), "Guess\n\nA."), (("Stated",), "Stated\n\nGuess")]


def test_a_very_long_heading_is_still_one_heading():
    document = segment(parsed(heading("very long " * 20, 1), prose("Text.")), sentence_max_tokens=10)
    assert len(document.parents) == 1
    assert document.parents[0].heading_path == ("very long " * 19 + "very long",)


def pages(*numbers: int | None, outline: tuple[OutlineEntry, ...] = ()) -> tuple[Parent, ...]:
    blocks = [(Kind.PROSE, f"Text {i}.", {"page": page}) for i, page in enumerate(numbers)]
    return tuple(segment(parsed(*blocks, pages="page", outline=outline)).parents)


def test_a_page_is_a_parent():
    parents = pages(1, 1, None, 2, 4)
    assert [(p.kind, p.origin, p.page, p.text) for p in parents] == [
        ("page", Origin.AUTHORED, 1, "Text 0.\n\nText 1.\n\nText 2."),
        ("page", Origin.AUTHORED, 2, "Text 3."),
        ("page", Origin.AUTHORED, 4, "Text 4."),
    ]


def test_a_page_stands_under_the_outline():
    outline = tuple(
        OutlineEntry(title, level, page)
        for title, level, page in [("1", 1, 2), ("1.1", 2, 2), ("1.2", 2, 2), ("2", 1, 4), ("2.1", 2, 5), ("3", 1, 5)]
    )
    found = [parent.heading_path for parent in pages(1, 2, 3, 4, 5, 6, outline=outline)]
    assert found == [(), ("1",), ("1", "1.2"), ("2",), ("2", "2.1"), ("3",)]


def test_a_slide_stands_under_its_title():
    blocks = [
        (Kind.HEADING, "Harbour\n plan", {"page": 1, "level": 1}),
        (Kind.PROSE, "Text.", {"page": 1}),
        (Kind.PROSE, "No title.", {"page": 2}),
    ]
    parents = segment(parsed(*blocks, pages="slide")).parents
    assert [(p.kind, p.heading_path) for p in parents] == [("slide", ("Harbour plan",)), ("slide", ())]


def test_a_document_of_tables_has_a_parent_for_each():
    parents = segment(parsed((Kind.TABLE, "id | x\n1 | 2", {"header_rows": 1}), (Kind.TABLE, "a | b"))).parents
    assert [(p.kind, p.origin, p.text) for p in parents] == [
        ("table", Origin.AUTHORED, "id | x\n1 | 2"),
        ("table", Origin.AUTHORED, "a | b"),
    ]


def test_without_structure_parents_are_blocks_cut_at_sentences():
    document = segment(numbered(40), block_tokens=50)
    assert {(p.kind, p.origin, p.heading_path) for p in document.parents} == {("block", Origin.SYNTHETIC, ())}
    assert all(25 < parent.tokens <= 50 for parent in document.parents[:-1])
    assert all(parent.text.endswith(".") for parent in document.parents)


def test_blocks_end_with_a_turn_where_they_can():
    turns = [(Kind.TURN, f"Ana: It is pier {i}. It is open. I think.", {"speaker": "Ana"}) for i in range(20)]
    parents = segment(parsed(*turns, gap="\n"), block_tokens=50).parents
    assert len(parents) > 5
    assert all(parent.text.startswith("Ana:") and parent.text.endswith("I think.") for parent in parents)


def test_blocks_stay_below_their_size_when_they_are_cut_early():
    sizes = [5, 4, 7, 1, 9, 3, 8, 8, 2, 6]
    blocks = [prose(" ".join(["word"] * size)) for size in sizes]
    assert all(parent.tokens <= 12 for parent in segment(parsed(*blocks), block_tokens=12).parents)


def test_an_oversized_section_is_split_and_remembers_its_size():
    blocks = [heading("Big", 2), *(prose(f"Paragraph {i} is here. It is short.") for i in range(30))]
    document = segment(parsed(*blocks), oversize="split", parent_max_tokens=60)
    whole = segment(parsed(*blocks)).parents[0]
    assert len(document.parents) > 3
    assert [p.piece for p in document.parents] == list(range(len(document.parents)))
    assert {(p.origin, p.heading_path, p.level, p.raw_tokens) for p in document.parents} == {
        (Origin.SPLIT, ("Big",), 2, whole.tokens)
    }
    assert all(parent.text.endswith("It is short.") for parent in document.parents)
    assert "\n\n".join(parent.text for parent in document.parents) == whole.text


@pytest.mark.parametrize("oversize", ["keep", "fail"])
def test_an_oversized_section_is_left_to_the_gate(oversize: str):
    blocks = [heading("Big", 2), *(prose(f"Paragraph {i} is here.") for i in range(30))]
    parents = segment(parsed(*blocks), oversize=oversize, parent_max_tokens=60).parents
    assert [(p.origin, p.tokens == p.raw_tokens) for p in parents] == [(Origin.AUTHORED, True)]


def test_the_same_section_in_two_documents_is_the_same_parent_by_place_only():
    section = [heading("Terms", 1), prose("Pay at once.")]
    alone, second = segment(parsed(*section)), segment(parsed(heading("Intro", 1), prose("Hello."), *section))
    assert alone.parents[0].text == second.parents[1].text
    assert alone.parents[0].ordinal != second.parents[1].ordinal


def test_a_long_sentence_is_a_child_of_its_own():
    text = "Short one. " + "long " * 50 + "end. Short two. Short three."
    children = segment(parsed(prose(text)), child_tokens=20).children
    assert [(c.first_sentence, c.last_sentence) for c in children] == [(0, 0), (1, 1), (2, 3)]
