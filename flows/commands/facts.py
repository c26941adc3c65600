"""The command `objects update`; the others below `objects` are in storage/commands and api/commands."""

from datetime import UTC, datetime

import typer

from storage.shell.options import StoreOption

app = typer.Typer()


@app.command()
def update(store: StoreOption = None) -> None:
    """Fetch NASA CARA's radii, CelesTrak's SATCAT and GCAT's bodies, each at most once a week.

    Scheduled runs do so too. Facts that cannot be fetched stay unchanged; the exit code is then 1.
    """
    from flows.runs.fact_update import NAMES, update_facts
    from flows.settings import FlowSettings
    from storage.settings import load_settings

    settings = load_settings(FlowSettings, store=store)
    found = update_facts(settings, datetime.now(UTC))
    for updated in found:
        typer.echo(f"{NAMES[updated.kind]}: {updated.said}")
        for change in updated.changes:
            typer.echo(f"  {change}")
    typer.echo(f"Stored in {settings.store}; takes effect in the next run.")
    if any(updated.failed for updated in found):
        raise typer.Exit(1)
