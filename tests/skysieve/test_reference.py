"""`make docs` writes a reference of all that is public, without a warning."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

import skysieve

pytestmark = pytest.mark.processes


@pytest.fixture(scope="module")
def reference(repository: Path, tmp_path_factory: pytest.TempPathFactory) -> str:
    """The page that the recipe of `make docs` writes, with warnings as errors."""
    folder = tmp_path_factory.mktemp("reference")
    (recipe,) = re.findall(r"\$\(BIN\)/python (-m pdoc .*)", (repository / "Makefile").read_text())
    words = recipe.replace("docs/site", str(folder)).split()
    done = subprocess.run(
        [sys.executable, "-W", "error", *words], cwd=repository, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    return (folder / "skysieve.html").read_text()


@pytest.mark.parametrize("name", skysieve.__all__)
def test_every_public_name_is_in_the_reference(reference: str, name: str) -> None:
    assert f'id="{name}"' in reference


def test_methods_are_there_with_what_they_raise(reference: str) -> None:
    methods = [name for name in vars(skysieve.Store) if not name.startswith("_")]
    assert [name for name in methods if f'id="Store.{name}"' not in reference] == []
    assert re.search(r"<h6[^>]*>Raises:</h6>\s*<ul>\s*<li><strong>InputError:", reference)


def test_nothing_private_is_shown(reference: str) -> None:
    assert 'id="command_line"' not in reference
    assert 'id="_HOMES"' not in reference
