"""The wheel as a user gets it: what is inside, and that it works away from the source folder."""

import os
import site
import subprocess
import sys
import tomllib
import venv
import zipfile
from pathlib import Path
from typing import NamedTuple

import pytest

pytestmark = pytest.mark.processes

REPOSITORY = Path(__file__).resolve().parents[1]
PACKAGES = ("flows", "screening", "api", "storage", "skysieve")
DIST = REPOSITORY / "api" / "web" / "dist"


class Installation(NamedTuple):
    """A wheel, and an environment into which it was installed."""

    wheel: Path
    bin: Path
    site_packages: Path


def run(*command: str | Path, cwd: Path) -> str:
    """Run a command without our PYTHONPATH and return its standard output."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    result = subprocess.run(command, cwd=cwd, env=environment, capture_output=True, text=True, check=False)
    assert result.returncode == 0, f"{command}\n{result.stdout}\n{result.stderr}"
    return result.stdout


def make_environment(folder: Path) -> tuple[Path, Path]:
    """Make an environment that borrows the dependencies of the running one; return its bin and site-packages.

    A path in a .pth file is put behind the environment's own site-packages, and .pth files over there are
    not followed: an editable installation of skysieve in the running environment stays out of sight.
    """
    venv.create(folder, with_pip=False, symlinks=True)
    (site_packages,) = folder.glob("lib/python*/site-packages")
    (site_packages / "borrowed.pth").write_text("\n".join(site.getsitepackages()) + "\n", encoding="utf-8")
    return folder / "bin", site_packages


@pytest.fixture(scope="module")
def installation(tmp_path_factory: pytest.TempPathFactory) -> Installation:
    folder = tmp_path_factory.mktemp("wheel")
    build = (sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", folder, REPOSITORY)
    run(*build, cwd=folder)
    (wheel,) = folder.glob("*.whl")
    scripts, site_packages = make_environment(folder / "environment")
    pip = (sys.executable, "-m", "pip", "--python", scripts / "python", "--disable-pip-version-check")
    run(*pip, "install", "--quiet", "--no-deps", "--no-index", "--no-compile", wheel, cwd=folder)
    return Installation(wheel, scripts, site_packages)


def test_the_wheel_holds_the_program_and_nothing_else(installation: Installation) -> None:
    names = {name for name in zipfile.ZipFile(installation.wheel).namelist() if ".dist-info/" not in name}
    sources = [path for package in PACKAGES for path in (REPOSITORY / package).rglob("*") if path.is_file()]
    expected = {str(path.relative_to(REPOSITORY)) for path in sources if "__pycache__" not in path.parts}
    # Of the page what was bundled, if it could be, and none of its sources.
    expected = {name for name in expected if not name.startswith("api/web/")}
    bundled = {str(path.relative_to(REPOSITORY)) for path in (DIST / "assets").glob("*")}
    pages = {f"api/web/dist/{name}" for name in ("index.html", "docs.html", "coasts.json")}
    assert names == expected | (bundled and bundled | pages)
    assert {f"{package}/py.typed" for package in PACKAGES} <= names


def test_the_wheel_carries_the_licence(installation: Installation) -> None:
    with zipfile.ZipFile(installation.wheel) as wheel:
        for file in ("LICENSE", "NOTICE"):
            (name,) = (name for name in wheel.namelist() if name.endswith(f"/licenses/{file}"))
            assert wheel.read(name) == (REPOSITORY / file).read_bytes()


def test_packages_come_from_the_installed_wheel(installation: Installation, tmp_path: Path) -> None:
    program = "import flows, screening, api, storage, skysieve\n"
    program += "for m in (flows, screening, api, storage, skysieve): print(m.__spec__.origin)"
    origins = run(installation.bin / "python", "-c", program, cwd=tmp_path).split()
    assert len(origins) == 5
    assert all(Path(origin).is_relative_to(installation.site_packages) for origin in origins)


def test_the_installed_distribution_owns_the_import_names(installation: Installation, tmp_path: Path) -> None:
    program = "from importlib.metadata import packages_distributions as owners\n"
    program += f"for name in {PACKAGES}: print(*sorted(set(owners()[name])))"
    assert run(installation.bin / "python", "-c", program, cwd=tmp_path).split() == ["skysieve"] * 5


def test_the_source_archive_has_every_text_of_the_top_folder() -> None:
    """SECURITY.md, which README and operations link to, was left out."""
    project = tomllib.loads((REPOSITORY / "pyproject.toml").read_text())
    included = set(project["tool"]["hatch"]["build"]["targets"]["sdist"]["include"])
    texts = {f"/{path.name}" for path in REPOSITORY.glob("*.md")}
    assert "/SECURITY.md" in texts
    assert texts - included == set()


def test_the_command_works_from_any_folder(installation: Installation, tmp_path: Path) -> None:
    assert "screen" in run(installation.bin / "skysieve", "--help", cwd=tmp_path)
    version = run(installation.bin / "skysieve", "--version", cwd=tmp_path)
    # skysieve-0.2.0-py3-none-any.whl
    assert version.split() == installation.wheel.name.split("-")[:2]
