"""`import skysieve` is quick, and each public name loads what it needs when it is first used."""

import importlib.util
import subprocess
import sys
from pathlib import Path

import pytest

import skysieve

SLOW = (
    "matplotlib",
    "numpy",
    "pandas",
    "pyarrow",
    "duckdb",
    "numba",
    "scipy",
    "pydantic",
    "typer",
    "prefect",
)
NOT_TO_READ = ("numba", "scipy", "matplotlib", "typer", "prefect", "dask", "httpx")


def told_by(program: str, folder: Path) -> str:
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=folder, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


@pytest.mark.processes
def test_the_import_loads_nothing_slow(repository: Path) -> None:
    program = "import sys, skysieve; dir(skysieve); skysieve.SkysieveError; skysieve.__version__; "
    assert told_by(f"{program} print([m for m in {SLOW} if m in sys.modules])", repository) == "[]"


@pytest.mark.processes
def test_to_read_a_store_no_compiler_is_loaded(repository: Path, two_runs: Path) -> None:
    program = f"import sys, skysieve; skysieve.open_store({str(two_runs)!r}).conjunctions(); "
    assert told_by(f"{program} print([m for m in {NOT_TO_READ} if m in sys.modules])", repository) == "[]"


@pytest.mark.slow
@pytest.mark.parametrize("name", skysieve.__all__)
def test_every_public_name_is_there_in_a_new_process(name: str, repository: Path) -> None:
    assert told_by(f"import skysieve; print(skysieve.{name} is not None)", repository) == "True"


@pytest.mark.processes
def test_all_names_can_be_imported_with_a_star(repository: Path) -> None:
    program = "from skysieve import *; import skysieve; print(set(skysieve.__all__) <= set(globals()))"
    assert told_by(program, repository) == "True"


def test_public_names_are_listed_for_completion() -> None:
    assert set(skysieve.__all__) <= set(dir(skysieve))


def test_a_wrong_name_is_told_as_python_does() -> None:
    with pytest.raises(AttributeError, match="module 'skysieve' has no attribute 'open_stores'"):
        skysieve.open_stores  # noqa: B018
    assert not hasattr(skysieve, "pandas")


def test_everything_public_is_documented() -> None:
    silent = [
        name for name in skysieve.__all__ if not name.startswith("__") and not getattr(skysieve, name).__doc__
    ]
    assert silent == []


def test_errors_are_of_one_family() -> None:
    kinds = (skysieve.InputError, skysieve.UsageError, skysieve.StoreError, skysieve.UnreadableCatalogue)
    assert all(issubclass(kind, skysieve.SkysieveError) for kind in kinds)


def test_types_are_published() -> None:
    spec = importlib.util.find_spec("skysieve")
    assert spec is not None
    assert spec.origin is not None
    assert Path(spec.origin).with_name("py.typed").is_file()
