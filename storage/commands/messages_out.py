"""The command `cdm`: stored events as conjunction data messages."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from screening.errors import InputError, UsageError
from screening.vocabulary import MAX_NORAD_ID, ClaimMethod, MessageForm, MessageFrame
from storage.shell.options import (
    ListedProbabilityLevel,
    ListedRiskLevel,
    SeenFromOption,
    StoreOption,
    store_folder,
)

# The store is imported where it is used, so that `--help` is quick.
if TYPE_CHECKING:
    from storage.in_memory.event_table import EventQuery
    from storage.in_memory.messages import Wanted
    from storage.in_memory.snapshot import Snapshot

app = typer.Typer()


@app.command()
def cdm(
    event_id: Annotated[
        int | None, typer.Argument(metavar="[EVENT_ID]", help="An event, as `skysieve events` shows it.")
    ] = None,
    form: Annotated[MessageForm, typer.Option("--format", help="Form of the messages.")] = "kvn",
    frame: Annotated[MessageFrame, typer.Option(help="Frame of the states.")] = "EME2000",
    method: Annotated[
        ClaimMethod, typer.Option(help="Which probability to state; omitted for an event without it.")
    ] = "best",
    seen_from: SeenFromOption = None,
    output: Annotated[
        Path | None,
        typer.Option(
            metavar="PATH",
            help="The file to write, replacing it; for many events a new folder, or a file that ends in "
            ".zip.  [default: standard output]",
            show_default=False,
        ),
    ] = None,
    risk: Annotated[
        list[ListedRiskLevel] | None,
        typer.Option(
            help="Instead of one event: those of this level, by probability or distance; repeatable."
        ),
    ] = None,
    level: Annotated[
        list[ListedProbabilityLevel] | None,
        typer.Option(
            help="Instead of one event: those of this level by their probability alone; repeatable."
        ),
    ] = None,
    norad_id: Annotated[
        list[int] | None,
        typer.Option(min=1, max=MAX_NORAD_ID, help="Instead of one event: those of this object; repeatable."),
    ] = None,
    everything: Annotated[bool, typer.Option("--all", help="Instead of one event: all.")] = False,
    limit: Annotated[
        int | None,
        typer.Option(min=1, help="Maximum number of messages, most dangerous events first.  [default: all]"),
    ] = None,
    store: StoreOption = None,
) -> None:
    """Write stored events as conjunction data messages (CDM 1.0, CCSDS 508.0-B-1), to share.

    Example: skysieve cdm --level critical --level high --format xml --output alarms.zip
    """
    from storage.in_memory.event_table import EventQuery
    from storage.in_memory.messages import Wanted
    from storage.in_memory.snapshot import newest_snapshot

    several = bool(risk or level or norad_id or everything)
    if several == (event_id is not None):
        raise UsageError("Expected either an EVENT_ID, or --level, --risk, --norad-id or --all.")
    if several and output is None:
        raise UsageError("Expected --output: a new folder, or a file that ends in .zip.")
    if limit is not None and not several:
        raise UsageError("--limit applies only to several events.")
    if seen_from is not None and several:
        raise UsageError("--from applies only to a single event.")
    wanted = Wanted(form, frame, method, seen_from)
    folder = store_folder(store)
    if event_id is not None:
        _write_one(folder, event_id, wanted, output)
    elif output is not None:
        snapshot = newest_snapshot(folder)
        query = EventQuery(
            risk_levels=[str(one) for one in risk or ()] or None,
            probability_levels=[str(one) for one in level or ()] or None,
            norad_ids=norad_id or None,
            limit=limit,
        )
        _write_many(snapshot, wanted, query, output)


def _write_one(store: Path, event_id: int, wanted: "Wanted", output: Path | None) -> None:
    from storage.in_memory.messages import message_on
    from storage.in_memory.snapshot import newest_snapshot
    from storage.shell.written_text import checked_output, write_out

    target = checked_output(output)
    made = message_on(newest_snapshot(store), event_id, wanted)
    if made is None:
        raise InputError(
            f"There is no event {event_id} in {store}. `skysieve events` lists the stored events."
        )
    write_out(made.text, target)


def _write_many(snapshot: "Snapshot", wanted: "Wanted", query: "EventQuery", output: Path) -> None:
    from rich.console import Console
    from rich.progress import track

    from storage.in_memory.messages import messages_on
    from storage.shell.written_messages import checked_target, write_messages

    target = checked_target(output)
    found = messages_on(snapshot, query, wanted)
    console = Console(stderr=True)
    files = track(
        found.files,
        "Writing",
        total=found.size,
        console=console,
        transient=True,
        disable=not console.is_terminal,
    )
    typer.echo(f"{target} ({write_messages(files, target):,} messages)")
