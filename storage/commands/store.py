"""Commands that read the store: events, sql, status, export; and compact, which tidies it."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import typer

from screening.vocabulary import MAX_NORAD_ID
from storage.shell.options import (
    JsonOption,
    ListedProbabilityLevel,
    ListedRiskLevel,
    OwnerOption,
    RestrictedOption,
    StoreOption,
    store_folder,
)
from storage.vocabulary import EventOrder

# numpy, pyarrow and duckdb take longer to import than `--help` may: they are imported where they are used.

app = typer.Typer()


@app.command()
def events(
    risk: Annotated[
        list[ListedRiskLevel] | None,
        typer.Option(help="Only events of this level, by probability or distance; repeatable."),
    ] = None,
    level: Annotated[
        list[ListedProbabilityLevel] | None,
        typer.Option(
            "--level",
            "--probability-level",
            help="Only events of this level by their probability alone; repeatable.",
        ),
    ] = None,
    norad_id: Annotated[
        list[int] | None,
        typer.Option(min=1, max=MAX_NORAD_ID, help="Only events of this object; repeatable."),
    ] = None,
    owner: OwnerOption = None,
    fleet: Annotated[
        str | None,
        typer.Option(
            help="Only events inside the volumes of this fleet (name or id), whatever the run's threshold; "
            "with the fleet's object, its volume, and the other object's position in its RTN.",
            show_default=False,
        ),
    ] = None,
    order: Annotated[
        EventOrder,
        typer.Option(help="The order; `fragments`: the most expected pieces, probability x pieces."),
    ] = "risk",
    limit: Annotated[int, typer.Option(min=1, help="Most events to list.")] = 100,
    as_json: JsonOption = False,
    store: StoreOption = None,
) -> None:
    """List stored events; without `--order` the most dangerous first."""
    from storage.reading import newest_run
    from storage.reading.fleet_view import seen_from_fleet, view_fleet
    from storage.shell.fleet_words import why_empty
    from storage.shell.listing import print_events

    folder = store_folder(store)
    view = None if fleet is None else view_fleet(folder, fleet)
    found = newest_run.events(
        folder,
        risk_levels=risk or (),
        probability_levels=level or (),
        norad_ids=norad_id or (),
        owner=owner,
        of_fleet=None if view is None else view.inside,
        order=order,
        limit=limit,
    )
    print_events(found if view is None else seen_from_fleet(found, view), folder, as_json=as_json)
    if view is not None and not view.seen:
        typer.echo(why_empty(view), err=True)
    for number in newest_run.unknown_objects(folder, norad_id or ()):
        typer.echo(f"The newest run has no object {number}.", err=True)


@app.command()
def sql(
    query: Annotated[str, typer.Argument(metavar="QUERY", help="One reading statement.")],
    as_json: JsonOption = False,
    as_csv: Annotated[bool, typer.Option("--csv", help="Print CSV.")] = False,
    store: StoreOption = None,
) -> None:
    """Run SQL against the store, read-only.

    Tables of the newest run: conjunctions, proximities, objects, elements, rejections, runs (of all). Views:
    events, analyses, fleet_events, conjunction_history, element_history, manoeuvres, messages. `DESCRIBE
    events` shows columns.
    """
    from screening.errors import UsageError
    from storage.reading import read_only_sql
    from storage.rows.spreadsheets import without_formula
    from storage.shell import output

    if as_json and as_csv:
        raise UsageError("--json and --csv cannot be combined.")
    columns, rows = read_only_sql.query(store_folder(store), query)
    if as_json:
        output.print_json_rows(columns, rows)
    elif as_csv:
        output.print_separated(columns, ([without_formula(value) for value in row] for row in rows), ",")
    else:
        output.print_table(columns, rows)


@app.command()
def status(as_json: JsonOption = False, store: StoreOption = None) -> None:
    """Show the newest run, the age of its data, counts, rejections, recent attempts, fleets and alerts.

    Without a run only the attempts are shown, and the exit code is 1.
    """
    from screening.errors import StoreError
    from storage.reading import newest_run
    from storage.reading.catalogue_age import AGE_UNKNOWN, catalogue_age
    from storage.settings import StoreSettings, load_settings
    from storage.shell.service_view import view_service
    from storage.shell.status_lines import print_status

    folder = store_folder(store)
    newest, no_run = None, None
    try:
        newest = newest_run.status(folder)
    except StoreError as error:
        no_run = error
    now = datetime.now(UTC)
    service = view_service(folder, newest and newest.run.catalogue_sha256, now)
    sets = (
        catalogue_age(newest.run, load_settings(StoreSettings, store=store), now) if newest else AGE_UNKNOWN
    )
    if newest or service.attempts or service.problems:
        print_status(newest, folder, now, as_json=as_json, service=service, sets=sets)
    if no_run:
        raise no_run


@app.command()
def compact(store: StoreOption = None) -> None:
    """Remove expired analyses, element sets, trajectories, messages, and medium and low rows of old runs.

    Every run does this at its end; SKYSIEVE_RETENTION_DAYS and SKYSIEVE_ELEMENT_RETENTION_DAYS set the ages.
    """
    from rich.console import Console

    from storage.settings import StoreSettings, load_settings
    from storage.writing.retention import compact as remove_expired
    from storage.writing.retention import retention_of

    settings = load_settings(StoreSettings, store=store)
    with Console(stderr=True).status("Removing expired data"):
        done = remove_expired(settings.store, datetime.now(UTC), retention_of(settings))
    typer.echo(
        f"{done.runs:,} runs keep only their critical and high rows; {done.analyses:,} analyses, "
        f"{done.element_files:,} files of element sets, {done.trajectories:,} trajectories and "
        f"{done.message_files:,} files of messages are removed."
    )
    if any(done):
        typer.echo("Readers may still have them open: the next run frees their disk space.", err=True)


@app.command()
def export(
    file: Annotated[Path, typer.Argument(metavar="FILE.duckdb", help="The file to write.")],
    force: Annotated[bool, typer.Option("--force", help="Replace the file if it exists.")] = False,
    allow_restricted: RestrictedOption = False,
    store: StoreOption = None,
) -> None:
    """Write one self-contained file with everything, history included.

    Messages whose sources forbid sharing them, as Space-Track does, stay out.
    """
    from rich.console import Console

    from storage.reading import export as exporting

    console = Console(stderr=True)
    with console.status("Exporting") as progress:
        target = exporting.export(
            store_folder(store),
            file,
            force=force,
            on_table=lambda name: progress.update(f"Exporting {name}"),
            allow_restricted=allow_restricted,
        )
    typer.echo(f"{target} ({target.stat().st_size / 1e6:.1f} MB)")
