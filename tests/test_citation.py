"""CITATION.cff is valid by the schema of its format, and names the newest release."""

import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
import yaml

pytestmark = pytest.mark.processes


def checked(path: Path) -> tuple[int, str]:
    """Return the exit code and words of check-jsonschema, which has the schema of the format, 1.2.0."""
    command = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", "vendor.citation-file-format"]
    done = subprocess.run([*command, str(path)], capture_output=True, text=True, check=False)
    return done.returncode, done.stdout + done.stderr


def test_it_is_valid(repository: Path) -> None:
    assert checked(repository / "CITATION.cff") == (0, "ok -- validation done\n")


@pytest.mark.parametrize(
    ("line", "instead"),
    [
        ("cff-version: 1.2.0", "cff-version: 1.1.0"),
        ("license: Apache-2.0", "license: Apache 2"),
        ("date-released: 2026-11-26", "date-released: November"),
        ("  - name: The skysieve developers", "  []"),
        ("title: skysieve\n", ""),
    ],
)
def test_a_mistake_in_it_would_be_seen(repository: Path, tmp_path: Path, line: str, instead: str) -> None:
    text = (repository / "CITATION.cff").read_text(encoding="utf-8")
    assert line in text
    wrong = tmp_path / "CITATION.cff"
    wrong.write_text(text.replace(line, instead), encoding="utf-8")
    code, said = checked(wrong)
    assert code == 1, said


def test_it_names_the_newest_release_and_what_pyproject_says(repository: Path) -> None:
    cited = yaml.safe_load((repository / "CITATION.cff").read_text(encoding="utf-8"))
    changes = (repository / "CHANGELOG.md").read_text(encoding="utf-8")
    version, released = re.findall(r"^## (\d+\.\d+\.\d+) - (\d{4}-\d\d-\d\d)$", changes, re.MULTILINE)[0]
    assert (cited["version"], str(cited["date-released"])) == (version, released)
    project = tomllib.loads((repository / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert (cited["title"], cited["license"], cited["keywords"]) == (
        project["name"],
        project["license"],
        project["keywords"],
    )
