"""The command `ephemeris`: an object's path, to hand on."""

from datetime import UTC, datetime
from typing import Annotated

import typer

from screening.errors import UsageError
from screening.vocabulary import MAX_NORAD_ID, range_text
from storage.shell.options import (
    FrameOption,
    OutputOption,
    RestrictedOption,
    StoreOption,
    instant_of,
    use_kernels,
)
from storage.vocabulary import PATH_RANGE_HOURS, PATH_STEP_RANGE_S, PathForm

# The store is imported where it is used, so that `--help` is quick.

app = typer.Typer()


@app.command()
def ephemeris(
    norad_id: Annotated[
        int,
        typer.Argument(metavar="NORAD_ID", min=1, max=MAX_NORAD_ID, help="Catalogue number of the object."),
    ],
    start: Annotated[
        str | None,
        typer.Option(
            metavar="ISO",
            help="First instant, ISO 8601; without a zone: UTC.  [default: now]",
            show_default=False,
        ),
    ] = None,
    hours: Annotated[float, typer.Option(help=f"Length, {range_text(PATH_RANGE_HOURS)}.")] = 24.0,
    step: Annotated[
        float, typer.Option(help=f"Seconds between states, {range_text(PATH_STEP_RANGE_S)}.")
    ] = 60.0,
    form: Annotated[
        PathForm, typer.Option("--format", help="An orbit ephemeris message, or a table.")
    ] = "oem-kvn",
    frame: FrameOption = "EME2000",
    burn_at: Annotated[
        str | None,
        typer.Option(metavar="ISO", help="With a burn at this instant, UTC.", show_default=False),
    ] = None,
    dv_t: Annotated[float, typer.Option(metavar="M_S", help="Its delta-v along the track, m/s.")] = 0.0,
    dv_r: Annotated[float, typer.Option(metavar="M_S", help="Its delta-v radially outwards, m/s.")] = 0.0,
    dv_n: Annotated[float, typer.Option(metavar="M_S", help="Its delta-v across the orbit, m/s.")] = 0.0,
    output: OutputOption = None,
    allow_restricted: RestrictedOption = False,
    store: StoreOption = None,
) -> None:
    """Write an object's path as the newest run had it, with its covariance, to hand on.

    On its operator's ephemeris where the store has one (`skysieve trajectories`), else by SGP4; with a burn,
    from then on on the path that it would take.

    Example: skysieve ephemeris 25544 --hours 72 --output iss.oem
    """
    from storage.in_memory.object_paths import PathQuestion, object_path
    from storage.in_memory.snapshot import newest_snapshot
    from storage.settings import StoreSettings, load_settings
    from storage.shell.written_text import checked_output, write_out
    from storage.trajectories.handed_on import path_text

    for value, name, (low, high) in (
        (hours, "--hours", PATH_RANGE_HOURS),
        (step, "--step", PATH_STEP_RANGE_S),
    ):
        if not low <= value <= high:
            raise UsageError(f"{name} is {value:g}; allowed is {range_text((low, high))}.")
    if (burn_at is None) == any((dv_r, dv_t, dv_n)):
        raise UsageError("A burn needs both: --burn-at, and one of --dv-t, --dv-r and --dv-n.")
    target = checked_output(output)
    begins = None if start is None else instant_of(start, "--start")
    settings = load_settings(StoreSettings, store=store)
    use_kernels(settings.kernel_cache)
    now = datetime.now(UTC)
    burn = None
    if burn_at is not None:
        import numpy as np

        from screening.manoeuvre.impulse import Impulse

        burn = Impulse(np.datetime64(instant_of(burn_at, "--burn-at"), "us"), (dv_r, dv_t, dv_n))
    question = PathQuestion(norad_id, begins, hours, step, burn)
    path = object_path(newest_snapshot(settings.store), question, now, allow_restricted=allow_restricted)
    write_out(path_text(path, form, frame, now), target)
    for line in dict.fromkeys(line for comments in path.comments for line in comments):
        typer.echo(line, err=True)
