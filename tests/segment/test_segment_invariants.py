from hypothesis import given, settings
from segment_samples import RADII, SIZES, documents, segment

from tailgate.models import Origin, ParsedDocument, SegmentedDocument
from tailgate.segment.tokens import open_tokenizer

COUNT = open_tokenizer("cl100k_base").count
AnySizes = dict[str, int | str]


def characters(document: SegmentedDocument, start: int, end: int) -> int:
    return len("".join(document.parsed.text[start:end].split()))


@given(documents(), SIZES, RADII)
def test_every_unit_is_a_verbatim_slice_with_exact_tokens(parsed: ParsedDocument, sizes: AnySizes, radius: AnySizes):
    document = segment(parsed, radius, **sizes)
    for unit in (*document.sentences, *document.parents, *document.children):
        assert parsed.text[unit.char_start : unit.char_end] == unit.text
        assert unit.tokens == COUNT(unit.text)
    assert all(window.tokens == COUNT(window.text) for window in document.windows)
    assert document.tokens == COUNT(parsed.text)


@given(documents(), SIZES)
def test_every_character_lies_in_one_sentence_and_in_one_parent(parsed: ParsedDocument, sizes: AnySizes):
    document = segment(parsed, **sizes)
    for units in (document.sentences, document.parents, document.children):
        position = 0
        for ordinal, unit in enumerate(units):
            assert unit.ordinal == ordinal
            assert unit.text == unit.text.strip() != ""
            assert not parsed.text[position : unit.char_start].strip()
            position = unit.char_end
        assert not parsed.text[position:].strip()


@given(documents(), SIZES)
def test_parents_and_children_partition_the_sentences(parsed: ParsedDocument, sizes: AnySizes):
    document = segment(parsed, **sizes)
    for units in (document.parents, document.children):
        ordinals = [number for unit in units for number in range(unit.first_sentence, unit.last_sentence + 1)]
        assert ordinals == [sentence.ordinal for sentence in document.sentences]
    for parent in document.parents:
        inside = document.sentences[parent.first_sentence : parent.last_sentence + 1]
        assert {sentence.parent for sentence in inside} == {parent.ordinal}
        assert (parent.char_start, parent.char_end) == (inside[0].char_start, inside[-1].char_end)
    for child in document.children:
        parent = document.parents[child.parent]
        assert parent.first_sentence <= child.first_sentence <= child.last_sentence <= parent.last_sentence


@given(documents(), SIZES)
def test_sizes_are_respected(parsed: ParsedDocument, sizes: AnySizes):
    document = segment(parsed, **sizes)
    for sentence in document.sentences:
        assert sentence.tokens <= sizes["sentence_max_tokens"] or len(sentence.text) == 1
    for child in document.children:
        assert child.tokens <= sizes["child_tokens"] or child.first_sentence == child.last_sentence
    for parent in document.parents:
        limit = {Origin.SYNTHETIC: sizes["block_tokens"], Origin.SPLIT: sizes["parent_max_tokens"]}.get(parent.origin)
        assert limit is None or parent.tokens <= limit or parent.first_sentence == parent.last_sentence


@given(documents(), SIZES)
def test_nothing_crosses_an_element(parsed: ParsedDocument, sizes: AnySizes):
    for sentence in segment(parsed, **sizes).sentences:
        owners = [e for e in parsed.elements if e.char_start < sentence.char_end and sentence.char_start < e.char_end]
        assert len(owners) == 1
        assert owners[0].char_start <= sentence.char_start
        assert sentence.char_end <= owners[0].char_end


@given(documents(), SIZES)
def test_raw_lengths_are_kept_for_the_gate(parsed: ParsedDocument, sizes: AnySizes):
    document = segment(parsed, **sizes)
    uncut = segment(parsed, **sizes | {"sentence_max_tokens": 10**6, "oversize": "keep"})
    assert [s.raw_tokens for s in document.sentences if s.piece == 0] == [s.tokens for s in uncut.sentences]
    for sentence in document.sentences:
        assert sentence.pseudo == (sentence.raw_tokens > sizes["sentence_max_tokens"])
        assert sentence.pseudo or (sentence.piece == 0 and sentence.raw_tokens == sentence.tokens)
    authored = [p.raw_tokens for p in document.parents if p.piece == 0 and p.origin is not Origin.SYNTHETIC]
    assert authored == [p.tokens for p in uncut.parents if p.origin is Origin.AUTHORED]


@given(documents(), SIZES, RADII)
def test_a_window_counts_positions(parsed: ParsedDocument, sizes: AnySizes, radius: AnySizes):
    document = segment(parsed, radius, **sizes)
    total = len(document.sentences)
    assert len(document.windows) == total
    for sentence, window in zip(document.sentences, document.windows, strict=True):
        first, last = 0, total - 1
        if radius["within"] == "section":
            parent = document.parents[sentence.parent]
            first, last = parent.first_sentence, parent.last_sentence
        assert window.first == max(first, sentence.ordinal - int(radius["before"]))
        assert window.last == min(last, sentence.ordinal + int(radius["after"]))


@given(documents(), SIZES, RADII)
def test_a_window_is_the_source_between_its_ends(parsed: ParsedDocument, sizes: AnySizes, radius: AnySizes):
    document = segment(parsed, radius, **sizes)
    for window in document.windows:
        opening, closing = document.sentences[window.first], document.sentences[window.last]
        body = parsed.text[opening.char_start : closing.char_end]
        header = ""
        if opening.header is not None and opening.header_end is not None:
            lines = document.sentences[opening.header], document.sentences[opening.header_end]
            header = parsed.text[lines[0].char_start : lines[1].char_end] + "\n"
        assert window.text == header + body


@given(documents(), SIZES, RADII)
@settings(max_examples=30)
def test_the_same_document_gives_the_same_units(parsed: ParsedDocument, sizes: AnySizes, radius: AnySizes):
    assert segment(parsed, radius, **sizes) == segment(parsed, radius, **sizes)


@given(documents(), SIZES, RADII)
@settings(max_examples=30)
def test_the_radius_moves_nothing_but_windows(parsed: ParsedDocument, sizes: AnySizes, radius: AnySizes):
    one, other = segment(parsed, radius, **sizes), segment(parsed, {"before": 0, "after": 1}, **sizes)
    assert (one.sentences, one.parents, one.children) == (other.sentences, other.parents, other.children)
