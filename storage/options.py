"""Options that commands share. Nothing slow is imported here: `--help` needs it."""

from pathlib import Path
from typing import Annotated

import typer

StoreOption = Annotated[
    Path | None,
    typer.Option("--store", metavar="DIR", help="Folder of the store.  [default: SKYSIEVE_STORE]"),
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON.")]


def store_folder(store: Path | None) -> Path:
    """Return the store's absolute path: as given on the command line, else from the settings."""
    if store is not None:
        return store.expanduser().resolve()
    from storage.settings import StoreSettings, load_settings

    return load_settings(StoreSettings).store
