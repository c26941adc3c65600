"""`skysieve trajectories`: real files in, and out again; what cannot be used is refused with a reason."""

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.storage.commands.told import Told

SharedFile = Callable[[str], Path]
ISS, STARLINK = (
    "ndm/oem/ISS.OEM_J2K_EPH_2022-02-14.xml.gz",
    ("meme/MEME_48430_STARLINK-2729_0291124_Operational_1359285900_UNCLASSIFIED.txt.gz"),
)


@pytest.fixture
def told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Told:
    """Give commands on an empty store."""
    return Told("trajectories", tmp_path, monkeypatch, capsys)


@pytest.mark.slow
def test_files_are_added_listed_and_removed(told: Told, shared_file: SharedFile) -> None:
    added = told("add", shared_file(ISS), "--norad-id", 25544)
    assert re.match(r"[0-9a-f]{16}: definitive, 25544 ISS, 2022-02-14T12:00:00Z to 2022-03-01", added)
    told("add", shared_file(STARLINK), "--kind", "hypothetical")
    assert "its sigmas are bounds" in told.err
    station, starlink = json.loads(told("list", "--json"))
    assert (station["norad_id"], station["segments"], station["restricted"]) == (25544, 3, False)
    # The first and the last state of the thrust are those of two segments each.
    assert station["states"] == 5558 + 2
    assert "thrusts or jumps, the first at 2022-02-2" in station["notes"][-1]
    assert (starlink["norad_id"], starlink["covariances"], starlink["restricted"]) == (48430, 4321, True)
    assert starlink["kind"] == "hypothetical"
    assert json.loads(told("show", starlink["id"][:5], "--json")) == starlink
    assert told("remove", station["id"][:5]) == f"{station['id']} is removed\n"
    assert [one["id"] for one in json.loads(told("list", "--json"))] == [starlink["id"]]


def test_a_file_without_number_needs_one(told: Told, shared_file: SharedFile) -> None:
    told("add", shared_file(ISS), code=1)
    assert "does not state the catalogue number of ISS (1998-067A): give it (`--norad-id`)" in told.err
    assert told("list", "--json") == "[]\n"


def test_another_planet_is_refused_with_its_line(told: Told, shared_file: SharedFile) -> None:
    told("add", shared_file("ndm/oem/OEMExample4.txt"), code=1)
    assert "CENTER_NAME 'MARS'" in told.err
    assert "line 8" in told.err


@pytest.mark.parametrize(("size", "message"), [(33 * 2**20, "at most 34 MB are allowed"), (0, "it is empty")])
def test_files_of_the_wrong_size_are_refused(told: Told, tmp_path: Path, size: int, message: str) -> None:
    path = tmp_path / "large.oem"
    with path.open("wb") as file:
        file.truncate(size)
    told("add", path, code=1)
    assert message in told.err
    assert not (tmp_path / "trajectories").exists()


def test_a_file_that_is_not_there(told: Told, tmp_path: Path) -> None:
    told("add", tmp_path / "none.oem", code=1)
    assert "none.oem cannot be read: No such file" in told.err


def test_an_unknown_kind(told: Told, tmp_path: Path) -> None:
    told("add", tmp_path / "any", "--kind", "planned", code=2)
    assert "expected definitive or hypothetical" in told.err


@pytest.mark.slow
def test_a_file_is_checked_without_being_kept(told: Told, shared_file: SharedFile, tmp_path: Path) -> None:
    said = told("check", shared_file(ISS), "--norad-id", 25544)
    assert "warning (covariance): line 53, 2022-02-14T12:00:00Z: it has no covariance" in said
    assert said.endswith("ISS.OEM_J2K_EPH_2022-02-14.xml.gz: 0 errors, 2 warnings by skysieve\n")
    by_nasa = json.loads(told("check", shared_file(ISS), "--rules", "nasa", "--json", code=1))["report"]
    errors = {one["rule"]: one for one in by_nasa["findings"] if one["severity"] == "error"}
    assert sorted(errors) == ["covariance", "object", "step"]
    assert errors["step"]["value"] == pytest.approx(240.0 / 5580.0, rel=1e-3)  # it goes round in 93 min
    assert "NPR 8079.1" in errors["step"]["source"]
    broken = told("check", shared_file("ndm/oem/OEMExample2.txt"), code=1)
    assert "error (time_system): line 13, " in broken
    told("check", shared_file(ISS), "--rules", "esa", code=2)
    assert "expected skysieve, nasa, sds, tracss, spacex" in told.err
    assert not (tmp_path / "trajectories").exists()
