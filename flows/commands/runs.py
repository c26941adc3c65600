"""Commands that make runs."""

from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from flows.commands.options import HoursOption, OptionalCatalogueArgument, ThresholdOption, check_chosen
from flows.commands.unattended import SourceOption
from screening.errors import UsageError
from screening.vocabulary import MAX_NORAD_ID
from storage.shell.options import COMPILING, StoreOption, instant_of, use_kernels
from storage.times import datetime64_us

# numpy, Prefect, the kernels and the alerts are imported where they are used, so that `--help` and a run are
# quick.
if TYPE_CHECKING:
    import pyarrow as pa

    from flows.runs.display import Display
    from flows.runs.run import Request, Stages
    from flows.settings import FlowSettings
    from flows.sources.files import Source

app = typer.Typer()

MOST_DANGEROUS = 10


@app.command()
def screen(
    catalogue: OptionalCatalogueArgument = None,
    start: Annotated[
        str | None,
        typer.Option(
            help="Start of the window, ISO 8601, UTC unless it names a zone. Default: now, or the time of a "
            "catalogue more than 7 days old.",
            show_default=False,
        ),
    ] = None,
    as_of: Annotated[
        str | None,
        typer.Option(
            metavar="ISO",
            help="Instead of a file: the element sets of the store's history that were known at this time, "
            "at which the window starts. The run is a replay, and never replaces one of the present.",
            show_default=False,
        ),
    ] = None,
    hours: HoursOption = None,
    threshold_km: ThresholdOption = None,
    primary: Annotated[
        list[int] | None,
        typer.Option(
            min=1,
            max=MAX_NORAD_ID,
            help="Catalogue number of an object: search only for objects that come near it, and store that "
            "as an analysis of the newest run. Repeatable.",
            show_default=False,
        ),
    ] = None,
    store: StoreOption = None,
    workers: Annotated[
        int | None,
        typer.Option(min=1, help="Threads that search in parallel on this machine. Default: one per core."),
    ] = None,
    processes: Annotated[
        int | None,
        typer.Option(
            min=0,
            max=1024,
            help="Processes that search instead of threads, with one thread each. Default: none.",
        ),
    ] = None,
    scheduler: Annotated[
        str | None, typer.Option(help="Address of a Dask scheduler to use instead, tcp:// or tls://.")
    ] = None,
    output: Annotated[
        Path | None, typer.Option(help="Also write the events to this file: .csv, .parquet or .duckdb.")
    ] = None,
) -> None:
    """Screen a catalogue file, or a past one, publish the run and print the most dangerous events.

    Examples: skysieve screen gp.csv --hours 72 --threshold-km 5;
    skysieve screen gp.csv --primary 25544 --primary 48274;
    skysieve screen --as-of 2026-05-26T12:00:00Z
    """
    from flows.settings import FlowSettings, prepare_numpy

    prepare_numpy()
    from flows.sources.history import check_past
    from storage.settings import load_settings

    check_chosen(hours, threshold_km)
    if output is not None:
        from storage.reading.events_file import check_events_file

        check_events_file(output)
    if primary and (workers, processes, scheduler) != (None, None, None):
        raise UsageError(
            "--primary searches in this process: --workers, --processes and --scheduler cannot be combined "
            "with it."
        )
    check_past(catalogue=catalogue is not None, as_of=as_of is not None, primaries=bool(primary))
    if processes and scheduler:
        raise UsageError("--processes run on this machine: they cannot be combined with --scheduler.")
    begins = None if start is None else instant_of(start, "--start")
    past = None if as_of is None else instant_of(as_of, "--as-of")
    chosen = {
        "store": store,
        "workers": workers,
        "scheduler": scheduler,
        "look_ahead_hours": hours,
    }
    settings = load_settings(FlowSettings, threshold_km=threshold_km, **chosen)
    rows = _screened(catalogue, begins, past, primary or [], settings, processes or 0, output)
    if rows is None:
        _print_most_dangerous(settings.store)
    else:
        _print_rows(rows, settings.store)


def _screened(
    catalogue: Path | None,
    begins: datetime | None,
    as_of: datetime | None,
    primaries: list[int],
    settings: "FlowSettings",
    processes: int,
    output: Path | None,
) -> "pa.Table | None":
    """Screen a file, show the progress and write the events; return those of primaries, if any are given."""
    from storage.machine.allocator import keep_little_of_runs

    keep_little_of_runs()
    from storage.machine.kernel_folder import kernels_below

    compiled = kernels_below(settings.kernel_cache).exists()
    from flows.runs.display import Display, lines_on_stderr, summary
    from flows.runs.fleet_look import fleet_look
    from flows.runs.run import Request, Stages, run_catalogue
    from flows.sources.files import read_file
    from flows.sources.history import read_history

    instant = None if begins is None else datetime64_us(begins)
    request = Request(instant, settings.look_ahead_hours, settings.threshold_km, processes, as_of=as_of)
    rows = None
    with lines_on_stderr(), Display() as display:
        stages = Stages(display.reporter.stage)
        with stages("read"):
            past = None if as_of is None else read_history(settings.store, as_of)
            source = past or read_file(catalogue or Path())
        if not compiled:
            display.say(COMPILING)
        if primaries:
            rows = _screen_primaries(source, request, primaries, settings, stages, display)
        else:
            outcome = run_catalogue(source, request, settings, stages, display.reporter)
            display.say(summary(outcome))
            with stages("fleets"):
                around = fleet_look(outcome, settings)
            if around is not None:
                from flows.alerts.outbox import note_published

                note_published(settings, outcome.run_id, datetime.now(UTC))
                display.say(around.text)
        if output is not None:
            display.say(f"events written to {_write_events(settings.store, rows, output)}")
    return rows


def _screen_primaries(
    source: "Source",
    request: "Request",
    norad_ids: list[int],
    settings: "FlowSettings",
    stages: "Stages",
    display: "Display",
) -> "pa.Table":
    from flows.runs.display import summary_of_primaries
    from flows.runs.primaries import run_primaries

    outcome = run_primaries(source, request, norad_ids, settings, stages)
    display.say(summary_of_primaries(outcome))
    return outcome.rows


def _write_events(store: Path, rows: "pa.Table | None", output: Path) -> Path:
    from storage.reading.events_file import write_events, write_rows

    return write_events(store, output) if rows is None else write_rows(rows, output)


@app.command()
def refresh(
    source: SourceOption = None,
    store: StoreOption = None,
    or_synthetic: Annotated[
        bool,
        typer.Option(
            "--or-synthetic",
            help="Without a network, use a synthetic catalogue if the store has no real run.",
        ),
    ] = False,
    supgp: Annotated[
        bool | None,
        typer.Option(
            help="Prefer CelesTrak's supplemental element sets, fitted to operators' ephemerides, where "
            "there are any. Default: SKYSIEVE_SUPGP or not.",
            show_default=False,
        ),
    ] = None,
) -> None:
    """Fetch the newest catalogue, screen and publish it, as one run of the Prefect flow.

    Example: skysieve refresh --source celestrak:stations
    """
    from flows.settings import FlowSettings, hand_down, prepare_prefect
    from flows.sources.names import find_origin
    from storage.settings import load_settings

    settings = load_settings(FlowSettings, store=store, source=source, supgp=supgp)
    find_origin(settings.source, settings)  # refuse a wrong name at once
    use_kernels(settings.kernel_cache)
    prepare_prefect()
    hand_down(settings)
    from flows.runs.display import log
    from flows.scheduled.flow import refresh as run_flow
    from flows.scheduled.temporary_server import start_temporary_server

    start_temporary_server()
    try:
        run_flow(or_synthetic=or_synthetic)
    finally:
        for handler in log.handlers:
            handler.flush()  # while Prefect's temporary server still accepts log lines
    _print_most_dangerous(settings.store)


def _print_most_dangerous(store: Path) -> None:
    from storage.reading.newest_run import events
    from storage.shell.listing import FOR_A_READER, print_events_for_a_reader

    print_events_for_a_reader(events(store, limit=MOST_DANGEROUS, columns=FOR_A_READER), store)
    typer.echo(
        "Most dangerous first: by probability, unknown ones above low ones; then by miss distance.\n"
        "Probabilities rest on measured error laws for element sets or an object's history of them; where\n"
        "no radius is known, on the type of the object (`skysieve objects`).\n"
        "More: `skysieve events --level critical`, `skysieve events --norad-id NUMBER`, `skysieve status`,\n"
        "      `skysieve sql 'SELECT tca, primary_name, secondary_name, miss_distance_m FROM conjunctions'`",
        err=True,
    )


def _print_rows(rows: "pa.Table", store: Path) -> None:
    from storage.reading.newest_run import most_dangerous
    from storage.shell.listing import print_events_for_a_reader

    print_events_for_a_reader(most_dangerous(rows, MOST_DANGEROUS), store)
