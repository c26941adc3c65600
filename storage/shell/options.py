"""Options that commands share. Imports nothing slow, since `--help` needs them."""

from datetime import datetime
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from screening.errors import UsageError
from screening.vocabulary import MAX_NORAD_ID, MOST_BURNS, PROBABILITY_LEVELS, RISK_LEVELS
from storage.times import parse_time
from storage.vocabulary import PathFrame

COMPILING = "compiling the search, once (about 20 s); later runs start at once"
# Typer accepts a Literal, but not a list of one; mypy an Enum, but only with its names written out.
_enum_of: Any = StrEnum
ListedRiskLevel: Any = _enum_of("ListedRiskLevel", {level.upper(): level for level in RISK_LEVELS})
ListedProbabilityLevel: Any = _enum_of(
    "ListedProbabilityLevel", {level.upper(): level for level in PROBABILITY_LEVELS}
)
JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON.")]

ObjectArgument = Annotated[
    int, typer.Argument(metavar="ID", min=1, max=MAX_NORAD_ID, help="Catalogue number.", show_default=False)
]
OwnerOption = Annotated[
    str | None,
    typer.Option(
        help="This owner's objects, by its abbreviation in GCAT (SES, IRIDS), in any case.",
        show_default=False,
    ),
]
FrameOption = Annotated[PathFrame, typer.Option(help="Frame of the states; ITRF turns with the Earth.")]
OutputOption = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help="The file to write, replacing it.  [default: standard output]"),
]
RestrictedOption = Annotated[
    bool,
    typer.Option("--allow-restricted", help="Also from files that must not be shared: for your own use."),
]
SeenFromOption = Annotated[
    int | None,
    typer.Option(
        "--from",
        min=1,
        max=MAX_NORAD_ID,
        metavar="NORAD_ID",
        help="For one event: the object from which it is seen.  [default: the smaller number]",
    ),
]


def _refuse_newer(store: Path | None) -> Path | None:
    from storage.disk.current import refuse_newer

    refuse_newer(store_folder(store))
    return store


StoreOption = Annotated[
    Path | None,
    typer.Option(
        "--store",
        metavar="DIR",
        callback=_refuse_newer,
        help="Folder of the store.  [default: SKYSIEVE_STORE or ./skysieve-store]",
    ),
]

OrganisationOption = Annotated[
    str | None,
    typer.Option(
        metavar="NAME", help="The organisation it belongs to.  [default: the only one]", show_default=False
    ),
]


def store_folder(store: Path | None) -> Path:
    """Return the store's absolute path, from the command line or else from the settings."""
    if store is not None:
        return store.expanduser().resolve()
    from storage.settings import StoreSettings, load_settings

    return load_settings(StoreSettings).store


def instant_of(text: str, option: str) -> datetime:
    """Read the ISO 8601 instant of an option, UTC; without a zone it is UTC."""
    try:
        return parse_time(text)
    except ValueError as error:
        raise UsageError(
            f"{option} {text!r} is not a time; expected ISO 8601 such as 2026-11-21T06:00:00Z."
        ) from error


def check_burns(given: int) -> None:
    """Raise UsageError if `--burn` is given too often."""
    if given > MOST_BURNS:
        raise UsageError(f"--burn is given {given} times; at most {MOST_BURNS} are allowed.")


def use_kernels(kernel_cache: Path) -> None:
    """Keep compiled kernels in a folder, and say so if they have yet to be compiled."""
    from storage.machine.kernel_folder import kernels_below

    if not kernels_below(kernel_cache).exists():
        typer.echo(COMPILING, err=True)
