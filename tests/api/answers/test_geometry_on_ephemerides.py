"""An event with an object on its operator's ephemeris: its row, its geometry, and what is left without it."""

import csv
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import pytest

from screening.orbits.ephemerides import Ephemeris, Segment
from screening.orbits.sgp4.propagate import Propagator
from screening.orbits.texts.catalogue import parse_catalogue
from screening.orbits.timegrid import window
from storage.trajectories.kept import add_trajectory, remove_trajectory
from storage.trajectories.trajectory_file import About
from tests import runs
from tests.api.client import Client
from tests.api.conftest import serving
from tests.api.geometry_client import Record, get

ROUNDING = 1e-9
# TCA is stored to the microsecond, in which two objects at 15 km/s come 15 mm nearer.
TCA_ROUNDING_M = 0.02
# They meet within 63 m at 13:05; the other number is that of no object of the catalogue.
FIRST, SECOND, UNKNOWN = 17842, 270293, 888888888
SIGMAS_KM = np.array([0.03, 0.25, 0.02])
CORRELATION = {"rt": -0.5, "rn": 0.2, "tn": 0.1}
ADDED = datetime(2024, 10, 31, 23, tzinfo=UTC)


def covariance_km2() -> np.ndarray:
    found = np.zeros((6, 6))
    for name, correlation in CORRELATION.items():
        i, j = ("rtn".index(axis) for axis in name)
        found[i, j] = found[j, i] = correlation * SIGMAS_KM[i] * SIGMAS_KM[j]
    found[:3, :3] += np.diag(SIGMAS_KM**2)
    return found


@pytest.fixture(scope="module")
def lines(shared_file: Callable[[str], Path]) -> list[str]:
    """Return the records of the two, below the names of their columns."""
    header, *records = shared_file("gp_onorbit_20241101.csv").read_text().splitlines()
    number = header.split(",").index("NORAD_CAT_ID")
    return [header, *(line for line in records if int(line.split(",")[number]) in (FIRST, SECOND))]


def ephemeris(lines: list[str], norad_id: int, hours: float = 24.0) -> Ephemeris:
    """Return where the first one flies, by SGP4, each 60 s from the start of the run on."""
    elements = parse_catalogue("\n".join(lines).encode()).elements
    span = window(runs.START, hours)
    seconds = np.arange(-600.0, hours * 3600.0 + 601.0, 60.0)
    _, r_km, _ = Propagator(elements[elements["norad_id"] == FIRST], span).on_grid(seconds)
    epochs = span.start + (seconds * 1e6).astype("m8[us]")
    given = np.broadcast_to(covariance_km2(), (len(epochs), 6, 6))
    segment = Segment(epochs, r_km[:, :, 0], epochs[0], epochs[-1], epochs, given)
    return Ephemeris(norad_id, f"SATELLITE {norad_id}", "", (segment,))


@pytest.fixture(scope="module")
def flown(lines: list[str], tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Client, Path, str]]:
    """Serve a run with the first one on its ephemeris; give also the store and the ephemeris' id."""
    folder = tmp_path_factory.mktemp("flown")
    store = folder / "store"
    about = About("definitive", "first.oem", "0" * 64, ADDED, restricted=False)
    added = add_trajectory(store, ephemeris(lines, FIRST), about)
    runs.make_run(runs.source_of(lines, folder), store, hours=24.0)
    with serving(store) as client:
        yield client, store, added


def worst(client: Client) -> Record:
    event: Record = client.get("/conjunctions", params={"limit": 1}).json()["conjunctions"][0]
    return event


def test_the_row_says_what_each_path_is_from(flown: tuple[Client, Path, str]) -> None:
    client, _, added = flown
    event = worst(client)
    assert (event["primary_trajectory"], event["secondary_trajectory"]) == ("ephemeris", "gp")
    assert event["primary_covariance_source"] == "trajectory"
    for name, correlation in CORRELATION.items():
        assert event[f"primary_correlation_{name}"] == pytest.approx(correlation)
        assert event[f"secondary_correlation_{name}"] is None
    for sigma_km, axis in zip(SIGMAS_KM, "rtn", strict=True):
        assert event[f"primary_sigma_{axis}_m"] == pytest.approx(sigma_km * 1e3)
    (history,) = client.get(f"/conjunctions/{event['id']}").json()["history"]
    assert history["primary_trajectory"] == "ephemeris"
    assert client.get("/runs/current").json()["trajectories"] == added
    objects = client.get("/objects", params={"fields": ["norad_id", "trajectory"]}).json()["objects"]
    assert {row["norad_id"]: row["trajectory"] for row in objects} == {FIRST: "ephemeris", SECOND: "gp"}
    table = client.get("/conjunctions", headers={"Accept": "text/csv"}).text
    (row, *_) = [row for row in csv.DictReader(table.splitlines()) if row["id"] == str(event["id"])]
    assert (row["primary_trajectory"], row["secondary_trajectory"]) == ("ephemeris", "gp")


def test_its_geometry_agrees_with_the_row(flown: tuple[Client, Path, str]) -> None:
    client, _, added = flown
    event = worst(client)
    found = get(client, event["id"])
    assert found["missing"] == {}
    for part in ("probability_against_scale", "probability_against_radius"):
        assert found[part]["probability_2d"] == pytest.approx(event["probability_2d"], rel=ROUNDING)
    assert found["probability_against_scale"]["peak_probability"] == pytest.approx(
        event["probability_max"], rel=ROUNDING
    )
    assert found["encounter_plane"]["miss_sigmas"] == pytest.approx(event["formula_h"], rel=ROUNDING)
    primary, secondary = found["objects"]["primary"], found["objects"]["secondary"]
    assert (primary["trajectory"], primary["trajectory_id"]) == ("ephemeris", added)
    assert datetime.fromisoformat(primary["trajectory_added"]) == ADDED
    assert (secondary["trajectory"], secondary["trajectory_id"]) == ("gp", None)
    assert primary["path_offset_m"] < TCA_ROUNDING_M
    assert primary["sgp4_offset_m"] is None
    assert secondary["sgp4_offset_m"] == secondary["path_offset_m"] < TCA_ROUNDING_M
    assert primary["correlation_rt"] == event["primary_correlation_rt"]
    for curve in found["range"].values():
        middle = curve["seconds_from_tca"].index(0.0)
        assert curve["range_m"][middle] == pytest.approx(event["miss_distance_m"], abs=TCA_ROUNDING_M)
    assert primary["inclination_deg"] == pytest.approx(74.0, abs=0.1)


def test_without_the_ephemeris_its_element_set_stands_in(
    lines: list[str], flown: tuple[Client, Path, str]
) -> None:
    client, store, added = flown
    event = worst(client)
    before = get(client, event["id"])
    remove_trajectory(store, added)
    try:
        after = get(client, event["id"])
    finally:
        about = About("definitive", "first.oem", "0" * 64, ADDED, restricted=False)
        assert add_trajectory(store, ephemeris(lines, FIRST), about) == added
    primary = after["objects"]["primary"]
    assert (primary["trajectory"], primary["trajectory_id"]) == ("ephemeris", None)
    assert set(after["missing"]) == {"objects.primary.trajectory_id"}
    assert "no longer in the store" in after["missing"]["objects.primary.trajectory_id"]
    assert primary["sgp4_offset_m"] == primary["path_offset_m"]
    assert after["range"] is not None
    for part in ("encounter_plane", "probability_against_scale", "probability_against_radius"):
        assert after[part] == before[part], "the row has it all"


@pytest.mark.slow
def test_an_object_that_no_catalogue_has_flies_by_its_ephemeris_only(
    lines: list[str], store: Path, tmp_path: Path
) -> None:
    header, *records = lines
    (other,) = (line for line in records if str(SECOND) in line.split(","))
    about = About("definitive", "own.oem", "0" * 64, ADDED, restricted=False)
    added = add_trajectory(store, ephemeris(lines, UNKNOWN, hours=14.0), about)
    runs.make_run(runs.source_of([header, other], tmp_path), store, hours=24.0)
    with serving(store) as client:
        event = worst(client)
        assert {event["primary_norad_id"], event["secondary_norad_id"]} == {SECOND, UNKNOWN}
        who = "secondary" if event["secondary_norad_id"] == UNKNOWN else "primary"
        found = get(client, event["id"])
        assert found["missing"] == {}
        assert found["objects"][who]["trajectory_id"] == added
        assert found["orbits"][who]["r_teme_km"][0][0] is not None
        remove_trajectory(store, added)
        gone = get(client, event["id"])
    assert gone["orbits"][who] is None
    assert gone["range"] is None
    assert {f"orbits.{who}", f"objects.{who}.trajectory_id", "range"} <= set(gone["missing"])
    assert f"{UNKNOWN} SATELLITE {UNKNOWN}" in gone["missing"][f"orbits.{who}"]
