"""Assemble the command line from the packages, and turn expected errors into messages and exit codes.

Exit codes: 0 success, 1 failure, 2 wrong usage, 130 interrupted. Commands import what is slow to load inside
their functions, so `--help` is quick.
"""

import atexit
import os
import shutil
import sys
import textwrap
from collections.abc import Sequence
from copy import copy
from importlib import metadata
from typing import Annotated, NoReturn

import typer
from typer.main import get_command_name

from api.commands import (
    acknowledge,
    analyze,
    audit,
    manoeuvre,
    plans,
    report,
    serve,
    site,
    tokens,
    verify,
)
from api.commands import objects as shown_objects
from api.commands.audited import audit_commands
from api.commands.operators import directory, intent, links
from flows.commands import deliver, facts, files, plan, public_messages, runs, to_tracss, unattended, warm
from screening.errors import SkysieveError, UsageError
from skysieve.settings import keep_plugins_out, take_out_unknown
from storage.commands import (
    alert_messages,
    alerts,
    check,
    ephemeris,
    feeds,
    fleets,
    history,
    manoeuvres,
    messages,
    messages_out,
    objects,
    organisations,
    store,
    trajectories,
)
from storage.commands.sky import changes, environment, re_entries
from storage.machine.garbage_collection import collect_seldom
from storage.machine.without_pandas import keep_pandas_out

FAILURE, USAGE, INTERRUPTED = 1, 2, 130
WIDEST_MESSAGE = 100
app = typer.Typer(
    help="Screen the public satellite catalogue for close approaches.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
# In the order of `--help`.
for module in (runs, plan, files, unattended, warm, store, check):
    app.add_typer(module.app)
objects.app.add_typer(shown_objects.app)
objects.app.add_typer(facts.app)
app.add_typer(objects.app, name="objects")
trajectories.app.add_typer(to_tracss.app)
app.add_typer(trajectories.app, name="trajectories")
fleets.app.add_typer(feeds.app)
app.add_typer(fleets.app, name="fleets")
app.add_typer(history.app, name="history")
app.add_typer(manoeuvres.app)
app.add_typer(re_entries.app)
app.add_typer(environment.app)
app.add_typer(changes.app)
app.add_typer(verify.app)
messages.app.add_typer(public_messages.app)
app.add_typer(messages.app, name="messages")
alerts.app.add_typer(alert_messages.app)
alerts.app.add_typer(deliver.app)
app.add_typer(alerts.app, name="alerts")
app.add_typer(acknowledge.app)
app.add_typer(intent.app)
app.add_typer(directory.app, name="directory", help="Whom to call about which objects.")
app.add_typer(links.app, name="links", help="Addresses that open one event without a credential.")
app.add_typer(ephemeris.app)
app.add_typer(messages_out.app)
app.add_typer(report.app)
app.add_typer(site.app)
app.add_typer(serve.app)
app.add_typer(analyze.app)
app.add_typer(manoeuvre.app)
app.add_typer(plans.app, name="plans")
app.add_typer(
    organisations.app, name="organisations", help="List, add and rename organisations, which share a service."
)
app.add_typer(tokens.app, name="tokens", help="Create, list and revoke credentials of the HTTP service.")
app.add_typer(audit.app)
audit_commands(app)


def version() -> str:
    """Return the version of the installed distribution."""
    try:
        return metadata.version("skysieve")
    except metadata.PackageNotFoundError:
        return "(run from its source folder)"


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"skysieve {version()}")
        raise typer.Exit


@app.callback()
def options_of_all_commands(
    _version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Screen the public satellite catalogue for close approaches."""
    if warning := take_out_unknown():
        _report(warning)


def start() -> None:
    """Run the command line as a process of its own, prepared for it."""
    prepare()
    try:
        main()
    except SystemExit as stop:
        _leave(stop.code)


def prepare() -> None:
    """Let this process start sooner than programs that import `skysieve` might want."""
    collect_seldom()
    keep_pandas_out()
    keep_plugins_out()


def main() -> NoReturn:
    """Run the command line and exit.

    A SkysieveError becomes one paragraph on stderr; any other exception is a bug and keeps its traceback.
    """
    code: str | int | None
    try:
        _with_one_command(sys.argv[1:2])(prog_name="skysieve")
    except SkysieveError as error:
        _report(f"error: {error}")
        code = USAGE if isinstance(error, UsageError) else FAILURE
    except SystemExit as stop:
        code = stop.code
        if code == INTERRUPTED:  # typer turns Ctrl-C into this, without a message
            _report("interrupted")
    except BaseException as error:
        if not _is_interrupt(error):
            raise
        code = INTERRUPTED
        _report("interrupted")
    if not _flush_output():
        code = FAILURE
    sys.exit(code)


def _with_one_command(words: Sequence[str]) -> typer.Typer:
    """Return the application with the command or group alone that the first word names; else with all.

    typer makes every command before it looks at the words: 0.05 s.
    """
    one = copy(app)
    one.registered_groups = []
    for group in app.registered_groups:
        assert group.typer_instance is not None, "a group has commands"
        if isinstance(group.name, str):
            names = [group.name]
        else:  # its commands are the application's own
            names = [
                command.name or get_command_name(command.callback.__name__)
                for command in group.typer_instance.registered_commands
                if command.callback is not None
            ]
        if any(word in names for word in words):
            one.registered_groups.append(group)
    return one if one.registered_groups else app


def _is_interrupt(error: BaseException) -> bool:
    from storage.disk.connections import is_interrupt

    return isinstance(error, KeyboardInterrupt) or (isinstance(error, Exception) and is_interrupt(error))


def _report(message: str) -> None:
    """Print a message to stderr: wrapped on a terminal, unbroken in a log."""
    if sys.stderr.isatty():
        width = min(shutil.get_terminal_size().columns, WIDEST_MESSAGE)
        lines = (
            textwrap.fill(line, width, break_long_words=False, break_on_hyphens=False)
            for line in message.splitlines()
        )
        message = "\n".join(lines)
    typer.echo(message, err=True)


def _leave(code: str | int | None) -> NoReturn:
    """Exit; if a run was made or Prefect was in use, right after the exit handlers.

    Tearing down all that a run has loaded takes half a second for nothing, and the threads that Prefect
    leaves behind keep DuckDB's binding alive, which would report pages of leaked objects.
    """
    if {"flows.runs.run", "prefect"} & sys.modules.keys() and not isinstance(code, str):
        atexit._run_exitfuncs()
        sys.stderr.flush()
        os._exit(code or 0)
    sys.exit(code)


def _flush_output() -> bool:
    """Flush stdout and stderr; return False if the reader is gone (`skysieve events | head`)."""
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        # Python flushes again at exit, and would complain then.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return False
    return True
