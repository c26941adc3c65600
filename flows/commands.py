"""Commands that make runs."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import typer

from screening.errors import UsageError

app = typer.Typer()

MOST_DANGEROUS = 10


@app.command()
def screen(
    catalogue: Annotated[
        Path,
        typer.Argument(help="File with element sets: OMM (CSV, JSON, XML, KVN) or TLE.", show_default=False),
    ],
    start: Annotated[
        str | None,
        typer.Option(
            help="Start of the window, ISO 8601, UTC if it names no zone. "
            "Default: now, or the catalogue's own time if it is more than 7 days old.",
            show_default=False,
        ),
    ] = None,
    hours: Annotated[
        float | None,
        typer.Option(help="Length of the window, 0.1 to 720. Default: SKYSIEVE_LOOK_AHEAD_HOURS or 24."),
    ] = None,
    threshold_km: Annotated[
        float | None,
        typer.Option(
            help="Events closer than this are kept, 0.1 to 100. Default: SKYSIEVE_THRESHOLD_KM or 10."
        ),
    ] = None,
    store: Annotated[
        Path | None, typer.Option(help="Folder of the store. Default: SKYSIEVE_STORE or ./skysieve-store.")
    ] = None,
    workers: Annotated[
        int | None, typer.Option(min=1, help="Local worker processes. Default: one per core.")
    ] = None,
    scheduler: Annotated[
        str | None, typer.Option(help="Address of a Dask scheduler to use instead, tcp:// or tls://.")
    ] = None,
    output: Annotated[
        Path | None, typer.Option(help="Also write the events to this file: .csv, .parquet or .duckdb.")
    ] = None,
) -> None:
    """Screen a catalogue file, publish the run and print the most dangerous events.

    Example: skysieve screen gp.csv --hours 72 --threshold-km 5
    """
    from flows.settings import FlowSettings
    from screening.kernels import keep_kernels_in
    from storage.settings import load_settings

    if output is not None:
        from storage.events_file import check_events_file

        check_events_file(output)
    begins = None if start is None else _utc(start)
    chosen = {"store": store, "workers": workers, "scheduler": scheduler, "look_ahead_hours": hours}
    settings = load_settings(FlowSettings, threshold_km=threshold_km, **chosen)
    compiled = keep_kernels_in(settings.kernel_cache).exists()

    import numpy as np

    from flows.display import Display, summary
    from flows.run import Request, read_file, run_catalogue

    instant = None if begins is None else np.datetime64(begins, "us")
    request = Request(instant, settings.look_ahead_hours, settings.threshold_km)
    with Display() as display:
        source = read_file(catalogue)
        if not compiled:
            display.say("compiling the search, once (about 20 s); later runs start at once")
        outcome = run_catalogue(source, request, settings, display.reporter)
        display.say(summary(outcome))
        if output is not None:
            from storage.events_file import write_events

            display.say(f"events written to {write_events(settings.store, output)}")
    _print_most_dangerous(settings.store)


def _print_most_dangerous(store: Path) -> None:
    from storage.listing import print_events_for_a_reader
    from storage.read import events

    print_events_for_a_reader(events(store, limit=MOST_DANGEROUS), store)
    typer.echo(
        "More: `skysieve events --risk critical`, `skysieve events --norad-id 25544`, `skysieve status`,\n"
        '      `skysieve sql "SELECT * FROM conjunctions WHERE miss_distance_m < 200"`',
        err=True,
    )


def _utc(text: str) -> datetime:
    """Read an ISO 8601 instant; without a zone it is UTC. Returns a naive datetime in UTC."""
    try:
        instant = datetime.fromisoformat(text)
    except ValueError as error:
        raise UsageError(
            f"--start {text!r} is not a time; expected ISO 8601 such as 2026-11-21T06:00:00Z."
        ) from error
    return instant if instant.tzinfo is None else instant.astimezone(UTC).replace(tzinfo=None)
