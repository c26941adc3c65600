"""The command `site`."""

from pathlib import Path
from typing import Annotated

import typer

from storage.shell.options import StoreOption

# numpy and the store are imported where they are used, so that `--help` is quick.

app = typer.Typer()


@app.command()
def site(
    folder: Annotated[
        Path, typer.Argument(help="The folder to write into: new, empty, or with an earlier site.")
    ],
    base_url: Annotated[
        str,
        typer.Option(
            metavar="URL",
            help="Where the site will be, for feeds, the sitemap and previews of links.",
            show_default=False,
        ),
    ] = "",
    with_element_sets: Annotated[
        bool,
        typer.Option(
            "--with-element-sets",
            help="Also publish element sets and states: you answer for the terms of their source.",
        ),
    ] = False,
    store: StoreOption = None,
) -> None:
    """Write a static site of the newest run, for any web host: lists, events, objects, data.

    It needs no server and also opens from the disk. Another call writes only what has changed and removes
    what is old. Nothing of fleets, messages and operators' own trajectories is in it.

    Example: skysieve site /var/www/sky --base-url https://sky.example.org
    """
    from datetime import UTC, datetime
    from importlib import metadata

    from api.settings import ApiSettings
    from api.site.build import build_site
    from api.site.contents import Wishes, checked_base
    from screening.kernel_files import keep_kernels_in
    from storage.in_memory.snapshot import newest_snapshot
    from storage.settings import load_settings

    wishes = Wishes(checked_base(base_url), with_element_sets)
    settings = load_settings(ApiSettings, store=store)
    keep_kernels_in(settings.kernel_cache)
    snapshot = newest_snapshot(settings.store, analyses=False)
    target = folder.expanduser().absolute()
    built = build_site(target, snapshot, wishes, settings, metadata.version("skysieve"), datetime.now(UTC))
    typer.echo(
        f"{target / 'index.html'}: {built.written:,} files written, {built.unchanged:,} unchanged, "
        f"{built.removed:,} removed ({built.size_bytes / 1e6:.1f} MB)"
    )
