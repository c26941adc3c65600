"""Options of the commands that search a catalogue. Imports nothing slow, since `--help` needs them."""

from pathlib import Path
from typing import Annotated

import typer

from screening.vocabulary import (
    DEFAULT_LOOK_AHEAD_HOURS,
    DEFAULT_THRESHOLD_KM,
    LOOK_AHEAD_RANGE_HOURS,
    THRESHOLD_RANGE_KM,
    range_text,
)

_CATALOGUE_HELP = "File with element sets: OMM (CSV, JSON, XML, KVN) or TLE."
CatalogueArgument = Annotated[Path, typer.Argument(help=_CATALOGUE_HELP, show_default=False)]
OptionalCatalogueArgument = Annotated[
    Path | None, typer.Argument(help=f"{_CATALOGUE_HELP} None with --as-of.", show_default=False)
]
HoursOption = Annotated[
    float | None,
    typer.Option(
        help=f"Length of the window, {range_text(LOOK_AHEAD_RANGE_HOURS)}. "
        f"Default: SKYSIEVE_LOOK_AHEAD_HOURS or {DEFAULT_LOOK_AHEAD_HOURS:g}."
    ),
]
ThresholdOption = Annotated[
    float | None,
    typer.Option(
        help=f"Events closer than this are kept, {range_text(THRESHOLD_RANGE_KM)}. "
        f"Default: SKYSIEVE_THRESHOLD_KM or {DEFAULT_THRESHOLD_KM:g}."
    ),
]


def check_chosen(hours: float | None, threshold_km: float | None) -> None:
    """Refuse, before anything is read, a window or a threshold that no search takes; None is the default."""
    from screening.search.request import check_request

    check_request(
        DEFAULT_LOOK_AHEAD_HOURS if hours is None else hours,
        DEFAULT_THRESHOLD_KM if threshold_km is None else threshold_km,
    )
