"""The command `messages fetch`; the others below `messages` are in storage/commands."""

from datetime import UTC, datetime

import typer

from storage.shell.options import StoreOption

app = typer.Typer()


@app.command()
def fetch(store: StoreOption = None) -> None:
    """Fetch Space-Track's public messages that are new, now; three times a day is allowed.

    Runs do so every eight hours. It needs SKYSIEVE_SPACETRACK_USER and SKYSIEVE_SPACETRACK_PASSWORD. If
    nothing comes, or a message cannot be read, the exit code is 1.
    """
    from flows.runs.message_update import update_messages
    from flows.settings import FlowSettings
    from storage.settings import load_settings

    settings = load_settings(FlowSettings, store=store)
    updated = update_messages(settings, datetime.now(UTC), at_once=True)
    typer.echo(updated.said, err=updated.failed)
    if updated.failed:
        raise typer.Exit(1)
