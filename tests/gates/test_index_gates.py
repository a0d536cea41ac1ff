import time

import numpy as np
import pandas as pd
import pytest
from gate_frames import MemoryTables, arrow, broken, corpus, index_tables, result, vectors
from hypothesis import given
from hypothesis import strategies as st

from tailgate.gates import check_index, sentence_of, verbatim
from tailgate.gates.vectors import vector_faults


def report_of(tables, docs=None, *, share=None, **tree):
    return check_index(corpus(**tree), "run", tables, docs, truncated_share=share)


def change(tables, table, row, **values):
    for column, value in values.items():
        tables.tables[table].loc[row, column] = value


def test_sound_tables_pass_every_gate():
    report = report_of(index_tables(), share=0.0)
    assert broken(report) == set()
    assert report.place == "index"
    assert [seen.gate for seen in report.results] == [
        "unique_ids[documents]",
        "coverage",
        "unique_ids[parents]",
        "references[parents.document_id]",
        "verbatim[parents]",
        "unique_ids[sentences]",
        "references[sentences.document_id]",
        "references[sentences.parent_id]",
        "inside_parent[sentences]",
        "window_radius",
        "verbatim[sentences]",
        "verbatim[windows]",
        "unit_vectors[sentences]",
        "unique_ids[children]",
        "references[children.document_id]",
        "references[children.parent_id]",
        "inside_parent[children]",
        "verbatim[children]",
        "unit_vectors[children]",
        "vector_dimensions",
        "truncated_share",
    ]


def test_windows_alone_are_gated_without_parents():
    tables = index_tables()
    del tables.tables["parents"], tables.tables["children"]
    tables.tables["sentences"]["parent_id"] = None
    report = report_of(tables, designs=["window"])
    assert broken(report) == set()
    assert all("parent" not in seen.gate for seen in report.results)


def test_parents_alone_are_gated_without_windows():
    tables = index_tables()
    tables.tables["sentences"] = tables.tables["sentences"].drop(columns=["window_first", "window_last", "window_text"])
    del tables.vectors["sentences"]
    report = report_of(tables, designs=["parent"])
    assert broken(report) == set()
    assert all("window" not in seen.gate for seen in report.results)


@pytest.mark.parametrize(
    ("gate", "table", "values"),
    [
        ("references[sentences.document_id]", "sentences", {"document_id": "gone"}),
        ("references[sentences.parent_id]", "sentences", {"parent_id": "gone"}),
        ("references[children.parent_id]", "children", {"parent_id": "gone"}),
        ("references[parents.document_id]", "parents", {"document_id": "gone"}),
        ("inside_parent[sentences]", "sentences", {"char_end": 9999}),
        ("inside_parent[children]", "children", {"char_start": -1}),
        ("window_radius", "sentences", {"window_first": 0, "window_last": 7}),
        ("window_radius", "sentences", {"window_last": float("nan")}),
        ("verbatim[sentences]", "sentences", {"text": "row 9. "}),
        ("verbatim[sentences]", "sentences", {"char_end": 0}),
        ("verbatim[parents]", "parents", {"char_end": 3}),
        ("verbatim[children]", "children", {"text": "something else"}),
        ("verbatim[windows]", "sentences", {"window_text": "something else"}),
        ("verbatim[windows]", "sentences", {"window_last": 99}),
        ("coverage", "sentences", {"char_start": 0, "char_end": 1}),
    ],
)
def test_one_bad_row_breaks_its_gate(gate, table, values):
    tables = index_tables()
    row = 5 if table == "sentences" else 1
    change(tables, table, row, **values)
    seen = result(report_of(tables), gate)
    assert (seen.value, seen.bound, seen.fails) == (1, 0, True)
    assert len(seen.offenders) == 1


def test_offenders_say_which_document_which_row_and_why():
    tables = index_tables()
    change(tables, "sentences", 5, text="else")
    change(tables, "sentences", 9, text="else")
    change(tables, "sentences", 10, text="else")
    seen = result(report_of(tables), "verbatim[sentences]")
    assert sentence_of(seen) == (
        "verbatim[sentences] is 3 (bound 0); worst: "
        "guide-1.md sentence 1: its text is not the document's characters 6 to 17 (2 rows), "
        "guide-0.md sentence 5: its text is not the document's characters 42 to 49 (1 row)"
    )


def test_the_same_id_twice_breaks_the_key():
    tables = index_tables()
    change(tables, "sentences", 3, sentence_id=tables.tables["sentences"].loc[2, "sentence_id"])
    seen = result(report_of(tables), "unique_ids[sentences]")
    assert (seen.value, seen.fails) == (2, True)
    assert "guide-0.md sentence 2" in sentence_of(seen)


def test_an_empty_index_is_a_clean_failure():
    tables = index_tables()
    empty = MemoryTables(
        {name: rows.iloc[:0] for name, rows in tables.tables.items()},
        {name: held[:0] for name, held in tables.vectors.items()},
    )
    report = report_of(empty)
    assert {seen.gate for seen in report.failures} == {
        f"unique_ids[{name}]" for name in ("documents", "parents", "sentences", "children")
    }


def test_a_document_without_sentences_is_not_covered():
    tables = index_tables()
    gone = tables.tables["documents"].loc[2, "document_id"]
    kept = tables.tables["sentences"]["document_id"] != gone
    tables.tables["sentences"] = tables.tables["sentences"][kept].reset_index(drop=True)
    tables.vectors["sentences"] = arrow(vectors(int(kept.sum())))
    report = report_of(tables)
    assert broken(report) == {"coverage"}
    assert result(report, "coverage").offenders[0].document == "guide-2.md"


@pytest.mark.parametrize("norm", [0.0, 0.99, 1.01, float("nan"), float("inf")])
def test_a_vector_that_is_not_a_unit_vector_breaks_its_gate(norm):
    tables = index_tables()
    matrix = vectors(24)
    matrix[13] *= norm
    tables.vectors["sentences"] = arrow(matrix)
    seen = result(report_of(tables), "unit_vectors[sentences]")
    assert (seen.value, seen.fails) == (1, True)
    assert "guide-1.md sentence 5: its vector has the norm" in sentence_of(seen)


def test_a_missing_vector_breaks_its_gate():
    tables = index_tables()
    tables.vectors["children"] = arrow(vectors(3), missing=[1])
    seen = result(report_of(tables), "unit_vectors[children]")
    assert "guide-1.md child 0: it has no vector" in sentence_of(seen)


def test_norms_within_the_tolerance_pass():
    column = arrow(vectors(3) * np.array([[0.9991], [1.0], [1.0009]], dtype=np.float32))
    tables = index_tables()
    tables.vectors["children"] = column
    assert vector_faults(tables.batches("children", ["child_id", "vector"]), "child_id") == ({}, {4})


def test_two_dimensions_break_the_gate():
    tables = index_tables()
    tables.vectors["children"] = arrow(vectors(3, dimension=5))
    seen = result(report_of(tables), "vector_dimensions")
    assert (seen.value, seen.fails) == (2, True)


def test_truncated_share_warns_above_its_bound_only():
    assert result(report_of(index_tables(), share=0.01), "truncated_share").passed
    seen = result(report_of(index_tables(), share=0.011), "truncated_share")
    assert (seen.passed, seen.fails) == (False, False)


def test_groups_of_documents_give_the_same_report(monkeypatch):
    tables = index_tables(documents=5)
    change(tables, "sentences", 30, text="else", window_text="else")
    whole = report_of(tables)
    monkeypatch.setattr(verbatim, "GROUP_CHARS", 100)
    assert len(list(verbatim._groups(tables.tables["documents"]))) > 1
    assert report_of(tables) == whole


def test_data_docs_of_both_places_lie_side_by_side(tmp_path):
    report_of(index_tables(), tmp_path)
    assert (tmp_path / "data-docs" / "index" / "index.html").is_file()


@given(st.lists(st.sampled_from(["word", "two words", " ", "\n", "é", "\u3000", "𝄞"]), min_size=1, max_size=12))
def test_sentences_that_hold_every_character_once_cover(parts):
    ends = np.cumsum([len(part) for part in parts]).tolist()
    spans = [(end - len(part), end) for part, end in zip(parts, ends, strict=True) if part.strip()]
    text = "".join(parts)
    assert verbatim.coverage_fault(text, spans) is None
    for n, (start, end) in enumerate(spans):
        assert "in no sentence" in (verbatim.coverage_fault(text, spans[:n] + spans[n + 1 :]) or "")
        assert "in two sentences" in (
            verbatim.coverage_fault(text, [*spans[: n + 1], (start, end), *spans[n + 1 :]]) or ""
        )


def test_a_hundred_thousand_sentences_take_seconds():
    tables = index_tables(documents=1000, lines=98)
    tables.vectors = {name: arrow_of_many(len(tables.tables[name])) for name in ("sentences", "children")}
    start = time.process_time()
    report = report_of(tables)
    assert broken(report) == set()
    assert time.process_time() - start < 20


def arrow_of_many(count):
    import pyarrow as pa

    values = pa.array(vectors(count, dimension=384).ravel())
    return pa.FixedSizeListArray.from_arrays(values, 384)


def test_offsets_of_orphans_are_not_counted_twice():
    tables = index_tables()
    tables.tables["sentences"] = pd.concat(
        [tables.tables["sentences"], tables.tables["sentences"].iloc[[4]].assign(sentence_id="x", document_id="gone")],
        ignore_index=True,
    )
    tables.vectors["sentences"] = arrow(vectors(25))
    assert broken(report_of(tables)) == {"references[sentences.document_id]", "inside_parent[sentences]"}
