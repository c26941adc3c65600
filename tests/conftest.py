"""Fixtures for all tests."""

from collections.abc import Callable
from pathlib import Path

import pytest

from screening.kernels import keep_kernels_in
from storage.settings import StoreSettings, load_settings

# Before any test module imports a kernel, so that tests, commands and workers share one compilation.
keep_kernels_in(load_settings(StoreSettings).kernel_cache)

REPOSITORY = Path(__file__).resolve().parents[1]


@pytest.fixture(scope="session")
def repository() -> Path:
    """Return the folder that holds pyproject.toml."""
    return REPOSITORY


@pytest.fixture(scope="session")
def shared_file() -> Callable[[str], Path]:
    """Return a function from a name below ../shared/data to its path; it skips the test if that is missing.

    Real catalogues and published truth are too large for the repository, so they lie beside it.
    """

    def find(name: str) -> Path:
        path = REPOSITORY.parent / "shared" / "data" / name
        if not path.exists():
            pytest.skip(f"needs the data file {path}")
        return path

    return find


@pytest.fixture(scope="session")
def shared_data(shared_file: Callable[[str], Path]) -> Path:
    """Return the folder ../shared/data, or skip the test."""
    return shared_file("")
