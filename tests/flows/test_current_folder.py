"""None of our processes imports from the folder in which it is started: foreign code may be there."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from tests.flows.foreign_folder import imported_from, make_foreign_folder

pytestmark = pytest.mark.processes

SKYSIEVE = Path(sys.executable).with_name("skysieve")


@pytest.fixture
def foreign(tmp_path: Path) -> Path:
    return make_foreign_folder(tmp_path / "somewhere")


def environment(store: Path, **more: str) -> dict[str, str]:
    """Return an environment without what the tests themselves need to find their modules."""
    kept = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "PYTHONSAFEPATH")}
    return {**kept, "SKYSIEVE_STORE": str(store), "SKYSIEVE_LOOK_AHEAD_HOURS": "1", **more}


def test_the_folder_is_one_that_python_would_search(foreign: Path) -> None:
    # Without this the tests below could not fail.
    command = [sys.executable, "-m", "api"]
    subprocess.run(command, cwd=foreign, env=environment(foreign), capture_output=True, check=False)
    assert imported_from(foreign) == ["api"]


@pytest.mark.parametrize(
    "command", [pytest.param("refresh --source", marks=pytest.mark.slow), "screen --workers=2"]
)
def test_a_run_imports_nothing_from_there(
    command: str, foreign: Path, small_catalogue: Path, store: Path, tmp_path: Path
) -> None:
    """`refresh` starts a server of Prefect's for itself, and `screen` workers."""
    done = subprocess.run(
        [SKYSIEVE, *command.split(), str(small_catalogue)],
        cwd=foreign,
        env=environment(store, PREFECT_HOME=str(tmp_path / "prefect")),
        capture_output=True,
        text=True,
        check=False,
    )
    assert imported_from(foreign) == []
    assert done.returncode == 0, done.stderr


def settings_of_units(deploy: Path) -> dict[str, list[str]]:
    units = sorted((deploy / "systemd").glob("*.service"))
    return {unit.name: re.findall(r"^Environment=(\S+)$", unit.read_text(), re.MULTILINE) for unit in units}


def test_units_and_containers_keep_their_children_from_it(repository: Path) -> None:
    deploy = repository / "deploy"
    assert [
        name for name, lines in settings_of_units(deploy).items() if "PYTHONSAFEPATH=1" not in lines
    ] == []
    assert "PYTHONSAFEPATH=1" in (deploy / "docker" / "Dockerfile").read_text()
    for service in yaml.safe_load((deploy / "docker" / "compose.yaml").read_text())["services"].values():
        words = service["command"]
        assert "-m" not in words or words[words.index("-m") - 1] == "-P"


@pytest.mark.parametrize("kept_away", [False, True])
def test_the_setting_holds_for_what_multiprocessing_starts(
    kept_away: bool, foreign: Path, tmp_path: Path
) -> None:
    """A nanny of Dask starts its worker so, with `python -c`."""
    program = tmp_path / "program.py"
    spawn = "multiprocessing.get_context('spawn').Process(target=print)"
    program.write_text(f"import multiprocessing\nif __name__ == '__main__': {spawn}.start()\n")
    setting = {"PYTHONSAFEPATH": "1"} if kept_away else {}
    subprocess.run(
        [sys.executable, program], cwd=foreign, env=environment(tmp_path, **setting), capture_output=True
    )
    assert set(imported_from(foreign)) == (set() if kept_away else {"multiprocessing"})
