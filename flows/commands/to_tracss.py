"""The command `trajectories to-tracss`; the others below `trajectories` are in storage/commands."""

from datetime import UTC, datetime
from typing import Annotated

import typer

from storage.shell.options import RestrictedOption, StoreOption, use_kernels

app = typer.Typer()


@app.command("to-tracss")
def to_tracss(
    wanted: Annotated[str, typer.Argument(metavar="ID", help="Id of the trajectory, or its first digits.")],
    screen_now: Annotated[
        bool, typer.Option("--screen-now", help="Ask TraCSS to screen the object on it at once.")
    ] = False,
    allow_restricted: RestrictedOption = False,
    store: StoreOption = None,
) -> None:
    """Send a trajectory of your own to TraCSS, as an orbit comprehensive message (OCM 3.0, EME2000).

    It needs SKYSIEVE_TRACSS_LOGIN. A definitive one is sent as operational, a hypothetical one as a
    candidate, which TraCSS screens at once. Nothing is ever sent without this command.

    Example: skysieve trajectories to-tracss 3f2a --screen-now
    """
    from flows.settings import FlowSettings
    from flows.sources.messages.tracss_upload import upload_ocm
    from storage.settings import load_settings
    from storage.trajectories.export import ocm_text
    from storage.trajectories.kept import trajectory

    settings = load_settings(FlowSettings, store=store)
    use_kernels(settings.kernel_cache)
    one = trajectory(settings.store, wanted)
    text = ocm_text(one, "EME2000", datetime.now(UTC), allow_restricted=allow_restricted)
    typer.echo(upload_ocm(settings, f"{one.id}.ocm", text, screen_now=screen_now))
