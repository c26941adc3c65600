"""The commands that change what a store has, each of which the audit log then names."""

import functools
import inspect
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import typer

from screening.errors import SkysieveError

# The store's state is imported where it is used, so that `--help` is quick.

CHANGING = frozenset(
    {
        *("objects import", "objects set", "objects update", "history import"),
        *("trajectories add", "trajectories remove", "messages import", "messages remove"),
        *("fleets create", "fleets change", "fleets remove", "fleets feed", "fleets revoke"),
        *("alerts add", "alerts remove", "alerts off", "alerts on", "alerts rotate", "alerts retry"),
        *("alerts test", "acknowledge", "organisations add", "organisations rename"),
        *("tokens create", "tokens revoke", "intent"),
        *("directory add", "directory remove", "directory import"),
        *("links make", "links revoke"),
    }
)


def audit_commands(app: typer.Typer, begin: str = "") -> None:
    """Let the commands of an application, and those below it, write into the audit log what they change."""
    for command in app.registered_commands:
        assert command.callback is not None, "a command has a function"
        name = f"{begin} {command.name or command.callback.__name__}".strip()
        if name in CHANGING:
            command.callback = _audited(name, command.callback)
    for group in app.registered_groups:
        assert group.typer_instance is not None, "a group has commands"
        below = f"{begin} {group.name}" if isinstance(group.name, str) else begin
        audit_commands(group.typer_instance, below.strip())


def _audited(name: str, command: Callable[..., Any]) -> Callable[..., Any]:
    first, *_ = inspect.signature(command).parameters

    @functools.wraps(command)
    def with_entry(**given: Any) -> None:
        try:
            command(**given)
        except SkysieveError:
            _record(name, given, first, "refused")
            raise
        _record(name, given, first, "done")

    return with_entry


def _record(name: str, given: dict[str, Any], first: str, result: str) -> None:
    from storage.shell.options import store_folder
    from storage.state.database import SERVICE_STATE
    from storage.state.whose.audit import by_command_line, record
    from storage.state.whose.organisations import organisations
    from storage.vocabulary import EVERYBODY

    store = store_folder(given.get("store"))
    if not (store / SERVICE_STATE).exists():
        return  # nothing was changed in it
    known = organisations(store)
    named = given.get("organisation")
    of = [one.id for one in known if named is None or named in (one.name, str(one.id))]
    about = " ".join(str(given.get(key) or "") for key in ("kind", "name") if key != first)
    about = f"{given.get(first) or ''} {about if first == 'kind' else ''}".strip()
    whose = of[0] if len(of) == 1 else EVERYBODY
    record(store, datetime.now(UTC), whose, by_command_line(), name, result, about=about)
