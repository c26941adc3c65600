"""The command that compiles all kernels ahead of time."""

import typer

app = typer.Typer()


@app.command()
def warm() -> None:
    """Compile all kernels ahead of time, for instance into an image; commands then start at once."""
    from flows.warm import warm_kernels  # imports all kernels, which `--help` does not need
    from storage.settings import StoreSettings, load_settings

    settings = load_settings(StoreSettings)
    typer.echo("compiling kernels that are not compiled yet, about 30 s:", err=True)
    folder = warm_kernels(
        settings.kernel_cache, lambda stage: typer.echo(f"compiling: {stage} ...", err=True)
    )
    typer.echo(f"all kernels are compiled in {folder}", err=True)
