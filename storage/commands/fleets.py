"""The commands `fleets create`, `list`, `show`, `change` and `remove`."""

from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from screening.vocabulary import MAX_NORAD_ID, range_text
from storage.shell.options import JsonOption, StoreOption, store_folder
from storage.vocabulary import FLEET_HOURS_RANGE

# numpy and duckdb are imported where they are used, so that `--help` is quick.
if TYPE_CHECKING:
    from storage.fleets.managed import Catalogue, Held
    from storage.state.fleets import FleetObject

app = typer.Typer(
    no_args_is_help=True,
    help="Keep fleets: named sets of objects, the volume around each that counts, and how far to look ahead.",
)

MADE_BY = "command line"
_RUNS_OWN = "run"
_SHOWN_UNKNOWN = 10

FleetArgument = Annotated[str, typer.Argument(metavar="FLEET", help="Its name or id.", show_default=False)]
NumberOption = Annotated[
    list[int] | None,
    typer.Option("--norad-id", min=1, max=MAX_NORAD_ID, help="Catalogue number of an object; repeatable."),
]
FileOption = Annotated[
    Path | None,
    typer.Option(
        "--from",
        metavar="FILE",
        help="Catalogue numbers, one a line or with commas; behind them their own volume or hours (48h).",
    ),
]
ObjectVolumeOption = Annotated[
    list[str] | None,
    typer.Option(
        metavar="ID=VOLUME", help="An object with a volume of its own (25544=box:2x25x25); repeatable."
    ),
]
PatternOption = Annotated[
    str | None,
    typer.Option(help="Objects of these names too, looked up at each run: STARLINK-3*.", show_default=False),
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
        help=f"How far to look ahead, {range_text(FLEET_HOURS_RANGE)} h; run: as far as the run. "
        "A new fleet has run.",
        show_default=False,
    ),
]
ContactOption = Annotated[
    str | None,
    typer.Option(
        help="Whom operators of the other object may ask; shown in messages and reports that are handed on.",
        show_default=False,
    ),
]


@app.command()
def create(
    name: Annotated[str, typer.Argument(help="A name for it.", show_default=False)],
    norad_id: NumberOption = None,
    file: FileOption = None,
    object_volume: ObjectVolumeOption = None,
    name_pattern: PatternOption = None,
    volume: VolumeOption = None,
    hours: HoursOption = None,
    contact: ContactOption = None,
    store: StoreOption = None,
    as_json: JsonOption = False,
) -> None:
    """Make a fleet; every run from the next on looks for what comes into the volumes of its objects.

    Example: skysieve fleets create mine --norad-id 25544 --volume box:2x25x25 --hours 72
    """
    from storage.fleets.managed import make
    from storage.state.fleets import NewFleet

    folder = store_folder(store)
    new = NewFleet(
        name,
        _objects(norad_id, file, object_volume),
        name_pattern or "",
        volume or "handbook",
        None if hours is None else _hours_of(hours),
        contact or "",
        MADE_BY,
    )
    _tell(make(folder, new, _catalogue(folder), datetime.now(UTC)), "made", as_json=as_json)


@app.command("list")
def list_(store: StoreOption = None, as_json: JsonOption = False) -> None:
    """List the fleets of the store.

    Example: skysieve fleets list --json
    """
    from storage.fleets.managed import hold_if_possible, record_of
    from storage.shell.output import print_json, print_table
    from storage.state.fleets import fleets

    folder = store_folder(store)
    catalogue = _catalogue(folder)
    records = [record_of(hold_if_possible(one, catalogue)) for one in fleets(folder)]
    if as_json:
        print_json(records)
        return
    names = ("id", "name", "members", "volume", "hours", "name_pattern", "made_by", "created")
    columns = ("Id", "Name", "Objects now", "Volume", "Hours", "Pattern", "Made by", "Created")
    print_table(columns, [[one[name] for name in names] for one in records])


@app.command()
def show(wanted: FleetArgument, store: StoreOption = None, as_json: JsonOption = False) -> None:
    """Show a fleet, and its objects in the newest run.

    Example: skysieve fleets show mine
    """
    from storage.fleets.managed import hold_if_possible, record_of
    from storage.shell.output import print_json, print_table
    from storage.state.fleets import fleet

    folder = store_folder(store)
    held = hold_if_possible(fleet(folder, wanted), _catalogue(folder))
    record = record_of(held)
    found = () if held.members is None else held.members.members
    if as_json:
        print_json({**record, "satellites": [one._asdict() for one in found]})
        return
    print_table(("Fact", "Value"), [(name, value) for name, value in record.items() if name != "objects"])
    typer.echo()
    if held.members is None:
        print_table(("Object", "Volume", "Hours"), held.fleet.objects)
    else:
        print_table(("Object", "Name", "Volume", "Hours"), found)


@app.command()
def change(
    wanted: FleetArgument,
    name: Annotated[str | None, typer.Option(help="A new name.", show_default=False)] = None,
    norad_id: NumberOption = None,
    file: FileOption = None,
    object_volume: ObjectVolumeOption = None,
    without: Annotated[
        list[int] | None, typer.Option(metavar="ID", help="Take an object out; repeatable.")
    ] = None,
    name_pattern: PatternOption = None,
    volume: VolumeOption = None,
    hours: HoursOption = None,
    contact: ContactOption = None,
    store: StoreOption = None,
    as_json: JsonOption = False,
) -> None:
    """Change a fleet: objects that are given come in, or get their own volume; the rest stays as it is.

    An object that is taken out and given at once forgets its own volume; an empty pattern or contact goes.

    Example: skysieve fleets change mine --norad-id 48274 --without 5 --hours run
    """
    from storage.fleets.managed import Changes, alter

    folder = store_folder(store)
    given = {"name": name, "name_pattern": name_pattern, "volume": volume, "contact": contact}
    fields: dict[str, object] = {field: value for field, value in given.items() if value is not None}
    if hours is not None:
        fields["hours"] = _hours_of(hours)
    changes = Changes(fields, _objects(norad_id, file, object_volume), tuple(without or ()))
    _tell(alter(folder, wanted, changes.apply, _catalogue(folder)), "changed", as_json=as_json)


@app.command()
def remove(wanted: FleetArgument, store: StoreOption = None) -> None:
    """Remove a fleet with its alerts and feeds; runs and their events stay.

    Example: skysieve fleets remove mine
    """
    from storage.state.fleets import remove_fleet

    gone = remove_fleet(store_folder(store), wanted, datetime.now(UTC))
    typer.echo(
        f"fleet {gone.fleet.id} {gone.fleet.name!r} is removed, and with it: {gone.alerts:,} alerts "
        f"({gone.cancelled:,} messages were waiting), {gone.feeds:,} feeds"
    )


def _objects(
    norad_ids: list[int] | None, file: Path | None, object_volumes: list[str] | None
) -> tuple["FleetObject", ...]:
    from storage.fleets.written_numbers import object_with_volume, read_objects
    from storage.state.fleets import FleetObject

    own = [object_with_volume(text) for text in object_volumes or ()]
    named = {one.norad_id for one in own}
    others = [FleetObject(number) for number in norad_ids or () if number not in named]
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


def _tell(held: "Held", what: str, *, as_json: bool) -> None:
    from storage.fleets.managed import record_of
    from storage.shell.output import print_json

    if as_json:
        print_json(record_of(held))
        return
    fleet, found = held
    size = "no run yet" if found is None else f"{len(found.members):,} objects in the newest run"
    typer.echo(f"fleet {fleet.id} {fleet.name!r} is {what}: {size}, volume {fleet.volume}")
    if found and found.unknown:
        shown = ", ".join(map(str, found.unknown[:_SHOWN_UNKNOWN]))
        more = len(found.unknown) - _SHOWN_UNKNOWN
        more_text = f" and {more:,} more" if more > 0 else ""
        typer.echo(f"note: not in the newest run: {shown}{more_text}", err=True)
    if found and fleet.name_pattern and not found.members:
        typer.echo(f"note: the pattern {fleet.name_pattern!r} fits no object of the newest run", err=True)
