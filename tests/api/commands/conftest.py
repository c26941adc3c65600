"""A made-up catalogue in which satellites are about to be hit, as a store."""

import pytest
from typer.testing import CliRunner

from flows.sources.catalogues import read_file
from skysieve.command_line import app
from tests.api.commands.threatened import START, Threatened
from tests.runs import make_run


@pytest.fixture(scope="session")
def threatened(tmp_path_factory: pytest.TempPathFactory) -> Threatened:
    """Give a store with two days of a synthetic catalogue, and its planted events."""
    folder = tmp_path_factory.mktemp("threatened")
    words = [
        "synth",
        str(folder / "catalogue.csv"),
        "--objects",
        "500",
        "--seed",
        "1",
        "--epoch",
        f"{START}Z",
    ]
    assert CliRunner().invoke(app, words).exit_code == 0
    make_run(read_file(folder / "catalogue.csv"), folder / "store", START, hours=48.0)
    return Threatened(folder / "store")
