"""The command that says what a run would take."""

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from flows.commands.options import CatalogueArgument, HoursOption, ThresholdOption, check_chosen
from storage.shell.options import JsonOption, StoreOption

if TYPE_CHECKING:
    from flows.runs.forecast import Forecast, Machine
    from flows.settings import FlowSettings

app = typer.Typer()

_COLUMNS = ("Of the run", "Expected")


@app.command()
def plan(
    catalogue: CatalogueArgument,
    hours: HoursOption = None,
    threshold_km: ThresholdOption = None,
    workers: Annotated[
        int | None,
        typer.Option(
            min=1,
            max=4096,
            help="Threads that search: of this machine, or, if there are more than it has cores, of a "
            "cluster. Default: SKYSIEVE_WORKERS or one per core.",
        ),
    ] = None,
    store: StoreOption = None,
    as_json: JsonOption = False,
) -> None:
    """Print what a run would take: tasks, events, time and what limits it, memory, disk, and whether it fits.

    Nothing is searched. The exit code is 1 if the run would not fit.

    Example: skysieve plan gp.csv --hours 168 --workers 64
    """
    from flows.settings import FlowSettings
    from storage.settings import load_settings
    from storage.shell.options import use_kernels
    from storage.shell.output import print_json, print_table

    check_chosen(hours, threshold_km)
    settings = load_settings(
        FlowSettings, store=store, workers=workers, threshold_km=threshold_km, look_ahead_hours=hours
    )
    use_kernels(settings.kernel_cache)
    told, machine = _forecast(catalogue, settings)
    from flows.runs.forecast import problems, what_would_fit

    found = problems(told, machine, settings.max_events)
    advice = what_would_fit(told, machine, settings.max_events) if found else ""
    if as_json:
        print_json(_record(told, machine) | {"fits": not found, "problems": found, "advice": advice})
    else:
        fits = f"no: {'; '.join(found)}" if found else "yes"
        print_table(_COLUMNS, [*_rows(told, machine), ("Fits", fits)])
        if advice:
            typer.echo(advice, err=True)
    if found:
        raise typer.Exit(1)


def _forecast(catalogue: Path, settings: "FlowSettings") -> "tuple[Forecast, Machine]":
    from datetime import UTC, datetime

    from flows.runs.planning import forecast_of, this_machine
    from flows.runs.run import Request, prepare
    from flows.sources.files import read_file
    from screening.search.all_pairs.chosen_plan import at_full_speed
    from screening.search.staying_close.same_sets import same_sets

    request = Request(None, settings.look_ahead_hours, settings.threshold_km)
    prepared = prepare(read_file(catalogue), request, settings.store, datetime.now(UTC))
    elements = prepared.elements
    remote = bool(settings.scheduler) or settings.workers > len(os.sched_getaffinity(0))
    machine = this_machine(settings, remote=remote)
    firsts = same_sets(elements).first
    workers = at_full_speed(settings.workers)
    return (
        forecast_of(elements, firsts, prepared.span, prepared.threshold_km, workers, machine, settings),
        machine,
    )


def _rows(told: "Forecast", machine: "Machine") -> list[tuple[str, str]]:
    parts = (
        f"{told.start_s:,.1f} to start, {told.objects_s:,.1f} for the objects, {told.events_s:,.1f} for the "
        "events"
    )
    where = "of a cluster" if machine.remote else "of this machine"
    return [
        ("Objects, each element set once", f"{told.objects:,}"),
        ("Window", f"{told.hours:g} h, {told.threshold_km:g} km"),
        ("Threads that search", f"{told.threads:,} {where}"),
        ("Plan", str(told.planned.plan)),
        ("Events", f"{told.events:,.0f}"),
        ("Search", f"{told.planned.search_s:,.1f} s, {told.search_cpu_s:,.1f} CPU-s"),
        ("In one process", f"{told.alone_s:,.1f} s: {parts}"),
        ("Network", f"{told.sent_s:,.1f} s"),
        ("Until published", f"{told.published_s:,.1f} s"),
        ("Limited by", told.limit),
        ("Memory of a worker's thread", _gb(told.worker_bytes)),
        ("Memory of this process", f"{_gb(told.process_bytes)}, {_gb(machine.memory_bytes)} available"),
        ("Disk", f"{_gb(told.disk_bytes)}, {_gb(machine.disk_bytes)} free"),
    ]


def _record(told: "Forecast", machine: "Machine") -> dict[str, object]:
    cut = told.planned.plan
    return {
        "objects": told.objects,
        "hours": told.hours,
        "threshold_km": told.threshold_km,
        "threads": told.threads,
        "remote": machine.remote,
        "tasks": len(cut.tasks),
        "blocks": cut.blocks,
        "windows": cut.windows,
        "events": round(told.events),
        "search_s": told.planned.search_s,
        "search_cpu_s": told.search_cpu_s,
        "start_s": told.start_s,
        "objects_s": told.objects_s,
        "events_s": told.events_s,
        "network_s": told.sent_s,
        "published_s": told.published_s,
        "limit": told.limit,
        "worker_thread_bytes": round(told.worker_bytes),
        "process_bytes": round(told.process_bytes),
        "process_available_bytes": machine.memory_bytes,
        "disk_bytes": round(told.disk_bytes),
        "disk_free_bytes": machine.disk_bytes,
    }


def _gb(amount: float) -> str:
    return f"{amount / 1e9:,.2f} GB"
