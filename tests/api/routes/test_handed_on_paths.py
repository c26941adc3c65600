"""Paths over HTTP: those of the command line, and nothing that may not be handed on."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.api.client import Client
from tests.api.conftest import serving
from tests.storage.commands.path_store import ON_EPHEMERIS, STATION, command, made

SharedFile = Callable[[str], Path]

START = "2024-11-01T00:00:00Z"


@pytest.fixture(scope="module")
def store_of_paths(shared_file: SharedFile, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return made(shared_file, tmp_path_factory.mktemp("served_paths"))


@pytest.fixture(scope="module")
def of_paths(store_of_paths: Path) -> Iterator[Client]:
    with serving(store_of_paths) as client:
        yield client


@pytest.mark.parametrize(
    ("form", "media_type"),
    [("oem-kvn", "text/plain"), ("oem-xml", "application/xml"), ("csv", "text/csv")],
)
def test_the_answer_is_what_the_command_writes(
    of_paths: Client,
    store_of_paths: Path,
    form: str,
    media_type: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    asked = {"start": START, "hours": 2, "step": 300, "format": form, "frame": "ITRF"}
    answer = of_paths.get(f"/objects/{STATION}/ephemeris", params=asked)
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"].startswith(media_type)
    words = [str(word) for name, value in asked.items() for word in (f"--{name}", value)]
    assert command(monkeypatch, "ephemeris", STATION, *words, "--store", store_of_paths) == 0
    # The first lines of a message say when it was made.
    assert answer.text.split("ORIGINATOR")[-1] == capsys.readouterr().out.split("ORIGINATOR")[-1]


def test_with_a_burn_it_is_what_the_command_writes(
    of_paths: Client,
    store_of_paths: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    asked = {"start": START, "hours": 2, "step": 300, "burn": "2024-11-01T00:30:00Z,0,0.05,0"}
    answer = of_paths.get(f"/objects/{STATION}/ephemeris", params=asked)
    assert answer.status_code == 200, answer.text
    options = [str(word) for name, value in asked.items() for word in (f"--{name}", value)]
    assert command(monkeypatch, "ephemeris", STATION, *options, "--store", store_of_paths) == 0
    assert answer.text.split("ORIGINATOR")[-1] == capsys.readouterr().out.split("ORIGINATOR")[-1]
    assert "Hypothetical: after a burn at 2024-11-01T00:30:00" in answer.text
    assert "Z of 0.05 m/s along flight" in answer.text
    name = f"{STATION}_burn_20241101T0030Z_0.05mps.oem"
    assert answer.headers["content-disposition"] == f'attachment; filename="{name}"'
    options += ["--output", str(tmp_path)]
    assert command(monkeypatch, "ephemeris", STATION, *options, "--store", store_of_paths) == 0
    assert answer.text.split("ORIGINATOR")[-1] == (tmp_path / name).read_text().split("ORIGINATOR")[-1]


def test_burns_are_taken_away_as_an_opm(
    of_paths: Client,
    store_of_paths: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    burns = ["2024-11-01T01:30:00Z,0,-0.05,0", "2024-11-01T00:00:00Z,0.01,0.05,0"]
    asked = {"start": START, "hours": 2, "format": "opm-kvn", "mass": 420000.0}
    answer = of_paths.get(f"/objects/{STATION}/ephemeris", params={**asked, "burn": burns})
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-disposition"].endswith('.opm"')
    words = [str(word) for name, value in asked.items() for word in (f"--{name}", value)]
    words += [word for one in burns for word in ("--burn", one)]
    assert command(monkeypatch, "ephemeris", STATION, *words, "--store", store_of_paths) == 0
    assert answer.text.split("ORIGINATOR")[-1] == capsys.readouterr().out.split("ORIGINATOR")[-1]
    said = [line.partition("=")[::2] for line in answer.text.splitlines()]
    ignitions = [value.strip() for name, value in said if name.strip() == "MAN_EPOCH_IGNITION"]
    assert ignitions == ["2024-11-01T00:00:00.000000", "2024-11-01T01:30:00.000000"]
    # The state is that before the burn at its own instant: else a reader would add this twice.
    states = {"start": START, "hours": 1, "format": "csv", "frame": "EME2000"}
    path = of_paths.get(f"/objects/{STATION}/ephemeris", params=states).text.splitlines()[1].split(",")
    written = [value for name, value in said if name.strip() in ("X", "Y", "Z", "X_DOT")]
    assert list(map(float, written)) == pytest.approx(list(map(float, path[1:5])), abs=1e-9)


def test_a_path_on_a_restricted_file_is_not_served(of_paths: Client) -> None:
    address = f"/objects/{ON_EPHEMERIS}/ephemeris"
    answer = of_paths.get(address, params={"start": START, "hours": 3})
    assert (answer.status_code, answer.json()["type"]) == (403, "urn:skysieve:problem:restricted")
    assert "its source does not allow sharing it" in answer.json()["detail"]
    assert of_paths.get(address, params={"start": START, "hours": 1}).status_code == 200


@pytest.mark.parametrize(
    ("query", "field"),
    [
        ({"hours": 24, "step": 1}, "step"),
        ({"start": "2020-01-01T00:00:00Z"}, "start"),
        ({"start": "9999-12-31T23:59:59Z"}, "start"),  # its end would be beyond the last year
        ({"hours": 0}, "hours"),
        ({"burn": "0,0.05,0"}, "burn"),
        ({"burn": "soon,0,0.05,0"}, "burn"),
        ({"burn": f"{START},0,nan,0"}, "burn"),
        ({"burn": f"{START},0,1000,0"}, "burn"),
        ({"burn": [f"{START},0,0.05,0"] * 2}, "burn"),
        ({"burn": [f"{START},0,0.05,0"] * 11}, "burn"),
        ({"start": START, "hours": 1, "burn": "2024-11-02T00:00:00Z,0,0.05,0"}, "start"),
        ({"format": "opm-kvn", "burn": f"{START},0,0.05,0"}, "mass"),
        ({"format": "opm-kvn", "mass": 0}, "mass"),
        ({"frame": "GCRF"}, "frame"),
        ({"allow_restricted": "true"}, "allow_restricted"),
    ],
)
def test_what_cannot_be_is_refused(of_paths: Client, query: dict[str, object], field: str) -> None:
    answer = of_paths.get(f"/objects/{STATION}/ephemeris", params=query)
    assert answer.status_code == 422
    assert [error["field"] for error in answer.json()["errors"]] == [field]


def test_an_object_that_the_run_has_not(of_paths: Client) -> None:
    assert of_paths.get("/objects/5/ephemeris").status_code == 404
    assert of_paths.without_credential().get(f"/objects/{STATION}/ephemeris").status_code == 401
