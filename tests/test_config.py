"""A corpus file is checked whole before anything runs, and what is wrong with it is said with a remedy."""

import re
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from tailgate import config
from tailgate.errors import ConfigError


def _corpus(**more: Any) -> config.Corpus:
    return config.parse({"name": "calls", "source": {"uri": "docs"}, **more}, where="calls.yaml")


def _alias(level: int) -> str:
    """One level of a text that unfolds to nine times the level below it."""
    below = ", ".join([f"*a{level - 1}"] * 9) if level else "x"
    return f"a{level}: &a{level} [{below}]\n"


def _problem(**more: Any) -> str:
    with pytest.raises(ConfigError) as caught:
        _corpus(**more)
    return str(caught.value)


def test_smallest_corpus_has_the_defaults_of_the_design() -> None:
    corpus = _corpus()
    assert (corpus.window.before, corpus.window.after, corpus.search.k) == (2, 2, 8)
    assert corpus.gates.sentence_tokens_p95 == config.Bound(max=120)
    assert corpus.gates.parent_tokens_max == config.Bound(max=6000)
    assert corpus.designs == ("window", "parent")


@pytest.mark.parametrize(
    ("tree", "words"),
    [
        ({"gatez": {}}, ["calls.yaml", "unknown key `gatez`", "`gates`"]),
        ({"gates": {"sentence_token_p95": {"max": 1}}}, ["gates.sentence_token_p95", "`sentence_tokens_p95`"]),
        ({"segment": {"childtokens": 3}}, ["segment.childtokens", "`child_tokens`"]),
        ({"search": {"budget": 3}}, ["search.budget", "`budget_tokens`"]),
        ({"alerts": [{"smpt": {"to": ["a@example.com"]}}]}, ["alerts.0.smpt", "`smtp`"]),
        ({"designs": ["windows"]}, ["designs.0", "window"]),
        ({"designs": []}, ["designs"]),
        ({"name": "Two Words"}, ["name", "Two Words"]),
        ({"schedule": "nightly"}, ["schedule", "cron expression of five fields"]),
        ({"search": {"budget_tokens": 100, "reserve_tokens": 100}}, ["reserve_tokens must be smaller"]),
        ({"alerts": [{}]}, ["either `smtp` or `webhook`"]),
        ({"segment": {"child_tokens": 0}}, ["segment.child_tokens", "greater than or equal to 1"]),
    ],
)
def test_mistake_is_named_with_key_and_nearest_known_key(tree: dict[str, Any], words: list[str]) -> None:
    message = _problem(**tree)
    assert [word for word in words if word not in message] == []


def test_all_mistakes_of_a_file_are_told_at_once() -> None:
    message = _problem(gatez={}, windw={})
    assert "gatez" in message
    assert "windw" in message


def test_bound_given_without_action_keeps_the_default_action() -> None:
    assert _corpus(gates={"quarantined_share": {"max": 0.5}}).gates.quarantined_share.action == "warn"
    assert _corpus(gates={"parent_tokens_p99": {"action": "warn"}}).gates.parent_tokens_p99.max == 2000


def test_settings_cannot_be_changed() -> None:
    with pytest.raises(ValidationError):
        _corpus().name = "other"  # type: ignore[misc]  # that it is refused is the point


def test_relative_path_starts_at_the_named_root(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("TAILGATE_ROOT", str(tmp_path))
    assert _corpus().source_uri == str(tmp_path / "docs")
    assert _corpus(store={"uri": "s3://bucket/place/"}).folder == "s3://bucket/place/calls"
    assert _corpus(source={"uri": "file:///elsewhere"}).source_uri == "/elsewhere"


def test_corpus_is_found_by_name_or_path_and_a_near_miss_is_named(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("TAILGATE_ROOT", str(tmp_path))
    folder = tmp_path / "include" / "corpora"
    folder.mkdir(parents=True)
    (folder / "support-calls.yaml").write_text("name: support-calls\nsource: {uri: docs}\n")
    assert config.load("support-calls").name == config.load(folder / "support-calls.yaml").name == "support-calls"
    with pytest.raises(ConfigError, match="Did you mean `support-calls`"):
        config.load("support-call")
    with pytest.raises(ConfigError, match="no such corpus file"):
        config.load(str(tmp_path / "none.yaml"))


@pytest.mark.parametrize("text", ["", "- a\n", "name: [", "name: \x00", "\xff"])
def test_broken_file_gives_a_config_error(tmp_path: Path, text: str) -> None:
    path = tmp_path / "broken.yaml"
    path.write_text(text, encoding="latin-1")
    with pytest.raises(ConfigError, match="broken.yaml"):
        config.load(path)


def test_fingerprints_change_by_stage() -> None:
    plain, wider = _corpus(), _corpus(window={"before": 3})
    assert plain.stages.shape == wider.stages.shape
    assert plain.stages.embed == wider.stages.embed
    assert plain.stages.window != wider.stages.window
    assert _corpus(embed={"model": "hashing"}).stages.embed != plain.stages.embed
    assert _corpus(segment={"child_tokens": 100}).stages.shape != plain.stages.shape
    assert _corpus(search={"k": 3}, gates={}).fingerprint == plain.fingerprint


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("name: 2026-99-99", "cannot be read"),
        ("name: !!int abc", "cannot be read"),
        ("name: !!bool abc", "cannot be read"),
        ("name: !!timestamp abc", "cannot be read"),
        (f"name: {'9' * 6_000}", "cannot be read"),
        (f"a: {'[' * 5_000}{']' * 5_000}", "nested too deeply"),
        ("name: x\nsource: {uri: a}\nstore: {uri: ~nosuch-user/x}", "`store.uri`: it can name no folder"),
        ('name: x\nsource: {uri: "/tmp/a\\0b"}', "`source.uri`: it can name no folder"),
        ("name: x\nsource: {uri: a}\nname: y", "`name` is there twice"),
        ("source: {uri: a}\n" + "".join(_alias(level) for level in range(9)) + "name: *a8", "more than 10,000 values"),
        ("a: &a [*a]", "more than 10,000 values"),
    ],
)
def test_a_corpus_file_that_only_hurts_is_refused_by_name(tmp_path: Path, text: str, reason: str) -> None:
    file = tmp_path / "bad.yaml"
    file.write_text(text)
    with pytest.raises(ConfigError, match=re.escape(reason)) as caught:
        config.load(file)
    assert caught.value.where == str(file)


@pytest.mark.parametrize("corpus", ["a" * 300, f"{'a' * 300}.yaml", "~nosuch-user/x.yaml", "a\0b"])
def test_a_name_that_no_file_can_have_is_a_config_error(root: Path, corpus: str) -> None:
    with pytest.raises(ConfigError):
        config.load(corpus)


def test_a_copied_file_that_kept_its_name_is_refused(root: Path) -> None:
    file = root / "include" / "corpora" / "mine.yaml"
    file.write_text("name: sample\nsource: {uri: docs}\n")
    with pytest.raises(ConfigError, match="it says `name: sample`.*Write `name: mine`"):
        config.load("mine")
