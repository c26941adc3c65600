"""A field of an event is declared in one line, and its value computed in another: all else follows."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from docs.page_types import GENERATOR
from storage.rows.words.numbers import metres
from tests.page.browsing import missing

PACKAGES = ("api", "flows", "screening", "skysieve", "storage", "docs")
# Before a line of a file: what a developer would write there.
WRITTEN = {
    "screening/risk/conjunctions.py": (
        '    Field("encounter", ',
        """\
    Field("trial_m", "number", "m", "a trial", 42.5, listed=99,
          shown=_approach("Trial", "only a trial", "miss distance")),
    *_of_both("trial_deg", "number", "deg", "a trial of WHO", (1.5, 2.5),
              shown=Shown("object", "Trial of each", "tenths", "only a trial of each")),
""",
    ),
    "screening/risk/score.py": (
        '    miss_km = encounters["secondary_r_teme_km"]',
        """\
    out["trial_m"] = 2.0 * out["miss_distance_m"]
    out["primary_trial_deg"], out["secondary_trial_deg"] = 10.25, -20.5
""",
    ),
}


def copied(repository: Path, folder: Path) -> Path:
    """Copy the program into a folder; its tests and the page's libraries stay where they are."""
    for name in PACKAGES:
        skipped = shutil.ignore_patterns("node_modules", "dist", "__pycache__")
        shutil.copytree(repository / name, folder / name, ignore=skipped)
    shutil.copy(repository / "pyproject.toml", folder)
    for name in ("tests", "api/web/node_modules"):
        (folder / name).symlink_to(repository / name)
    return folder


@pytest.mark.processes
@pytest.mark.slow
def test_a_field_that_is_declared_and_computed_is_everywhere(
    repository: Path, small_catalogue: Path, tmp_path: Path
) -> None:
    if shutil.which("node") is None or not GENERATOR.exists():
        missing("needs Node.js and the page's libraries: `make page`")
    program = copied(repository, tmp_path / "program")
    for name, (before, lines) in WRITTEN.items():
        text = (program / name).read_text(encoding="utf-8")
        assert text.count(before) == 1, name
        (program / name).write_text(text.replace(before, lines + before), encoding="utf-8")
    command = (sys.executable, "-m", "tests.trial_fields", str(small_catalogue), str(tmp_path / "store"))
    environment = {"PATH": "/usr/local/bin:/usr/bin:/bin", "PYTHONPATH": str(program), "HOME": str(tmp_path)}
    done = subprocess.run(command, cwd=program, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)

    trial_m = 2.0 * found["miss_distance_m"]
    for form in ("parquet", "json", "csv"):
        assert found[form] == [trial_m, 10.25, -20.5], form
    assert found["listing"] == trial_m
    comments = ["m, a trial", "deg, a trial of primary", "deg, a trial of secondary"]
    assert found["duckdb"] == comments
    assert [one["description"] for one in found["openapi"]] == comments
    assert [one["examples"] for one in found["openapi"]] == [[42.5], [1.5], [2.5]]
    assert all(one["anyOf"] == [{"type": "number"}, {"type": "null"}] for one in found["openapi"])
    assert found["report"] == [
        ["Trial", metres(trial_m), "m", "only a trial"],
        ["Trial of each", "10.2", "−20.5", "°", "only a trial of each"],
    ]
    assert [line.rpartition(" | ")[0] for line in found["schema"]] == [
        f"| `{name}` | DOUBLE | yes | {comment}"
        for name, comment in zip(
            ("trial_m", "primary_trial_deg", "secondary_trial_deg"), comments, strict=True
        )
    ]
    shown = [json.loads(line.rstrip(",")) for line in found["page"] if line.startswith("{")]
    assert [list(one.values()) for one in shown] == [
        ["trial_m", "Trial", "length", "only a trial", "miss distance", "m"],
        ["trial_deg", "Trial of each", "tenths", "only a trial of each", None, "°"],
    ]
    types = {line for line in found["page"] if not line.startswith("{")}
    assert types == {
        f"{name}: number | null;" for name in ("trial_m", "primary_trial_deg", "secondary_trial_deg")
    }
