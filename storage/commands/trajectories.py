"""The commands `trajectories add`, `check`, `list`, `show`, `scorecard`, `remove` and `export`."""

from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from screening.vocabulary import MAX_NORAD_ID
from storage.shell.options import (
    FrameOption,
    JsonOption,
    OrganisationOption,
    OutputOption,
    RestrictedOption,
    StoreOption,
    store_folder,
    use_kernels,
)
from storage.vocabulary import OemPathForm

if TYPE_CHECKING:
    from storage.trajectories.trajectory_file import TrajectoryCheck

# numpy is imported where it is used, so that `--help` is quick.

app = typer.Typer(
    no_args_is_help=True,
    help="Manage operators' ephemerides: paths that replace element sets, or hypothetical ones for analyses "
    "only.",
)

IdArgument = Annotated[str, typer.Argument(metavar="ID", help="Id of the trajectory, or its first digits.")]
_COLUMNS = ("Id", "Kind", "Object", "Name", "From", "To", "Departs", "By", "Source")
_FILES = ("Id", "Source", "Added", "From", "To", "Age (h)", "Overlap (h)", "Largest (m)")
_PROVIDERS = ("Provider", "Objects", "Files", "Median age (h)", "Outages", "Hours")
_LEADS = ("From (h)", "To (h)", "Compared", "R (m)", "T (m)", "N (m)", "Chi square", "Within 95 %")
_OUTAGES = ("No states from", "To", "Hours")
COMMAND_LINE = "command line"


@app.command()
def add(
    file: Annotated[
        Path,
        typer.Argument(
            metavar="FILE",
            help="OEM or OCM (KVN or XML), Starlink's text, SP3-c or SP3-d; optionally compressed with gzip.",
            show_default=False,
        ),
    ],
    norad_id: Annotated[
        int | None,
        typer.Option(min=1, max=MAX_NORAD_ID, help="Catalogue number of the object.", show_default=False),
    ] = None,
    name: Annotated[
        str,
        typer.Option(help="Name of the object, or the trajectory to take from the file.", show_default=False),
    ] = "",
    sigma_rtn_m: Annotated[
        tuple[float, float, float] | None,
        typer.Option(
            metavar="R T N",
            min=0.0,
            help="1-sigma errors in m, radial, in-track and cross-track, of a file without covariances.",
            show_default=False,
        ),
    ] = None,
    kind: Annotated[
        str,
        typer.Option(
            metavar="KIND",
            help="definitive: the actual path, also in runs; hypothetical: for analyses only.",
        ),
    ] = "definitive",
    force: Annotated[
        bool, typer.Option("--force", help="Keep it even if it does not match the object's element set.")
    ] = False,
    organisation: OrganisationOption = None,
    store: StoreOption = None,
    as_json: JsonOption = False,
) -> None:
    """Read a trajectory, check it, and keep it.

    Example: skysieve trajectories add ISS.OEM_J2K_EPH.xml --norad-id 25544
    """
    from screening.errors import UsageError
    from storage.reading.newest_objects import NewestRun
    from storage.shell.output import print_json
    from storage.state.whose.organisations import organisation as whose
    from storage.trajectories.facts import shown_facts
    from storage.trajectories.incoming import Named, read_file, take
    from storage.trajectories.kept import facts_of
    from storage.trajectories.trajectory_file import KINDS

    if kind not in KINDS:
        raise UsageError(f"--kind is {kind!r}; expected {' or '.join(KINDS)}.")
    path = file.expanduser()
    (chosen,) = [one for one in KINDS if one == kind]
    added = datetime.now(UTC)
    folder = store_folder(store)
    of = whose(folder, organisation).id
    named = Named(norad_id or 0, name, sigma_rtn_m, COMMAND_LINE, force, of)
    taken = take(folder, read_file(path), path.name, chosen, named, added, NewestRun(folder))
    one = facts_of(folder, taken.id)
    facts = shown_facts(one)
    if as_json:
        print_json(facts)
        return
    for note in one.about.notes:
        typer.echo(f"note: {note}", err=True)
    typer.echo(
        f"{one.id}: {one.about.kind}, {one.norad_id} {one.name}, "
        f"{facts.usable_from} to {facts.usable_to}, {facts.states:,} states, "
        f"{facts.covariances:,} covariances{_beside(one.about.check)}"
    )


def _beside(check: "TrajectoryCheck | None") -> str:
    """Say how far a path begins from its object's element set, and since when it is another path."""
    if check is None:
        return ""
    begin = check.distances[0]
    since = f", on another path since {check.departs_at}" if check.departs_at else ""
    return f", {begin.km:,.1f} km ({begin.sigmas:.1f} sigma) from its element set at {begin.at}{since}"


@app.command()
def check(
    file: Annotated[
        Path,
        typer.Argument(metavar="FILE", help="As `trajectories add` takes.", show_default=False),
    ],
    norad_id: Annotated[
        int | None,
        typer.Option(min=1, max=MAX_NORAD_ID, help="Catalogue number of the object.", show_default=False),
    ] = None,
    name: Annotated[str, typer.Option(help="The trajectory to take from the file.", show_default=False)] = "",
    rules: Annotated[
        str,
        typer.Option(metavar="NAME", help="The set of rules: skysieve, nasa, sds, tracss or spacex."),
    ] = "skysieve",
    store: StoreOption = None,
    as_json: JsonOption = False,
) -> None:
    """Check an ephemeris and keep nothing: exit code 1 if it has an error.

    Example: skysieve trajectories check operator.oem --rules nasa
    """
    from screening.errors import UsageError
    from screening.vocabulary import RULE_SETS
    from storage.reading.newest_objects import NewestRun
    from storage.shell.output import print_json
    from storage.trajectories.incoming import Named, check_file, read_file
    from storage.trajectories.report import finding_words

    if rules not in RULE_SETS:
        raise UsageError(f"--rules is {rules!r}; expected {', '.join(RULE_SETS)}.")
    (chosen,) = [one for one in RULE_SETS if one == rules]
    path = file.expanduser()
    named = Named(norad_id or 0, name)
    done = check_file(read_file(path), path.name, named, NewestRun(store_folder(store)), chosen)
    if as_json:
        print_json(done)
    else:
        for one in done.report.findings:
            typer.echo(f"{finding_words(one)}{f' [{one.source}]' if one.source else ''}")
        counts = f"{done.report.errors} errors, {done.report.warnings} warnings by {rules}"
        typer.echo(f"{path.name}: {counts}{_beside(done.check)}")
    if done.report.errors:
        raise typer.Exit(1)


@app.command("list")
def list_(store: StoreOption = None, as_json: JsonOption = False) -> None:
    """List the trajectories of the store.

    Example: skysieve trajectories list --json
    """
    from storage.shell.output import print_json, print_table
    from storage.trajectories.facts import shown_facts
    from storage.trajectories.kept import trajectories

    facts = [shown_facts(one) for one in trajectories(store_folder(store))]
    facts.sort(key=lambda one: (one.norad_id, one.usable_from, one.id))
    if as_json:
        print_json(facts)
        return
    names = ("id", "kind", "norad_id", "name", "usable_from", "usable_to")
    rows = []
    for one in facts:
        departs_at = None if one.check is None else one.check.departs_at
        rows.append([*(getattr(one, name) for name in names), departs_at, one.added_by, one.source])
    print_table(_COLUMNS, rows)


@app.command()
def show(wanted: IdArgument, store: StoreOption = None, as_json: JsonOption = False) -> None:
    """Show the facts about a trajectory.

    Example: skysieve trajectories show 3f2a
    """
    from storage.shell.output import print_json, print_table
    from storage.trajectories.facts import shown_facts
    from storage.trajectories.kept import facts_of

    facts = shown_facts(facts_of(store_folder(store), wanted))
    if as_json:
        print_json(facts)
    else:
        print_table(("Fact", "Value"), asdict(facts).items())


@app.command()
def scorecard(
    norad_id: Annotated[
        int | None,
        typer.Argument(
            metavar="[NORAD_ID]", min=1, max=MAX_NORAD_ID, help="Catalogue number; without: by provider."
        ),
    ] = None,
    store: StoreOption = None,
    as_json: JsonOption = False,
) -> None:
    """Show how the files of one object, or of each provider, did over time: each against the next.

    Example: skysieve trajectories scorecard 25544
    """
    from storage.shell.output import print_json, print_table
    from storage.trajectories.scorecard import scorecard as scored
    from storage.trajectories.scorecard import scorecard_by_provider

    if norad_id is None:
        found = scorecard_by_provider(store_folder(store))
        if as_json:
            print_json(found)
            return
        print_table(_PROVIDERS, [list(asdict(one).values())[:-1] for one in found])
        leads = [[one.provider, *asdict(lead).values()] for one in found for lead in one.by_lead]
        print_table(("Provider", *_LEADS), leads)
        return
    card = scored(store_folder(store), norad_id)
    if as_json:
        print_json(card)
        return
    for columns, rows in ((_FILES, card.files), (_LEADS, card.by_lead), (_OUTAGES, card.outages)):
        print_table(columns, [list(asdict(one).values()) for one in rows])


@app.command()
def remove(wanted: IdArgument, store: StoreOption = None) -> None:
    """Remove a trajectory; the runs and analyses that it was in stay as they are.

    Example: skysieve trajectories remove 3f2a
    """
    from storage.trajectories.kept import remove_trajectory

    typer.echo(f"{remove_trajectory(store_folder(store), wanted)} is removed")


@app.command()
def export(
    wanted: IdArgument,
    form: Annotated[
        OemPathForm, typer.Option("--format", help="An orbit ephemeris message as KVN or XML.")
    ] = "oem-kvn",
    frame: FrameOption = "EME2000",
    output: OutputOption = None,
    allow_restricted: RestrictedOption = False,
    store: StoreOption = None,
) -> None:
    """Write a trajectory as an orbit ephemeris message (OEM 3.0), with its covariances, to share.

    Example: skysieve trajectories export 3f2a --format oem-xml --output iss.xml
    """
    from storage.settings import StoreSettings, load_settings
    from storage.shell.written_text import checked_output, write_out
    from storage.trajectories.export import export_trajectory
    from storage.trajectories.kept import trajectory

    target = checked_output(output)
    settings = load_settings(StoreSettings, store=store)
    use_kernels(settings.kernel_cache)
    one = trajectory(settings.store, wanted)
    text = export_trajectory(one, form, frame, datetime.now(UTC), allow_restricted=allow_restricted)
    write_out(text, target)
