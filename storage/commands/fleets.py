"""The commands `fleets create`, `list`, `show`, `change` and `remove`."""

from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from screening.vocabulary import (
    LARGEST_RADIUS_M,
    MANOEUVRE_CLASSES,
    MAX_NORAD_ID,
    SMALLEST_RADIUS_M,
    range_text,
)
from storage.shell.options import JsonOption, OrganisationOption, StoreOption, store_folder
from storage.vocabulary import FLEET_HOURS_RANGE, SHADOW

# numpy and duckdb are imported where they are used, so that `--help` is quick.
if TYPE_CHECKING:
    from collections.abc import Iterable

    from storage.analyses.around_fleets.look import FleetLook
    from storage.fleets.managed import Catalogue, Held
    from storage.state.fleets import FleetObject

app = typer.Typer(
    no_args_is_help=True,
    help="Manage fleets: named sets of objects, with the volume around each and how far to look ahead.",
)

MADE_BY = "command line"
_RUNS_OWN = "run"

FleetArgument = Annotated[str, typer.Argument(metavar="FLEET", help="Its name or id.", show_default=False)]
NumberOption = Annotated[
    list[str] | None,
    typer.Option(
        "--norad-id",
        metavar="NUMBERS",
        help=f"Catalogue number of an object, 1 to {MAX_NORAD_ID}, or several with commas; repeatable.",
    ),
]
FileOption = Annotated[
    Path | None,
    typer.Option(
        "--from",
        metavar="FILE",
        help="Catalogue numbers, one per line or separated by commas, optionally followed by their own "
        "volume or hours "
        "(48h).",
    ),
]
FleetOwnerOption = Annotated[
    str | None,
    typer.Option(
        help="This owner's satellites in the newest run, by its abbreviation in GCAT (SES, IRIDS), as if "
        "each were given by number.",
        show_default=False,
    ),
]
ObjectVolumeOption = Annotated[
    list[str] | None,
    typer.Option(metavar="ID=VOLUME", help="An object with its own volume (25544=box:2x25x25); repeatable."),
]
PatternOption = Annotated[
    str | None,
    typer.Option(
        help="Also objects with these names, evaluated at each run: STARLINK-3*.", show_default=False
    ),
]
VolumeOption = Annotated[
    str | None,
    typer.Option(
        help="handbook, sphere:KM, box:RxTxN or ellipsoid:RxTxN: half-lengths in km, radial, in-track, "
        "cross-track. A new fleet has handbook.",
        show_default=False,
    ),
]
HoursOption = Annotated[
    str | None,
    typer.Option(
        help=f"How far to look ahead, {range_text(FLEET_HOURS_RANGE)} h; run: to the end of the run's "
        "window. A new fleet has run.",
        show_default=False,
    ),
]
RadiusOption = Annotated[
    str | None,
    typer.Option(
        help="Hard-body radius of its objects, for this fleet alone: shadow (of the mean shadow, as in "
        f"runs), bounding (of the sphere around an object, where published), or {SMALLEST_RADIUS_M:g} to "
        f"{LARGEST_RADIUS_M:g} m. A new fleet has shadow.",
        show_default=False,
    ),
]
ContactOption = Annotated[
    str | None,
    typer.Option(
        help="Contact for operators of the other object; shown in shared messages and reports.",
        show_default=False,
    ),
]
ClassOption = Annotated[
    str | None,
    typer.Option(
        help=f"How its objects avoid others, for who gives way: {', '.join(MANOEUVRE_CLASSES)}. A new "
        "fleet has unknown: as the service knows. Its organisation alone sees it.",
        show_default=False,
    ),
]


@app.command()
def create(
    name: Annotated[str, typer.Argument(help="A name for it.", show_default=False)],
    norad_id: NumberOption = None,
    file: FileOption = None,
    owner: FleetOwnerOption = None,
    object_volume: ObjectVolumeOption = None,
    name_pattern: PatternOption = None,
    volume: VolumeOption = None,
    hours: HoursOption = None,
    radius: RadiusOption = None,
    contact: ContactOption = None,
    manoeuvre_class: ClassOption = None,
    organisation: OrganisationOption = None,
    store: StoreOption = None,
    as_json: JsonOption = False,
) -> None:
    """Make a fleet. What comes into the volumes of its objects is searched now, and by every later run.

    Example: skysieve fleets create mine --norad-id 25544 --volume box:2x25x25 --hours 72
    """
    from storage.fleets.managed import make
    from storage.state.fleet_rules import NOT_SAID, checked_class
    from storage.state.fleets import NewFleet
    from storage.state.whose.organisations import organisation as whose

    folder = store_folder(store)
    new = NewFleet(
        name,
        _objects(folder, norad_id, file, object_volume, owner),
        name_pattern or "",
        volume or "handbook",
        None if hours is None else _hours_of(hours),
        contact or "",
        MADE_BY,
        radius=SHADOW if radius is None else radius,
        organisation_id=whose(folder, organisation).id,
        manoeuvre_class=NOT_SAID if manoeuvre_class is None else checked_class(manoeuvre_class),
    )
    held = make(folder, new, _catalogue(folder), datetime.now(UTC))
    _tell(held, "made", as_json=as_json)
    _search(held, folder)


@app.command("list")
def list_(store: StoreOption = None, as_json: JsonOption = False) -> None:
    """List the fleets of the store.

    Example: skysieve fleets list --json
    """
    from storage.fleets.managed import facts_of, hold_if_possible
    from storage.shell.fleet_words import fits_nothing, pattern_note
    from storage.shell.output import print_json, print_table
    from storage.state.fleets import fleets

    folder = store_folder(store)
    catalogue = _catalogue(folder)
    found = [hold_if_possible(one, catalogue) for one in fleets(folder)]
    facts = [facts_of(one) for one in found]
    if as_json:
        print_json(facts)
        return
    names = ("id", "name", "members", "volume", "hours", "name_pattern", "made_by", "created")
    columns = ("Id", "Name", "Objects now", "Volume", "Hours", "Pattern", "Made by", "Created")
    print_table(columns, [[getattr(one, name) for name in names] for one in facts])
    _note(f"fleet {one.fleet.name!r}: {pattern_note(one)}" for one in found if fits_nothing(one))


@app.command()
def show(wanted: FleetArgument, store: StoreOption = None, as_json: JsonOption = False) -> None:
    """Show a fleet, and its objects in the newest run.

    Example: skysieve fleets show mine
    """
    from storage.fleets.managed import facts_of, hold_if_possible
    from storage.reading.fleet_view import view_fleet
    from storage.shell.fleet_words import look_notes, notes_on
    from storage.shell.output import print_json, print_table
    from storage.state.fleets import fleet

    folder = store_folder(store)
    catalogue = _catalogue(folder)
    held = hold_if_possible(fleet(folder, wanted), catalogue)
    facts = asdict(facts_of(held))
    found = () if held.members is None else held.members.members
    if as_json:
        print_json({**facts, "satellites": [one._asdict() for one in found]})
        return
    print_table(("Fact", "Value"), [(name, value) for name, value in facts.items() if name != "objects"])
    typer.echo()
    if held.members is None:
        print_table(("Object", "Volume", "Hours"), held.fleet.objects)
    else:
        print_table(("Object", "Name", "Volume", "Hours"), found)
    if catalogue is not None:
        view = view_fleet(folder, wanted)
        _note([*notes_on(held), *look_notes(held, view.members, view.run_id)])


@app.command()
def change(
    wanted: FleetArgument,
    name: Annotated[str | None, typer.Option(help="A new name.", show_default=False)] = None,
    norad_id: NumberOption = None,
    file: FileOption = None,
    owner: FleetOwnerOption = None,
    object_volume: ObjectVolumeOption = None,
    without: Annotated[
        list[str] | None,
        typer.Option(metavar="NUMBERS", help="Take an object out, or several with commas; repeatable."),
    ] = None,
    name_pattern: PatternOption = None,
    volume: VolumeOption = None,
    hours: HoursOption = None,
    radius: RadiusOption = None,
    contact: ContactOption = None,
    manoeuvre_class: ClassOption = None,
    store: StoreOption = None,
    as_json: JsonOption = False,
) -> None:
    """Change a fleet: objects that are given come in, or get their own volume; the rest stays as it is.

    An object that is taken out and given at once forgets its own volume; an empty pattern or contact goes.

    Example: skysieve fleets change mine --norad-id 48274 --without 5 --hours run
    """
    from screening.errors import UsageError
    from storage.fleets.managed import Changes, alter
    from storage.fleets.written_numbers import numbers_of

    folder = store_folder(store)
    new = {"name": name, "name_pattern": name_pattern, "volume": volume, "radius": radius, "contact": contact}
    given = {**new, "manoeuvre_class": manoeuvre_class}
    fields: dict[str, object] = {field: value for field, value in given.items() if value is not None}
    if hours is not None:
        fields["hours"] = _hours_of(hours)
    taken_out = tuple(number for text in without or () for number in numbers_of(text, "--without"))
    changes = Changes(fields, _objects(folder, norad_id, file, object_volume, owner), taken_out)
    if not any(changes):
        raise UsageError(
            f"No change is given for the fleet {wanted!r}: give --name, --norad-id, --from, "
            "--owner, --object-volume, --without, --name-pattern, --volume, --hours, --radius, --contact "
            "or --manoeuvre-class."
        )
    held = alter(folder, wanted, changes.apply, _catalogue(folder))
    _tell(held, "changed", as_json=as_json)
    _search(held, folder)


@app.command()
def remove(wanted: FleetArgument, store: StoreOption = None) -> None:
    """Remove a fleet with its alerts and feeds; runs and their events stay.

    Example: skysieve fleets remove mine
    """
    from storage.shell.output import counted
    from storage.state.fleets import remove_fleet

    gone = remove_fleet(store_folder(store), wanted, datetime.now(UTC))
    waiting = f" ({counted(gone.cancelled, 'waiting message')})" if gone.cancelled else ""
    typer.echo(
        f"fleet {gone.fleet.id} {gone.fleet.name!r} is removed, and with it: "
        f"{counted(gone.alerts, 'alert')}{waiting}, {counted(gone.feeds, 'feed')}"
    )


def _objects(
    folder: Path,
    norad_ids: list[str] | None,
    file: Path | None,
    object_volumes: list[str] | None,
    owner: str | None,
) -> tuple["FleetObject", ...]:
    from storage.fleets.written_numbers import numbers_of, object_with_volume, read_objects
    from storage.reading.newest_run import objects_of_owner
    from storage.state.fleets import FleetObject

    own = [object_with_volume(text) for text in object_volumes or ()]
    named = {one.norad_id for one in own}
    given = [number for text in norad_ids or () for number in numbers_of(text, "--norad-id")]
    theirs = [] if owner is None else objects_of_owner(folder, owner, satellites=True)
    others = [FleetObject(number) for number in (*given, *theirs) if number not in named]
    return (*others, *own, *(read_objects(file.expanduser()) if file else ()))


def _hours_of(text: str) -> float | None:
    from screening.errors import UsageError

    if text.strip().lower() == _RUNS_OWN:
        return None
    try:
        return float(text)
    except ValueError as error:
        raise UsageError(
            f"--hours is {text[:60]!r}; expected {range_text(FLEET_HOURS_RANGE)}, or {_RUNS_OWN}."
        ) from error


def _catalogue(folder: Path) -> "Catalogue | None":
    from storage.fleets.managed import Catalogue
    from storage.reading.newest_run import object_names

    found = object_names(folder)
    return None if found is None else Catalogue(*found)


def _search(held: "Held", folder: Path) -> None:
    """Look around a fleet that has been saved in the newest run, if there is one."""
    if held.members is None:
        return
    from screening.errors import SkysieveError
    from storage.machine.kernel_folder import kernels_below
    from storage.settings import StoreSettings, load_settings

    settings = load_settings(StoreSettings, store=folder)
    kernels_below(settings.kernel_cache)
    from storage.analyses.around_fleets.look import look_around_saved
    from storage.analyses.around_fleets.wanted import OfRun, stored_run
    from storage.in_memory.arrays import element_sets
    from storage.in_memory.snapshot import newest_snapshot
    from storage.trajectories.flown import ephemerides_of_run

    def newest() -> OfRun:
        snapshot = newest_snapshot(folder)
        elements = element_sets(snapshot)
        return stored_run(snapshot.run, elements, ephemerides_of_run(folder, snapshot.run, elements))

    typer.echo("searching now (Ctrl-C leaves it to the next run)", err=True)
    try:
        looked = look_around_saved(folder, held.fleet.id, newest, settings.max_events)
    except SkysieveError as error:
        _note([f"{error} The fleet is saved; the next run searches it."])
    else:
        typer.echo(_searched(looked) if looked else "the newest run has already searched it", err=True)


def _searched(look: "FleetLook") -> str:
    from storage.shell.output import counted

    missed = f"; not all: {look.problems[0]}" if look.problems else ""
    return (
        f"searched: {counted(look.events, 'event')} in the volumes around {counted(look.objects, 'object')}"
        f"{missed}"
    )


def _tell(held: "Held", what: str, *, as_json: bool) -> None:
    from storage.fleets.managed import facts_of
    from storage.shell.fleet_words import made_line, notes_on
    from storage.shell.output import print_json

    if as_json:
        print_json(facts_of(held))
        return
    typer.echo(made_line(held, what))
    _note(notes_on(held))


def _note(notes: "Iterable[str]") -> None:
    for note in notes:
        typer.echo(f"note: {note}", err=True)
