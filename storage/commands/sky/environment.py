"""The command `environment`."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from screening.vocabulary import EnvironmentKind
from storage.shell.options import JsonOption, StoreOption, store_folder

# numpy and pyarrow are imported where they are used, so that `--help` is quick.

app = typer.Typer()
_DIGITS = 4


@app.command("environment")
def environment(
    by: Annotated[EnvironmentKind, typer.Option("--by", help="What to count by.")] = "shell",
    run: Annotated[
        str | None,
        typer.Option(metavar="RUN", help="Of this run, which may have expired.", show_default=False),
    ] = None,
    series: Annotated[bool, typer.Option("--series", help="All shells together, of every run.")] = False,
    fleet: Annotated[
        str | None,
        typer.Option(
            metavar="FLEET", help="Who causes the work of this fleet: its name or id.", show_default=False
        ),
    ] = None,
    owner: Annotated[
        str | None,
        typer.Option(
            metavar="OWNER", help="Likewise of an owner, by its abbreviation in GCAT.", show_default=False
        ),
    ] = None,
    limit: Annotated[int, typer.Option(min=1, help="Most groups to list.")] = 30,
    store: StoreOption = None,
    as_json: JsonOption = False,
) -> None:
    """Show how crowded the sky is: fast approaches a day, expected collisions and fragments a year.

    Approaches within one constellation, which its operator screens, stand apart. Expected collisions are sums
    of the probabilities of stored events; beside them what random nodes and phases would give.

    Examples: skysieve environment; skysieve environment --by constellation;
    skysieve environment --fleet mine
    """
    from screening.errors import UsageError
    from storage.reading.newest_run import current
    from storage.shell.output import print_json_rows, print_table
    from storage.sky import crowding

    if sum((run is not None, series, fleet is not None, owner is not None)) > 1:
        raise UsageError("--run, --series, --fleet and --owner cannot be combined.")
    folder = store_folder(store)
    columns: Sequence[str] = crowding.COLUMNS
    if series:
        columns, rows = crowding.SERIES_COLUMNS, crowding.series(folder)
    elif fleet is not None or owner is not None:
        columns, rows = _workload(folder, fleet, owner, limit)
    else:
        wanted = run or current(folder).run_id
        rows = crowding.rows_of_run(folder, wanted, by, limit)
        if not rows:
            raise UsageError(f"The run {wanted} has not counted approaches; --series lists those that have.")
    if as_json:
        print_json_rows(columns, rows)
        return
    some = [place for place in range(len(columns)) if any(row[place] is not None for row in rows)]
    print_table([columns[i] for i in some], [[_short(row[i]) for i in some] for row in rows])


def _short(value: object) -> object:
    """Return a number with few digits."""
    return float(f"{value:.{_DIGITS}g}") if isinstance(value, float) else value


def _workload(
    folder: Path, fleet: str | None, owner: str | None, limit: int
) -> tuple[Sequence[str], list[tuple[object, ...]]]:
    """Return with whom the objects of a fleet or an owner have approaches, in the newest run."""
    from storage.fleets.members import members_of
    from storage.reading.newest_run import connect, current, object_names, objects_of_owner
    from storage.sky.crowding import WORKLOAD_COLUMNS, workload
    from storage.state.fleets import fleet as stored_fleet

    if fleet is not None:
        found = members_of(stored_fleet(folder, fleet), *(object_names(folder) or ((), ())))
        numbers = [one.norad_id for one in found.members]
    else:
        numbers = objects_of_owner(folder, owner or "")
    with connect(folder) as connection:
        shares = workload(
            folder,
            lambda query, values: connection.execute(query, values).fetchall(),
            current(folder).run_id,
            numbers,
        )
    return WORKLOAD_COLUMNS, [tuple(one) for one in shares[:limit]]
