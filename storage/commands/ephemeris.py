"""The command `ephemeris`: an object's path, to share."""

from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from screening.errors import UsageError
from screening.vocabulary import MAX_NORAD_ID, range_text
from storage.shell.options import (
    FrameOption,
    RestrictedOption,
    StoreOption,
    check_burns,
    instant_of,
    use_kernels,
)
from storage.times import datetime64_us
from storage.vocabulary import PATH_RANGE_HOURS, PATH_STEP_RANGE_S, PathForm

# The store is imported where it is used, so that `--help` is quick.
if TYPE_CHECKING:
    from screening.manoeuvre.impulse import Impulse

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
        PathForm,
        typer.Option(
            "--format", help="An orbit ephemeris message, a table, or one state with the burns (OPM)."
        ),
    ] = "oem-kvn",
    frame: FrameOption = "EME2000",
    burn: Annotated[
        list[str] | None,
        typer.Option(
            metavar="WHEN,R,T,N",
            help="With a burn, and up to ten times: when (UTC), and its parts in m/s.",
            show_default=False,
        ),
    ] = None,
    mass: Annotated[
        float | None,
        typer.Option(min=0.0, metavar="KG", help="Its mass, for an OPM with burns.", show_default=False),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="The file to write, replacing it; in a folder one named by object and burn.  "
            "[default: standard output]",
            show_default=False,
        ),
    ] = None,
    allow_restricted: RestrictedOption = False,
    store: StoreOption = None,
) -> None:
    """Write an object's path as the newest run had it, with its covariance, to share.

    On its operator's ephemeris where the store has one (`skysieve trajectories`), else by SGP4; with burns,
    from the first on on the path that it would take.

    Example: skysieve ephemeris 25544 --hours 72 --output iss.oem
    """
    from storage.in_memory.object_paths import PathQuestion, path_file, written_path
    from storage.in_memory.snapshot import newest_snapshot
    from storage.settings import StoreSettings, load_settings
    from storage.shell.written_text import checked_output, write_out

    for value, name, (low, high) in (
        (hours, "--hours", PATH_RANGE_HOURS),
        (step, "--step", PATH_STEP_RANGE_S),
    ):
        if not low <= value <= high:
            raise UsageError(f"{name} is {value:g}; allowed: {range_text((low, high))}.")
    target = checked_output(output)
    begins = None if start is None else instant_of(start, "--start")
    settings = load_settings(StoreSettings, store=store)
    use_kernels(settings.kernel_cache)
    now = datetime.now(UTC)
    question = PathQuestion(norad_id, begins, hours, step, _burns(burn or []))
    snapshot = newest_snapshot(settings.store)
    made = written_path(snapshot, question, now, form, frame, mass, allow_restricted=allow_restricted)
    if target is not None and target.is_dir():
        target /= path_file(norad_id, question.burns, snapshot.run.run_id, form)
    write_out(made.text, target)
    for line in made.comments:
        typer.echo(line, err=True)


def _burns(texts: list[str]) -> "list[Impulse]":
    from screening.manoeuvre.impulse import Impulse, when_and_parts

    check_burns(len(texts))
    burns = [when_and_parts(text) for text in texts]
    return [Impulse(datetime64_us(instant_of(when, "--burn")), parts) for when, parts in burns]
