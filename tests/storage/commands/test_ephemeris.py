"""Paths that are handed on: where skyfield has them, valid by the schema, read by another program."""

import csv
import io
import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import orbit_formats
import pytest
from lxml import etree
from skyfield.api import EarthSatellite, load
from skyfield.framelib import ICRS_to_J2000, itrs

from screening.orbits.earth_orientation import earth_orientation
from screening.orbits.ephemerides import Ephemeris
from screening.orbits.reference.celestial import rotations_to_teme
from screening.orbits.texts.ephemerides.read import chosen, read_ephemerides
from screening.orbits.timegrid import julian_date
from tests.storage.commands.path_store import HIGH, NAVIGATION, ON_EPHEMERIS, STATION, command, made

SharedFile = Callable[[str], Path]

START = np.datetime64("2024-11-01T00:00:00", "us")
ONE_METRE_KM = 1e-3
# Twelve points of a polynomial leave 0.01 mm between states by the minute; what SGP4 says beside them is it.
INTERPOLATED_KM = 1e-7


@pytest.fixture(scope="module")
def store(shared_file: SharedFile, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return made(shared_file, tmp_path_factory.mktemp("paths"))


class Asking:
    """Commands on the store."""

    def __init__(
        self, store: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        self._store, self._monkeypatch, self._capsys = store, monkeypatch, capsys
        self.err = ""

    def __call__(self, *words: object, code: int = 0) -> str:
        """Run a command, which must end with this code, and return what it printed."""
        found = command(self._monkeypatch, *words, "--store", self._store)
        out, self.err = self._capsys.readouterr()
        assert found == code, self.err
        return out

    def path(self, norad_id: int, *words: object) -> str:
        return self("ephemeris", norad_id, "--start", "2024-11-01T00:00:00Z", *words)


@pytest.fixture
def asking(store: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Asking:
    return Asking(store, monkeypatch, capsys)


def read(text: str) -> Ephemeris:
    return chosen(read_ephemerides(text.encode(), "x"), "x").ephemeris


def of_skyfield(catalogue: Path, norad_id: int, minutes: Sequence[int]) -> Any:
    with catalogue.open() as file:
        fields = next(row for row in csv.DictReader(file) if row["NORAD_CAT_ID"] == str(norad_id))
    # With our UT1 and pole at 03:00: in three hours UT1 changes by 0.2 ms, 0.3 m for NAVIGATION.
    orientation = earth_orientation(*julian_date(START[None] + np.timedelta64(3, "h")))
    scale = load.timescale(delta_t=37.0 + 32.184 - float(orientation.ut1_minus_utc_s[0]), builtin=True)
    pole = (float(np.degrees(p[0]) * 3600.0) for p in (orientation.pole_x_rad, orientation.pole_y_rad))
    scale.polar_motion_table = (np.array([0.0, 1e7]), *(np.array([p, p]) for p in pole))
    return EarthSatellite.from_omm(scale, fields).at(scale.utc(2024, 11, 1, 0, list(minutes)))


@pytest.mark.sampled(6)
@pytest.mark.parametrize("norad_id", [STATION, NAVIGATION, HIGH])
@pytest.mark.parametrize("form", ["oem-kvn", "oem-xml"])
def test_positions_are_those_of_skyfield_within_a_metre(
    asking: Asking, shared_file: SharedFile, tmp_path: Path, norad_id: int, form: str
) -> None:
    """Read by another program, so that neither our writer nor our reader can hide an error of the other."""
    theirs = of_skyfield(shared_file("gp_onorbit_20241101.csv"), norad_id, range(0, 361, 10))
    for frame, expected_km in (
        ("EME2000", ICRS_to_J2000 @ theirs.position.km),
        ("ITRF", theirs.frame_xyz(itrs).km),
    ):
        path = tmp_path / f"{frame}.{'oem' if form == 'oem-kvn' else 'xml'}"
        words = ["--hours", 6, "--step", 600, "--format", form, "--frame", frame, "--output", path]
        assert asking.path(norad_id, *words) == ""
        table: Any = orbit_formats.read(path).to_dataframe()
        away_km = np.linalg.norm(table[["X", "Y", "Z"]].to_numpy() - expected_km.T, axis=1)
        assert away_km.shape == (37,)
        assert away_km.max() < ONE_METRE_KM


@pytest.mark.parametrize("frame", ["EME2000", "TEME", "ITRF"])
def test_the_xml_is_valid_and_our_reader_takes_it(
    asking: Asking, shared_file: SharedFile, frame: str
) -> None:
    schema = etree.XMLSchema(etree.parse(shared_file("ndm/xsd/ndmxml-4.0.0-master-4.0.xsd")))
    words = ["--hours", 6, "--frame", frame, "--allow-restricted"]
    text = asking.path(ON_EPHEMERIS, *words, "--format", "oem-xml")
    assert schema.validate(etree.fromstring(text.encode())), schema.error_log
    both = read(text), read(asking.path(ON_EPHEMERIS, *words))
    for one, other in zip(both[0].segments, both[1].segments, strict=True):
        assert np.abs(one.r_teme_km - other.r_teme_km).max() < 1e-9
        assert (one.covariance_rtn == other.covariance_rtn).all()


def test_the_path_follows_the_trajectory_in_its_span_and_the_element_set_outside(asking: Asking) -> None:
    text = asking.path(ON_EPHEMERIS, "--hours", 7, "--step", 3000, "--allow-restricted", "--frame", "TEME")
    segments = read(text).segments
    spans = [(one.epochs[0], one.epochs[-1]) for one in segments]
    hours = np.timedelta64(3600, "s")
    assert spans == [
        (START, START + 2 * hours),
        (START + 2 * hours, START + 5 * hours),
        (START + 5 * hours, START + 7 * hours),
    ]
    sources = [line for line in asking.err.splitlines() if not line.startswith("Covariance")]
    assert [line.split(" ")[0] for line in sources] == ["SGP4", "Interpolated"]
    assert "in the trajectory" in text
    # The trajectory was made from the same element set.
    assert np.abs(segments[0].r_teme_km[-1] - segments[1].r_teme_km[0]).max() < INTERPOLATED_KM
    assert np.abs(segments[1].r_teme_km[-1] - segments[2].r_teme_km[0]).max() < INTERPOLATED_KM
    np.testing.assert_allclose(segments[1].covariance_rtn[0], segments[0].covariance_rtn[-1], rtol=1e-9)


def test_a_restricted_path_is_not_written_unless_that_is_allowed(asking: Asking, tmp_path: Path) -> None:
    target = tmp_path / "x.oem"
    asking("ephemeris", ON_EPHEMERIS, "--hours", 3, "--output", target, code=1)
    assert re_lines(asking.err).startswith(f"error: The path of {ON_EPHEMERIS} over this period is based on")
    assert "its source does not allow sharing it" in re_lines(asking.err)
    assert not target.exists()
    before_it = asking("ephemeris", ON_EPHEMERIS, "--hours", 1, "--start", "2024-11-01T00:30:00")
    assert len(read(before_it).segments) == 1
    (listed,) = json.loads(asking("trajectories", "list", "--json"))
    asking("trajectories", "export", listed["id"], code=1)
    assert "its source does not allow sharing it" in re_lines(asking.err)


def re_lines(text: str) -> str:
    """Return a message without the line breaks that fit it to a terminal."""
    return " ".join(text.split())


def test_the_errors_are_those_of_the_law_at_each_age(asking: Asking) -> None:
    known = json.loads(asking("objects", "show", NAVIGATION, "--errors", "--json"))
    table = asking(
        "ephemeris", NAVIGATION, "--start", known["element_epoch"], "--hours", 72, "--step", 3600,
        "--format", "csv",
    )  # fmt: skip
    rows = list(csv.DictReader(io.StringIO(table)))
    assert rows[0]["trajectory"] == "gp"
    for hours, expected in ((0, known["errors"][0]), (24, known["errors"][1]), (72, known["errors"][2])):
        for axis in "rtn":
            name = f"sigma_{axis}_m"
            # The law of the command takes the speed of a circular orbit; this one has e = 0.02.
            assert float(rows[hours][name]) == pytest.approx(expected[name], rel=0.03)


def test_a_table_has_the_states_of_the_message(asking: Asking) -> None:
    rows = list(csv.DictReader(io.StringIO(asking.path(STATION, "--hours", 1, "--format", "csv"))))
    (segment,) = read(asking.path(STATION, "--hours", 1)).segments
    assert [row["time"] for row in rows] == [f"{time}Z" for time in segment.epochs]
    names = ["x_eme2000_km", "y_eme2000_km", "z_eme2000_km"]
    states = np.array([[float(row[name]) for name in names] for row in rows])
    expected, _ = rotations_to_teme("EME2000", segment.epochs).from_teme(segment.r_teme_km, segment.r_teme_km)
    assert np.abs(states - expected).max() < 1e-9


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (["--hours", 24, "--step", 1], 2, "86,401 states; at most 20,000"),
        (["--start", "2023-11-01T00:00:00Z"], 2, "30 days around the window"),
        (["--start", "yesterday"], 2, "is not a time"),
        (["--step", "nan"], 2, "--step is nan"),
        (["--hours", 1e9], 2, "allowed: 0.01 to 720"),
        (["--output", "/nowhere/x.oem"], 2, "does not exist"),
    ],
)
def test_what_cannot_be_is_refused(asking: Asking, words: list[object], code: int, message: str) -> None:
    asking("ephemeris", STATION, *words, code=code)
    assert message in re_lines(asking.err)


def test_an_object_that_the_run_has_not(asking: Asking) -> None:
    asking("ephemeris", 5, code=1)
    assert "No object 5 in the run" in asking.err
