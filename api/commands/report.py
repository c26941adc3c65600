"""The command `skysieve report`: pictures and numbers of stored events, in a file to share."""

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from screening.vocabulary import ProbabilityLevel, RiskLevel
from storage.shell.options import RestrictedOption, SeenFromOption, StoreOption

# numpy, matplotlib and the store take longer to import than `--help` may.
if TYPE_CHECKING:
    from api.report.contents import Report
    from api.report.digest import Digest
    from api.settings import ApiSettings
    from storage.in_memory.snapshot import Snapshot

app = typer.Typer()

EVENT_SUFFIXES = (".html", ".png", ".pdf")
DIGEST_SUFFIXES = (".html", ".pdf")


@app.command()
def report(
    output: Annotated[
        Path,
        typer.Option(metavar="FILE", help="The file to write, replacing it: .html, .pdf; one event: .png."),
    ],
    event_id: Annotated[
        int | None, typer.Argument(metavar="[EVENT_ID]", help="An event, as `skysieve events` shows it.")
    ] = None,
    risk: Annotated[
        RiskLevel | None,
        typer.Option(
            help="Instead of one event: a digest of the events of this level, by probability or distance."
        ),
    ] = None,
    level: Annotated[
        ProbabilityLevel | None,
        typer.Option(
            help="Instead of one event: a digest of the events of this level by their probability alone."
        ),
    ] = None,
    fleet: Annotated[
        str | None,
        typer.Option(
            metavar="NAME", help="Instead of one event: a digest of a fleet's events, by its name or id."
        ),
    ] = None,
    limit: Annotated[
        int, typer.Option(min=1, max=1000, help="Maximum number of events in a digest, most dangerous first.")
    ] = 20,
    seen_from: SeenFromOption = None,
    allow_restricted: RestrictedOption = False,
    store: StoreOption = None,
) -> None:
    """Write pictures and numbers of an event, or a digest of many, to a file to share.

    Encounter plane, distance over time, probability over errors and radius, history over runs, and every
    number explained. A digest lists its events, most dangerous first, then shows each on half a page.
    """
    from api.settings import ApiSettings
    from screening.errors import UsageError
    from screening.kernel_files import keep_kernels_in
    from storage.settings import load_settings

    if [event_id, risk, level, fleet].count(None) != 3:
        raise UsageError(
            "Expected one of EVENT_ID, --level LEVEL, --risk LEVEL and --fleet NAME: `skysieve events` lists "
            "events, `skysieve fleets list` fleets."
        )
    target = checked_target(output, DIGEST_SUFFIXES if event_id is None else EVENT_SUFFIXES)
    settings = load_settings(ApiSettings, store=store)
    keep_kernels_in(settings.kernel_cache)
    if event_id is None:
        _write_digest(target, risk, level, fleet, limit, settings)
    else:
        _write_event(target, event_id, settings, restricted=allow_restricted, seen_from=seen_from)
    typer.echo(f"{target} ({target.stat().st_size / 1e6:.1f} MB)")


def checked_target(output: Path, suffixes: tuple[str, ...]) -> Path:
    """Return the absolute path of a file to write.

    Raises UsageError if it has another suffix, or its folder does not exist.
    """
    from screening.errors import UsageError

    target = output.expanduser().absolute()
    if target.suffix not in suffixes:
        raise UsageError(f"{target} ends in {target.suffix!r}; expected one of {', '.join(suffixes)}.")
    if not target.parent.is_dir():
        raise UsageError(f"The folder {target.parent} does not exist: create it, or name another.")
    return target


def _write_event(
    target: Path, event_id: int, settings: "ApiSettings", *, restricted: bool, seen_from: int | None
) -> None:
    from rich.console import Console

    from api.errors import NotFound
    from api.report.contents import report_on
    from api.report.write import write_event_report
    from screening.errors import InputError

    with Console(stderr=True).status("Drawing"):
        try:
            snapshot, now = _snapshot(settings), datetime.now(UTC)
            found = report_on(snapshot, event_id, settings, now, restricted=restricted, seen_from=seen_from)
        except NotFound as error:
            raise InputError(
                f"There is no event {event_id} in {settings.store}, or it is restricted (use "
                "--allow-restricted). "
                "`skysieve events` lists the stored events."
            ) from error
        write_event_report(found, target)


def _write_digest(
    target: Path,
    risk: str | None,
    level: str | None,
    fleet: str | None,
    limit: int,
    settings: "ApiSettings",
) -> None:
    from api.report.digest import digest_of
    from api.report.fleet_digest import fleet_digest_of
    from api.report.write import write_digest_report
    from storage.state.fleets import fleet as fleet_named
    from storage.verification.record import verification

    watched = None if fleet is None else fleet_named(settings.store, fleet)
    snapshot, now = _snapshot(settings), datetime.now(UTC)
    if watched is not None:
        digest = fleet_digest_of(snapshot, watched, limit, settings, now)
    else:
        rated = risk or level
        assert rated is not None
        digest = digest_of(snapshot, rated, limit, settings, now, "risk" if risk else "probability")
    digest = digest._replace(forecasts=verification(settings.store))
    write_digest_report(digest, _reports(snapshot, digest, settings), target)


def _reports(snapshot: "Snapshot", digest: "Digest", settings: "ApiSettings") -> Iterator["Report"]:
    """Gather the events of a digest, with a progress bar on a terminal."""
    from rich.console import Console
    from rich.progress import track

    from api.report.digest import reports_of
    from storage.messages.kept import received

    console, made = Console(stderr=True), reports_of(digest, snapshot, settings, received(settings.store))
    events, quiet = len(digest.events), not console.is_terminal
    yield from track(made, "Drawing", events, console=console, transient=True, disable=quiet)


def _snapshot(settings: "ApiSettings") -> "Snapshot":
    from screening.errors import StoreError
    from storage.in_memory.snapshot import Snapshot

    snapshot = Snapshot.load(settings.store)
    if snapshot is None:
        raise StoreError(f"A run is just being published in {settings.store}: try again in a second.")
    return snapshot
