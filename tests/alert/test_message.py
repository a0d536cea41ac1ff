from alert_samples import AT, RUN, gate_alert, gate_report, gate_result, release

from tailgate.alert import compose, text


def test_gate_alert_says_everything_that_is_needed_at_night():
    said = text(gate_alert(report="/data/calls/runs/x/data-docs/shape/index.html"))
    assert said.startswith("calls: nothing published: 1 gate failed: sentence_tokens_p95\n")
    assert "sentence_tokens_p95: 402 tokens, allowed 120" in said
    assert "- logs/app.log: sentence 3 (11,402 tokens)" in said
    assert "Release r-0007, published 2026-11-30 02:20 UTC. Nothing that they see has changed." in said
    assert "`source.exclude`" in said
    assert "tailgate build calls" in said
    assert RUN in said
    assert "data-docs/shape/index.html" in said


def test_only_gates_that_fail_the_run_are_in_it():
    warned = gate_result("synthetic_parent_share", action="warn")
    passed = gate_result("unsegmentable_share", passed=True)
    alert = gate_alert(reports=[gate_report(warned, passed, gate_result()), gate_report(passed, place="index")])
    assert [result.gate for result in alert.failures] == ["sentence_tokens_p95"]
    assert alert.place == "shape"


def test_shares_are_said_in_per_cent():
    broken = gate_result("unsegmentable_share", value=0.2104, bound=0.2)
    assert "unsegmentable_share: 21.04 %, allowed 20 %" in text(gate_alert(reports=[gate_report(broken)]))


def test_gates_on_tables_blame_no_document():
    broken = gate_result("verbatim[sentences]", value=3.0, bound=0.0)
    said = text(gate_alert(reports=[gate_report(broken, place="index")]))
    assert "verbatim[sentences]: 3 rows, allowed 0" in said
    assert "No document is at fault" in said


def test_the_same_advice_is_given_once():
    broken = [gate_result(f"sentence_tokens_p95{shape}") for shape in ("", "[dump]", "[wiki]")]
    assert text(gate_alert(reports=[gate_report(*broken)])).count("`source.exclude`") == 1


def test_a_gate_that_could_not_be_measured_says_why():
    broken = gate_result(value=None, note="the release would hold no sentence", offenders=())
    said = text(gate_alert(reports=[gate_report(broken)]))
    assert "could not be measured\n    the release would hold no sentence" in said


def test_an_error_is_said_in_its_own_words():
    alert = compose("calls", RUN, at=AT, place="plan", error="Source /in cannot be read: it is away.")
    assert alert.headline == "calls: nothing published: plan failed"
    assert "Source /in cannot be read: it is away." in text(alert)
    assert "no release has been published yet" in text(alert)


def test_a_store_that_cannot_be_read_is_not_called_empty():
    said = text(compose("calls", RUN, at=AT, place="plan", error="away", serving_known=False))
    assert "Not known: the store could not be read." in said


def test_a_run_that_failed_after_publishing_is_not_called_unpublished():
    alert = compose("calls", RUN, at=AT, place="publish", error="killed", serving=release(run_id=RUN))
    assert alert.headline == "calls: published, but publish failed"
    assert "Nothing that they see has changed" not in text(alert)
