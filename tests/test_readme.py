import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import pytest
import typer
from pydantic import BaseModel

from tailgate.cli import app
from tailgate.config import Bound, Corpus
from tailgate.config.tree import Action
from tailgate.parse.registry import PARSERS

ROOT = Path(__file__).resolve().parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
PAGES = sorted([ROOT / "README.md", *(ROOT / "docs").rglob("*.md")])
REFERENCE = README.split("<!-- reference: corpus file -->")[1].split("<!-- end of reference -->")[0]
TOP = ("include/", "docs/", "dags/", "plugins/", "tests/", "benchmarks/")


def targets() -> set[str]:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    return set(re.findall(r"^([a-z][a-z-]*):.*## ", makefile, flags=re.MULTILINE))


def commands() -> dict[str, click.Command]:
    group = typer.main.get_command(app)
    return dict(group.commands)  # type: ignore[attr-defined]  # typer's own class of groups is not typed as click's


def code() -> str:
    """What stands between backticks or in a fenced block."""
    return "\n".join(re.findall(r"```.*?```|`[^`\n]+`", README, flags=re.DOTALL))


def keys(model: type[BaseModel], prefix: str = "") -> Iterator[tuple[str, Any]]:
    """Every key that a corpus file can have, with its field; a gate is one key."""
    for name, field in model.model_fields.items():
        yield from keys_of(f"{prefix}{name}", field)


def keys_of(name: str, field: Any) -> Iterator[tuple[str, Any]]:
    parts = [field.annotation, *getattr(field.annotation, "__args__", ())]
    inner = [part for part in parts if isinstance(part, type) and issubclass(part, BaseModel)]
    if not inner or inner[0] in (Bound, Action):
        yield name, field
    else:
        if inner[0] is not field.annotation and name == "alerts":
            yield name, field
        yield from keys(inner[0], f"{name}.")


def documented() -> dict[str, str]:
    rows = re.findall(r"^\| `([a-z_.0-9]+)` \| (.*?) \|", REFERENCE, flags=re.MULTILINE)
    return dict(rows)


def written(field: Any) -> str:
    """A default as the reference writes it."""
    value = field.default
    match value:
        case Bound():
            share = f"{value.max:.2f}" if value.max < 1 else f"{value.max:g}"
            return f"max {share}, {value.action}"
        case Action():
            return str(value.action)
        case tuple():
            shown = [f'"{item}"' if "*" in item else item for item in value]
            return f"`[{', '.join(shown)}]`"
        case None:
            return "none"
        case str():
            return f"`{value}`"
        case bool():
            return str(value).lower()
        case int() | float():
            return f"{value:g}"
    return "–"


def test_every_make_target_named_exists() -> None:
    named = set(re.findall(r"\bmake (?:PYTHON=\S+ )?([a-z-]+)", code()))
    assert named >= {"run", "test", "bad-night", "up", "down", "lock"}
    assert named <= targets()


def test_every_make_target_is_named() -> None:
    assert targets() <= set(re.findall(r"`make ([a-z-]+)`", README))


def test_the_commands_named_are_those_that_exist() -> None:
    table = set(re.findall(r"^\| `tailgate ([a-z]+)", README, flags=re.MULTILINE))
    assert table == set(commands())
    assert set(re.findall(r"tailgate ([a-z]+) (?:[A-Z.~\\]|sample|my)", code())) <= set(commands())


def test_the_options_named_are_those_that_exist() -> None:
    for name, rest in re.findall(r"^\| `tailgate ([a-z]+)[^`]*` \| (.*) \|$", README, flags=re.MULTILINE):
        named = {option for option in re.findall(r"`(--?[a-z-]+)", rest) if option != "--json"}
        known = {option for parameter in commands()[name].params for option in parameter.opts if option[0] == "-"}
        assert named == known - {"--json", "--help"}, name


def test_every_command_speaks_json() -> None:
    assert all(any("--json" in parameter.opts for parameter in command.params) for command in commands().values())


def test_the_reference_has_every_key_of_a_corpus_file_and_no_other() -> None:
    assert set(documented()) == {name for name, _ in keys(Corpus)}


@pytest.mark.parametrize(
    ("name", "field"), list(keys(Corpus)), ids=lambda value: value if isinstance(value, str) else ""
)
def test_the_reference_states_the_default(name: str, field: Any) -> None:
    assert documented()[name] == ("–" if field.is_required() else written(field))


def test_the_sample_corpus_file_teaches_every_key() -> None:
    text = (ROOT / "include" / "corpora" / "sample.yaml").read_text(encoding="utf-8")
    for name, _ in keys(Corpus):
        assert re.search(rf"(?:^|[\s{{]){name.rpartition('.')[2]}:", text, flags=re.MULTILINE), name


def test_the_suffixes_named_are_taken() -> None:
    sentence = README.split("Taken are ")[1].split("A file that cannot be read")[0]
    assert set(re.findall(r"`(\.[a-z]+)`", sentence)) <= set(PARSERS)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_and_paths_lead_somewhere(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    links = [page.parent / link for link in re.findall(r"\]\(([^)#:]+)\)", text)]
    named = [
        ROOT / path for path in re.findall(r"`([\w./-]+)`", text) if path.startswith(TOP) and "my.yaml" not in path
    ]
    assert [str(path) for path in [*links, *named] if not path.exists()] == []


def test_the_modules_named_exist() -> None:
    section = README.split("## The folders are the way of the data")[1].split("## With Docker")[0]
    rows = "\n".join(re.findall(r"^\| (`.*?) \|", section, flags=re.MULTILINE))
    modules = re.findall(r"`([\w.]+/?)`", rows)
    assert len(modules) > 15
    assert [name for name in modules if not (ROOT / "include" / "tailgate" / name).exists()] == []


def test_the_columns_named_are_those_of_the_tables() -> None:
    from tailgate.store import schema

    corpus = Corpus.model_validate({"name": "test", "source": {"uri": "."}})
    tables = {table: schema.table_schema(table, corpus, 3) for table in schema.KEYS}
    held = {**tables, "releases": schema.release_schema(), "quarantine": schema.quarantine_schema()}
    section = README.split("## The tables")[1].split("Offsets are code points")[0]
    for table, row in re.findall(r"^\| `(\w+)` \| (.*) \|$", section, flags=re.MULTILINE):
        columns = re.sub(r"\([^)]*\)", "", row)
        assert set(re.findall(r"`(\w+)`", columns)) == set(held.pop(table).names), table
    assert not held


def test_the_gates_explained_are_those_that_run() -> None:
    text = (ROOT / "docs" / "gates.md").read_text(encoding="utf-8")
    explained = set(re.findall(r"^\| `(\w+)", text, flags=re.MULTILINE))
    assert {name.removeprefix("gates.") for name, _ in keys(Corpus) if name.startswith("gates.")} <= explained
    sources = "".join(path.read_text("utf-8") for path in (ROOT / "include" / "tailgate" / "gates").glob("*.py"))
    assert [name for name in explained if name not in sources] == []


def test_the_versions_named_are_those_of_the_lock() -> None:
    lock = (ROOT / "requirements.txt").read_text(encoding="utf-8")
    tested = re.search(r"Tested with .*?\.\s\s?`", README, flags=re.DOTALL)
    assert tested
    for package, pattern in {
        "apache-airflow": r"Airflow (\d+\.\d+\.\d+)",
        "lancedb": r"LanceDB (\d+\.\d+)",
        "unstructured": r"unstructured (\d+\.\d+)",
        "great-expectations": r"Great Expectations (\d+\.\d+)",
        "sentence-transformers": r"sentence-transformers (\d+\.\d+)",
    }.items():
        named = re.search(pattern, " ".join(tested[0].split()))
        assert named, package
        assert re.search(rf"^{package}(?:\[.*?\])?=={re.escape(named[1])}(?:\.|$)", lock, flags=re.MULTILINE), package
