"""A script that uses the public interface passes `mypy --strict`, and does what it says."""

import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.processes

SCRIPT = '''
"""Screen a catalogue from a script."""

import sys
from datetime import UTC, datetime

import numpy as np
import pandas as pd

import skysieve


def told(stage: str, done: float) -> None:
    """Print the progress."""
    print(f"{stage}: {done:.0%}", file=sys.stderr)


def low_orbits(path: str) -> skysieve.Catalogue:
    """Return the objects that make more than eleven revolutions a day."""
    frame: pd.DataFrame = skysieve.read_catalogue(path).to_dataframe()
    return skysieve.Catalogue.from_dataframe(frame[frame["MEAN_MOTION"] > 11.0])


def main() -> None:
    """Screen, look, and ask the store."""
    catalogue = low_orbits(sys.argv[1])
    try:
        run: skysieve.Run = skysieve.screen(
            catalogue,
            start=datetime(2024, 11, 1, tzinfo=UTC),
            hours=1.0,
            threshold_km=20.0,
            workers=1,
            store=sys.argv[2],
            progress=told,
        )
    except skysieve.UsageError as error:
        sys.exit(str(error))
    near: pd.DataFrame = run.conjunctions[run.conjunctions["miss_distance_m"] < 1e4]
    rows: int = run.to_arrow("objects").num_rows
    chance: np.ndarray[tuple[int, ...], np.dtype[np.float64]] = skysieve.collision_probability(
        [[0.0, 10.0], [5.0, 5.0]], [[2500.0, 0.0], [0.0, 625.0]], 5.0
    )
    store: skysieve.Store = skysieve.open_store(sys.argv[2])
    same: pd.DataFrame = store.conjunctions(run.run_id)
    first = catalogue.rejected[0].reason if catalogue.rejected else "none"
    print(len(catalogue) == rows, len(near) <= len(same), chance.shape, first, run.window_end.isoformat())


main()
'''
WRONG = 'import skysieve\n\nrun = skysieve.screen("gp.csv", hours="24")\nrun.conjuctions\n'


def mypy(path: Path, repository: Path) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--config-file", "pyproject.toml", str(path)],
        cwd=repository,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.slow
def test_types_fit_and_misfits_are_found(tmp_path: Path, repository: Path) -> None:
    right, wrong = tmp_path / "right.py", tmp_path / "wrong.py"
    right.write_text(SCRIPT)
    wrong.write_text(WRONG)
    told = mypy(right, repository)
    assert told.returncode == 0, told.stdout
    told = mypy(wrong, repository)
    assert told.stdout.count("error:") == 3, told.stdout
    assert '"Run" has no attribute "conjuctions"' in told.stdout


def test_the_script_does_what_it_says(small_catalogue: Path, tmp_path: Path, repository: Path) -> None:
    script = tmp_path / "right.py"
    script.write_text(SCRIPT)
    done = subprocess.run(
        [sys.executable, str(script), str(small_catalogue), str(tmp_path / "store")],
        cwd=repository,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == "True True (2,) none 2024-11-01T01:00:00+00:00\n"
    assert done.stderr.splitlines()[-1] == "finished: 100%"
