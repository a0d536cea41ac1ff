"""`python -m tailgate_local run|bad-night|up|down|status`, for a machine without Docker."""

import argparse
import sys
from collections.abc import Callable
from pathlib import Path

import httpx
from rich.console import Console
from rich.table import Table

from tailgate.errors import TailgateError
from tailgate_local import database, environment, service
from tailgate_local.environment import Home
from tailgate_local.service import Service

INTERRUPTED = 130


def main() -> int:
    """The exit code of the command that was named."""
    commands: dict[str, tuple[Callable[[Home], int], str]] = {
        "run": (_run, "run the sample corpus's Dag and show what it built"),
        "bad-night": (_bad_night, "the same with two bad documents: see the gate and the alert"),
        "up": (_up, "start Airflow with its web interface"),
        "down": (_down, "stop it"),
        "status": (_status, "say whether it runs, and where"),
    }
    parser = argparse.ArgumentParser(prog="tailgate_local", description=__doc__)
    parts = parser.add_subparsers(dest="command", required=True)
    for name, (_, text) in commands.items():
        parts.add_parser(name, help=text)
    command, _ = commands[parser.parse_args().command]
    try:
        return command(Home())
    except TailgateError as error:
        Console(stderr=True).print(str(error), style="red", highlight=False, markup=False)
        return error.exit_code
    except httpx.HTTPError as error:
        Console(stderr=True).print(f"Airflow did not answer as expected: {error}", style="red", markup=False)
        return 1
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        return 1  # Whoever read the screen has had enough of it, as `| head` has.


def _run(home: Home) -> int:
    from tailgate_local import demo

    return demo.run(home)


def _bad_night(home: Home) -> int:
    from tailgate_local import demo

    return demo.bad_night(home)


def _up(home: Home) -> int:
    """All four components are healthy and the screen says where, or the screen says why not."""
    console = Console(highlight=False)
    if found := service.running(home):
        console.print("Airflow runs already.")
        _say_where(home, found, console)
        return 0
    console.print(f"Starting Airflow (half a minute to a minute; its log: {_from_here(home.service_log)})")
    database.prepare(home, lambda text: console.print(f"  {text}"))
    started = service.start(home)
    told: list[str] = []

    def tell(states: dict[str, str]) -> None:
        for name, state in states.items():
            if state == "healthy" and name not in told:
                told.append(name)
                console.print(f"  ✓ {name.replace('_', ' ')}", style="green")

    try:
        healthy = service.wait_until_healthy(home, started, tell)
    except KeyboardInterrupt:
        service.stop(home, started)
        raise
    if healthy:
        _say_where(home, started, console)
        return 0
    console.print("Airflow did not start. The end of its log:", style="red")
    console.print(
        "\n".join(home.service_log.read_text(encoding="utf-8", errors="replace").splitlines()[-15:]), markup=False
    )
    service.stop(home, started)
    return 1


def _down(home: Home) -> int:
    """No process of the service runs any more."""
    console = Console(highlight=False)
    found = service.running(home)
    if not found:
        console.print("Airflow is not running.")
        return 0
    console.print("Stopping Airflow (about ten seconds)")
    service.stop(home, found)
    console.print("Stopped. The data stay: `make up` starts again where this left off.")
    return 0


def _status(home: Home) -> int:
    """0 where everything runs and is healthy."""
    console = Console(highlight=False)
    found = service.running(home)
    if not found:
        console.print("Airflow is not running. Start it with `make up`.")
        return 1
    states = service.health(home, found)
    table = Table(box=None, show_header=False, pad_edge=False)
    for name, state in states.items():
        table.add_row(name.replace("_", " "), state, style="green" if state == "healthy" else "red")
    console.print(table)
    _say_where(home, found, console)
    return 0 if set(states.values()) == {"healthy"} else 1


def _from_here(path: Path) -> str:
    return str(path.relative_to(Path.cwd())) if path.is_relative_to(Path.cwd()) else str(path)


def _say_where(home: Home, found: Service, console: Console) -> None:
    table = Table(box=None, show_header=False, pad_edge=False)
    table.add_row("open", f"[bold cyan]{home.url(found.ports)}[/]")
    table.add_row("user", environment.USER)
    table.add_row("password", environment.password(home))
    table.add_row("there", "Dags → tailgate_sample → Trigger: a single run, or a backfill of past days")
    table.add_row("here", "make run, make bad-night (Airflow runs them now), make status, make down")
    console.print()
    console.print(table)


if __name__ == "__main__":
    sys.exit(main())
