"""The command `messages fetch`; the others below `messages` are in storage/commands."""

from datetime import UTC, datetime

import typer

from storage.shell.options import StoreOption

app = typer.Typer()


@app.command()
def fetch(store: StoreOption = None) -> None:
    """Fetch messages that are new, now: Space-Track's public ones, three times a day at most, and TraCSS's.

    Runs do so every eight hours, and every hour. It needs SKYSIEVE_SPACETRACK_LOGIN or
    SKYSIEVE_TRACSS_LOGIN. If nothing comes, or a message cannot be read, the
    exit code is 1.
    """
    from flows.runs.message_update import update_messages, update_tracss
    from flows.settings import FlowSettings
    from flows.sources.messages.space_track import wants_messages
    from flows.sources.messages.tracss_login import wants_tracss
    from storage.settings import load_settings

    settings = load_settings(FlowSettings, store=store)
    now, failed = datetime.now(UTC), False
    if wants_messages(settings) or not wants_tracss(settings):
        public = update_messages(settings, now, at_once=True)
        typer.echo(public.said, err=public.failed)
        failed = public.failed
    if wants_tracss(settings):
        tracss = update_tracss(settings, now, at_once=True)
        typer.echo(tracss.said, err=tracss.failed)
        failed |= tracss.failed
    if failed:
        raise typer.Exit(1)
