"""Commands that work on files alone, without a store."""

from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from screening.vocabulary import SYNTHETIC_OBJECTS_RANGE, range_text
from storage.shell.options import instant_of, use_kernels
from storage.times import datetime64_us, utc_datetime, utc_datetimes

if TYPE_CHECKING:
    from flows.files.score_messages import Scored
    from screening.risk.messages.scores import MessageScore

app = typer.Typer()

SCORE_COLUMNS = (
    "Primary",
    "Secondary",
    "TCA",
    "Level",
    "Probability",
    "Miss (m)",
    "Near",
    "2-D",
    "3-D",
    "Claimed",
    "Flags",
    "Risk",
)
IN_BRACKETS = "In brackets: the 2-D integral, where the flags say that two dimensions are not enough."
BOUND = "At most: the largest available number, where no probability could be computed."


@app.command()
def synth(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The file to write, OMM CSV.")],
    objects: Annotated[
        int, typer.Option(help=f"Number of objects, {range_text(SYNTHETIC_OBJECTS_RANGE)}.")
    ] = 30_000,
    seed: Annotated[int, typer.Option(help="The same seed gives the same catalogue.")] = 1,
    epoch: Annotated[
        str | None,
        typer.Option(
            help="Time of the catalogue, ISO 8601, UTC unless it names a zone. Default: now.",
            show_default=False,
        ),
    ] = None,
) -> None:
    """Write a realistic synthetic catalogue and print the encounters planted in it.

    Example: skysieve synth synthetic.csv --objects 30000 --seed 7
    """
    from storage.settings import StoreSettings, load_settings
    from storage.shell.output import print_table

    use_kernels(load_settings(StoreSettings).kernel_cache)
    from flows.files.synthetic_catalogue import write_synthetic_file

    at = datetime.now(UTC).replace(microsecond=0) if epoch is None else instant_of(epoch, "--epoch")
    planted = write_synthetic_file(file, objects, seed, datetime64_us(at))
    typer.echo(f"{objects:,} objects written to {file.absolute()}; planted encounters:", err=True)
    names = planted.dtype.names or ()
    columns = [utc_datetimes(planted[name]) if name == "tca" else planted[name].tolist() for name in names]
    print_table(names, list(zip(*columns, strict=True)))


@app.command()
def score(
    files: Annotated[
        list[Path],
        typer.Argument(metavar="FILE ...", help="Conjunction data messages (CCSDS 508.0): KVN, XML, JSON."),
    ],
    hbr: Annotated[
        float | None,
        typer.Option(
            min=0.001, max=1000.0, help="Combined hard-body radius, m, instead of the messages' own."
        ),
    ] = None,
    mc: Annotated[int, typer.Option(min=0, max=10_000_000, help="Monte Carlo samples; 0: none.")] = 20_000,
    seed: Annotated[
        int, typer.Option(min=0, max=2**53, help="The same seed gives the same Monte Carlo value.")
    ] = 1,
    shared_drag: Annotated[
        bool,
        typer.Option(
            "--shared-drag/--no-shared-drag",
            help="Correlate the drag errors that both objects share, if a message gives them.",
        ),
    ] = True,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Score conjunction data messages: every probability, its limits, and what the message claims.

    A message that cannot be scored does not stop the others; the exit code is then 1.

    Example: skysieve score *.cdm --hbr 15 --json
    """
    from storage.settings import StoreSettings, load_settings

    use_kernels(load_settings(StoreSettings).kernel_cache)
    from rich.console import Console
    from rich.progress import track

    from flows.files.score_messages import errors_by_file, remarks_by_file, score_files
    from storage.shell.output import print_json, print_table

    console = Console(stderr=True)
    one_by_one = score_files(files, hbr, mc, seed, shared_drag=shared_drag)
    scored = list(
        track(one_by_one, "scoring", console=console, transient=True, disable=not console.is_terminal)
    )
    if as_json:
        print_json([_score_record(one) for one in scored])
    else:
        print_table(SCORE_COLUMNS, [_score_row(one) for one in scored if one.score])
        if any(_in_brackets(one.score) for one in scored if one.score):
            typer.echo(IN_BRACKETS, err=True)
        if any(one.score.probability_method == "bound" for one in scored if one.score):
            typer.echo(BOUND, err=True)
    for remark in remarks_by_file(scored):
        typer.echo(f"warning: {remark}", err=True)
    for error in errors_by_file(scored):
        typer.echo(f"error: {error}", err=True)
    if any(one.error for one in scored):
        raise typer.Exit(1)


def _score_record(scored: "Scored") -> dict[str, object]:
    if scored.score is None:
        return {"file": str(scored.file), "message": scored.message, "error": str(scored.error)}
    record = scored.score._asdict()
    return {"file": str(scored.file), "message": scored.message, **record, "tca": utc_datetime(record["tca"])}


def _score_row(scored: "Scored") -> list[object]:
    found = scored.score
    assert found is not None, "a message that could not be scored has no row"
    return [
        found.primary,
        found.secondary,
        f"{found.tca.astype('M8[s]')}Z",
        found.probability_level,
        _counts(found),
        f"{found.miss_distance_m:,.0f}",
        found.near_level,
        _in_brackets(found) or _number(found.probability_2d),
        _number(found.probability_3d),
        _number(found.claimed_probability),
        found.probability_flag,
        found.risk_level,
    ]


def _counts(found: "MessageScore") -> str:
    """Return the probability that counts with its method, as all lists write it."""
    from storage.rows.graded import graded
    from storage.rows.marks import NOT_COMPUTED

    counts = graded(found._asdict())
    return NOT_COMPUTED if counts.probability is None else counts.said(4)


def _in_brackets(found: "MessageScore") -> str:
    """Return the integral in brackets if flags make it invalid, else nothing."""
    unchecked = _number(found.probability_2d_unchecked)
    return f"({unchecked})" if unchecked and not _number(found.probability_2d) else ""


def _number(number: float) -> str:
    return "" if number != number else f"{number:.4g}"  # NaN differs from itself
