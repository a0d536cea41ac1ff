"""The `tailgate` command: exit 0 done, 1 gate failed, 2 usage or config error, 3 source or store unreachable."""

import json
import logging
import os
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer
from typer.exceptions import TyperException

from tailgate import config, render, scope
from tailgate.errors import ConfigError, TailgateError
from tailgate.records import to_json
from tailgate.scope import Scope

if TYPE_CHECKING:
    from tailgate.check import CheckReport

app = typer.Typer(
    name="tailgate",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode="rich",
    help="Retrieval indexes whose prompts fit: windows and parents, gated on the tail.",
    epilog="CORPUS is a name under include/corpora/ or the path of such a YAML file.",
)

CorpusName = Annotated[str, typer.Argument(metavar="CORPUS", help="A name under include/corpora/, or a YAML file.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON value, for machines.")]


@app.command()
def check(
    paths: Annotated[list[str], typer.Argument(metavar="PATH...", help="Files or folders.")],
    corpus: Annotated[str | None, typer.Option(help="Take sizes and bounds from this corpus file.")] = None,
    html: Annotated[str | None, typer.Option(metavar="FILE", help="Write the report as one page, too.")] = None,
    files: Annotated[bool, typer.Option("--files", help="List every document, however many there are.")] = False,
    as_json: AsJson = False,
) -> None:
    """Parse and segment only: shapes, tails, worst offenders, advice. No store, no model; exit 1 if a bound breaks."""
    from tailgate import report as reports

    report = _checked(paths, _bounds(corpus), quiet=as_json)
    _write_page(html, report)
    _show(to_json(report) if as_json else reports.whole(report, files=files))
    if report.gates.failures:
        raise typer.Exit(1)


@app.command()
def advise(
    what: Annotated[str, typer.Argument(metavar="CORPUS|PATH", help="A corpus with a release, or any folder.")],
    html: Annotated[str | None, typer.Option(metavar="FILE", help="Write the whole report as one page, too.")] = None,
    as_json: AsJson = False,
) -> None:
    """Which design fits, why, and what a prompt would cost: of the published release, or of a folder as it is."""
    from tailgate import report as reports
    from tailgate.check import check_release

    folder = _is_path(what)
    report = _checked([what], _bounds(None), quiet=as_json) if folder else check_release(config.load(what))
    _write_page(html, report)
    _show(to_json(report) if as_json else reports.advice_only(report))


@app.command()
def build(
    corpus: CorpusName,
    since: Annotated[str | None, typer.Option(help="Only documents of this moment (ISO) or later.")] = None,
    until: Annotated[str | None, typer.Option(help="Only documents of before this moment (ISO).")] = None,
    documents: Annotated[
        list[str] | None, typer.Option(metavar="GLOB", help="Only these, by path or glob; can be given again.")
    ] = None,
    full: Annotated[bool, typer.Option("--full", help="The whole listing, also where the source is dated.")] = False,
    no_publish: Annotated[bool, typer.Option("--no-publish", help="Stop after the index gates.")] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Show what a run would do, and do nothing.")] = False,
    as_json: AsJson = False,
) -> None:
    """The whole write path, as the Dag does it, without Airflow."""
    from tailgate import ingest

    covers = _scope(since, until, full, tuple(documents or ()), config.load(corpus))
    if dry_run:
        drawn = ingest.preview(ingest.open_run(corpus, "dry-run", scope=covers))
        _show(to_json(drawn) if as_json else render.plan(drawn))
        return
    with render.progress(quiet=as_json) as progress:
        plan, release = ingest.build(corpus, scope=covers, publish_it=not no_publish, progress=progress)
    if as_json:
        _show({"plan": plan.summary, "release": to_json(release) if release else None})
    else:
        _show(render.built(plan, release))


@app.command()
def search(
    corpus: CorpusName,
    query: Annotated[str, typer.Argument(help="What to look for.")],
    k: Annotated[int | None, typer.Option("-k", min=1, help="How many hits; default from the corpus file.")] = None,
    expand: Annotated[Literal["none", "window", "parent"], typer.Option(help="What a match becomes.")] = "window",
    before: Annotated[int | None, typer.Option(min=0, help="Sentences before the match.")] = None,
    after: Annotated[int | None, typer.Option(min=0, help="Sentences after the match.")] = None,
    budget: Annotated[int | None, typer.Option(min=1, help="Tokens of the context window.")] = None,
    reserve: Annotated[int | None, typer.Option(min=0, help="Tokens kept for template, history, question.")] = None,
    rerank: Annotated[str | None, typer.Option(help="A cross-encoder: hub name or folder.")] = None,
    as_json: AsJson = False,
) -> None:
    """Retrieve, rerank, then expand, merge and fit to the budget; says what was left out."""
    from tailgate.search import search as search_release

    prompt = search_release(
        config.load(corpus),
        query,
        expand=expand,
        k=k,
        before=before,
        after=after,
        budget_tokens=budget,
        reserve_tokens=reserve,
        rerank=rerank,
    )
    _show(to_json(prompt) if as_json else render.prompt(prompt))


@app.command()
def releases(corpus: CorpusName, as_json: AsJson = False) -> None:
    """Every release, newest first: which one is served, which were rejected and why; and the quarantine."""
    from tailgate.store import open_store

    store = open_store(config.load(corpus))
    rows, quarantined = store.releases(), store.quarantined()
    if as_json:
        _show({"releases": [to_json(row) for row in rows], "quarantine": [to_json(entry) for entry in quarantined]})
    else:
        _show(render.releases(corpus, rows, quarantined))


@app.command()
def rollback(
    corpus: CorpusName,
    release: Annotated[str | None, typer.Argument(metavar="[RELEASE]", help="Default: the one before.")] = None,
    as_json: AsJson = False,
) -> None:
    """Move readers back to an older release, in one step; the next run starts from it."""
    from tailgate import ingest

    moved = ingest.rollback(corpus, release)
    _show(to_json(moved) if as_json else f"{render.served(moved)} {moved.reason[:1].upper()}{moved.reason[1:]}.")


@app.command()
def maintain(corpus: CorpusName, as_json: AsJson = False) -> None:
    """Let go of what `retention` no longer keeps, old versions and run folders; every run that publishes does so."""
    from tailgate import ingest

    kept = ingest.maintain(ingest.open_run(corpus, "maintain"))
    _show(to_json(kept) if as_json else render.kept(kept))


@app.command()
def sweep(corpus: CorpusName, as_json: AsJson = False) -> None:
    """The radius table: what a window costs at each radius, measured, beside the product that predicts it."""
    from tailgate import evaluate, tables

    with render.progress(quiet=as_json) as progress:
        report = evaluate.sweep(config.load(corpus), progress=progress)
    _show(to_json(report) if as_json else tables.sweep(report))


@app.command()
def prompts(
    corpus: CorpusName,
    questions: Annotated[str | None, typer.Option(help="JSON lines with `question`; else sentences are drawn.")] = None,
    k: Annotated[int | None, typer.Option("-k", min=1)] = None,
    as_json: AsJson = False,
) -> None:
    """The prompt-size table: windows and parents, measured on the sum over k hits."""
    from tailgate import evaluate, tables

    asked = evaluate.read_questions(questions) if questions else None
    with render.progress(quiet=as_json) as progress:
        report = evaluate.prompts(config.load(corpus), asked, k, progress)
    _show(to_json(report) if as_json else tables.prompts(report))


def _bounds(corpus: str | None) -> config.Corpus:
    """The settings of a corpus file, or the defaults."""
    return config.load(corpus) if corpus else config.parse({"name": "check", "source": {"uri": "."}}, where="check")


def _checked(paths: list[str], settings: config.Corpus, *, quiet: bool) -> "CheckReport":
    from tailgate.check import check as check_paths

    with render.progress(quiet=quiet) as progress:
        report = check_paths([_from_here(path) for path in paths], settings, progress)
    return replace(report, subject=", ".join(paths))


def _write_page(html: str | None, report: "CheckReport") -> None:
    from tailgate import report as reports

    if html:
        try:
            Path(html).write_text(reports.page(report), encoding="utf-8")
        except OSError as error:
            raise ConfigError("--html", f"{html} cannot be written: {error.strerror}", "Name another file.") from error


def _is_path(what: str) -> bool:
    """Whether documents are meant: a URL, a folder, or a path of anything, there or not, but a corpus file."""
    here = Path(_from_here(what))
    if "://" in what or here.is_dir():
        return True
    return ("/" in what or here.is_file()) and here.suffix not in {".yaml", ".yml"}


def _scope(
    since: str | None, until: str | None, full: bool, documents: tuple[str, ...], corpus: config.Corpus
) -> Scope:
    if full and (since or until or documents):
        other = "--since or --until" if since or until else "--documents"
        raise ConfigError("command line", f"--full is given with {other}", "Give one or the other.")
    if since or until:
        start, end = (
            scope.moment(value, name=f"--{name}", where="command line") if value else None
            for name, value in (("since", since), ("until", until))
        )
        scope.refuse_undated(corpus.source.dated, "--since and --until", "command line")
        if start and end:
            scope.interval(start, end, where="command line")
        return Scope(start=start, end=end, documents=documents)
    return scope.resolve("manual", None, None, {"full": full, "documents": documents}, dated=corpus.source.dated)


def _from_here(path: str) -> str:
    """What a person types is relative to where they stand, not to the root of corpus files."""
    return path if "://" in path else str(Path.cwd() / os.path.expanduser(path))


def main() -> None:
    """The exit code says what happened; an error is one sentence on standard error."""
    logging.basicConfig(level=logging.WARNING, format="%(levelname)s %(message)s")
    try:
        # By itself Typer draws a box round a usage error, which is no JSON.
        sys.exit(app(standalone_mode="--json" not in sys.argv))
    except TyperException as usage:
        _fail(usage.format_message() if isinstance(usage, typer.BadParameter) else str(usage), 2)
    except TailgateError as error:
        _fail(str(error), error.exit_code)


def _fail(message: str, code: int) -> None:
    if "--json" in sys.argv:
        _show({"error": message})
    else:
        sys.stderr.write(f"tailgate: {message}\n")
    sys.exit(code)


def _show(value: Any) -> None:
    """The value is on standard output; that nobody reads it is no failure, that it cannot be written is one."""
    try:
        if isinstance(value, (dict, list)):
            sys.stdout.write(_json(value) + "\n")
        else:
            render.out(value)
        sys.stdout.flush()
    except BrokenPipeError:
        _leave_quietly(0)
    except OSError as error:
        sys.stderr.write(f"tailgate: the output cannot be written: {error.strerror or error}\n")
        _leave_quietly(3)


def _json(value: Any) -> str:
    """JSON in the characters of the output, or in escapes where it does not know them all."""
    text = json.dumps(value, ensure_ascii=False, indent=2)
    try:
        text.encode(sys.stdout.encoding)
    except UnicodeEncodeError:
        return json.dumps(value, indent=2)
    return text


def _leave_quietly(code: int) -> None:
    """The process ends here: Python would try once more to write what is held back."""
    os._exit(code)
