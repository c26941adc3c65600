"""The page of validation as it is made: what differs, exit codes, nothing half written."""

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.validation import in_order
from tests.validation.__main__ import main
from tests.validation.orbits import iridium_cosmos, official_sgp4, published_frames, reboost

Run = Callable[..., tuple[int, str, str]]
QUICK = (published_frames, iridium_cosmos, official_sgp4)


@pytest.fixture
def validate(capsys: pytest.CaptureFixture[str]) -> Run:
    def run(folder: Path, page: Path) -> tuple[int, str, str]:
        code = main([str(folder), str(page)])
        printed = capsys.readouterr()
        return code, printed.out, printed.err

    return run


@pytest.fixture
def two_files(shared_file: Callable[[str], Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder with what two of three quick comparisons need."""
    monkeypatch.setattr(in_order, "SUBJECTS", QUICK)
    for name in (published_frames.FILE, iridium_cosmos.FILE):
        place = tmp_path / "data" / name
        place.parent.mkdir(parents=True)
        place.write_bytes(shared_file(name).read_bytes())
    return tmp_path / "data"


def test_the_page_says_what_agrees_and_what_is_missing(validate: Run, two_files: Path) -> None:
    code, out, _ = validate(two_files, two_files / "page.md")
    assert code == 0
    page = (two_files / "page.md").read_text()
    assert page.count("| agrees |") >= 2
    assert "not run: needs frames/SGP4-VER.TLE, frames/tcppver.out" in " ".join(page.split())
    assert out.splitlines()[-1] == "3 comparisons: 2 agree, 1 not run"


def test_what_differs_is_marked_on_the_page_and_is_the_exit_code(validate: Run, two_files: Path) -> None:
    path = two_files / published_frames.FILE
    values = json.loads(path.read_text())
    values["vallado_2006_appendix_C_TEME_to_ITRF"]["v_ITRF_kms"][0] += 1e-6
    path.write_text(json.dumps(values))
    page = two_files / "page.md"
    code, out, _ = validate(two_files, page)
    assert code == 1
    assert "1 agree, 1 do not, 1 not run" in out
    (line,) = (
        one for one in page.read_text().splitlines() if one.endswith("mm/s | 0.02 mm/s | **DIFFERS** |")
    )
    assert 0.9 < float(line.split(" | ")[1].removesuffix(" mm/s")) < 1.1
    assert page.read_text().count("**DIFFERS**") == 2  # in the overview too


def test_a_damaged_file_is_told_on_the_page(validate: Run, two_files: Path) -> None:
    (two_files / iridium_cosmos.FILE).write_text("{")
    page = two_files / "page.md"
    code, _, _ = validate(two_files, page)
    assert code == 1
    assert re.search(r"\*\*FAILED: \S+/iridium_cosmos.json\s+cannot\s+be\s+understood", page.read_text())


@pytest.mark.slow
def test_the_page_has_its_pictures_beside_it(
    validate: Run, shared_file: Callable[[str], Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(in_order, "SUBJECTS", (reboost,))
    page = tmp_path / "page.md"
    page.write_text("an older page")
    for _ in range(2):  # twice, over what is there
        code, _, _ = validate(shared_file(reboost.FILE).parents[2], page)
        assert code == 0
    (named,) = re.findall(r"!\[.*\]\((.*)\)", page.read_text())
    assert (tmp_path / named).read_bytes().startswith(b"\x89PNG")
    assert sorted(path.name for path in tmp_path.rglob("*") if path.is_file()) == ["page.md", "reboost.png"]


@pytest.mark.parametrize(
    ("output", "said"),
    [
        ("page.html", "ends in '.html'; expected .md"),
        ("nowhere/page.md", "expected a file in a folder that exists"),
        ("folder.md", "expected a file in a folder that exists"),
    ],
)
def test_a_page_that_cannot_be_written_is_refused_before_the_work(
    validate: Run, two_files: Path, output: str, said: str
) -> None:
    (two_files / "folder.md").mkdir()
    code, out, err = validate(two_files, two_files / output)
    assert code == 1
    assert said in err
    assert "agrees" not in out


def test_a_disk_that_takes_no_page_leaves_the_old_one(
    validate: Run, two_files: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = two_files / "page.md"
    page.write_text("an older page")

    def full(path: Path, text: str) -> None:
        path.write_text(text[:100])
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("tests.validation.page.write_text", full)
    code, _, err = validate(two_files, page)
    assert code == 1
    assert f"The page {page} cannot be written (No space left on device)" in err
    assert page.read_text() == "an older page"
    assert [path.name for path in two_files.iterdir() if "new" in path.name] == []


@pytest.mark.processes
def test_ctrl_c_leaves_no_page(repository: Path, shared_data: Path, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "tests.validation", str(shared_data), "page.md"]
    environment = {**os.environ, "PYTHONPATH": str(repository)}
    with subprocess.Popen(
        command, cwd=tmp_path, env=environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as running:
        assert running.stdout is not None
        first = running.stdout.readline()  # a comparison is made, the next ones are not
        running.send_signal(signal.SIGINT)
    assert first == "SGP4: the official verification: agrees\n"
    assert running.returncode == -signal.SIGINT
    assert list(tmp_path.iterdir()) == []


def test_folders_that_hold_nothing_are_refused(validate: Run, tmp_path: Path) -> None:
    assert validate(tmp_path / "nowhere", tmp_path / "page.md")[0] == 1
    code, _, err = validate(tmp_path, tmp_path / "page.md")
    assert code == 1
    assert "has none of the files of published values" in err
