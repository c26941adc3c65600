"""Seven forecasts of a satellite, each judged by the next, beside a plain loop with python-sgp4."""

import json
import math
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from sgp4.api import WGS72, Satrec
from typer.testing import CliRunner

from screening.orbits.ephemerides import Ephemeris, Segment
from skysieve.command_line import app
from storage.trajectories.kept import add_trajectory
from storage.trajectories.scorecard import LEADS_HOURS, scorecard
from storage.trajectories.trajectory_file import About
from storage.vocabulary import EVERYBODY

SharedFile = Callable[[str], Path]
SIGMA_M = (60.0, 1500.0, 90.0)
NUMBER = 48430
FIRST, LAST = 3, 10  # of the sets: seven of 2023-01-29 to 02-01
HOURS = 36
LATE = timedelta(hours=2)
Vector = tuple[float, float, float]


@pytest.fixture(scope="module")
def sets(shared_file: SharedFile) -> list[Satrec]:
    """Give the seven element sets."""
    lines = shared_file("meme/gp_48430.txt").read_text().splitlines()
    pairs = list(zip(lines[::2], lines[1::2], strict=True))[FIRST:LAST]
    return [Satrec.twoline2rv(*pair, WGS72) for pair in pairs]


def begins_of(one: Satrec) -> datetime:
    """Return the first full hour after the epoch."""
    epoch = datetime(2000, 1, 1, 12, tzinfo=UTC) + timedelta(
        days=one.jdsatepoch - 2451545.0 + one.jdsatepochF
    )
    return epoch.replace(minute=0, second=0, microsecond=0) + timedelta(hours=1)


def at(one: Satrec, time: datetime) -> tuple[Vector, Vector]:
    since = time - datetime(2000, 1, 1, 12, tzinfo=UTC)
    error, r_km, v_km_s = one.sgp4(2451545.0, since / timedelta(days=1))
    assert error == 0
    return r_km, v_km_s


@pytest.fixture(scope="module")
def kept(sets: list[Satrec], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give a store that has a path of each, with the same errors at all times; added two hours late."""
    return stored(sets, tmp_path_factory.mktemp("scored"), [""] * len(sets))


def stored(sets: list[Satrec], store: Path, providers: list[str]) -> Path:
    covariance = np.diag([*(np.array(SIGMA_M) / 1000.0) ** 2, 0.0, 0.0, 0.0])
    for number, one in enumerate(sets):
        begins = begins_of(one)
        times = [begins + timedelta(minutes=i) for i in range(HOURS * 60 + 1)]
        epochs = np.array([time.replace(tzinfo=None) for time in times], "M8[us]")
        r_km = np.array([at(one, time)[0] for time in times])
        segment = Segment(epochs, r_km, epochs[0], epochs[-1], epochs[[0, -1]], np.stack([covariance] * 2))
        about = About(
            *("definitive", f"{number}.oem", "0" * 64, begins + LATE, False),
            added_by=providers[number],
            organisation_id=EVERYBODY,
        )
        add_trajectory(store, Ephemeris(NUMBER, "X", "", (segment,)), about)
    return store


def naive(sets: Sequence[Satrec]) -> dict[float, list[tuple[float, float, float, float]]]:
    """Return R, T, N differences (m) and chi-squares by the lead from which they count."""
    found: dict[float, list[tuple[float, float, float, float]]] = {}
    for older, newer in pairwise(sets):
        start, end = begins_of(newer), begins_of(older) + timedelta(hours=HOURS)
        time = start
        while time <= end:
            r, v = (np.array(x) for x in at(newer, time))
            off_m = (np.array(at(older, time)[0]) - r) * 1000.0
            radial = r / np.linalg.norm(r)
            normal = np.cross(r, v) / np.linalg.norm(np.cross(r, v))
            r_m, t_m, n_m = off_m @ radial, off_m @ np.cross(normal, radial), off_m @ normal
            chi_square = sum((x / s) ** 2 for x, s in zip((r_m, t_m, n_m), SIGMA_M, strict=True))
            lead = (time - begins_of(older)) / timedelta(hours=1)
            bin_from = max(x for x in LEADS_HOURS if x <= lead)
            found.setdefault(bin_from, []).append((r_m, t_m, n_m, chi_square))
            time += timedelta(minutes=10)
    return found


def test_errors_by_lead_are_those_of_a_plain_loop(kept: Path, sets: list[Satrec]) -> None:
    card, expected = scorecard(kept, NUMBER), naive(sets)
    assert [one.from_hours for one in card.by_lead] == sorted(expected)
    for one in card.by_lead:
        rows = expected[one.from_hours]
        assert one.compared == len(rows)
        for value, column in zip((one.radial_m, one.in_track_m, one.cross_track_m), range(3), strict=True):
            rms = math.sqrt(sum(row[column] ** 2 for row in rows) / len(rows))
            assert value == pytest.approx(rms, rel=1e-3, abs=0.1)
        assert one.chi_square == pytest.approx(sum(row[3] for row in rows) / len(rows), rel=1e-3)
        assert one.within_95 == pytest.approx(sum(row[3] <= 7.815 for row in rows) / len(rows), abs=0.02)


def test_each_provider_is_judged_by_its_own_files(sets: list[Satrec], tmp_path: Path) -> None:
    store = stored(sets, tmp_path / "two", ["one", "other"] * 3 + ["one"])
    shown = CliRunner().invoke(app, ["trajectories", "scorecard", "--store", str(store), "--json"])
    cards = json.loads(shown.output)
    assert [(card["provider"], card["objects"], card["files"]) for card in cards] == [
        ("one", 1, 4),
        ("other", 1, 3),
    ]
    for card, its in zip(cards, (sets[::2], sets[1::2]), strict=True):
        expected = naive(its)
        assert card["age_hours"] == 2.0
        assert {one["from_hours"]: one["compared"] for one in card["by_lead"]} == {
            lead: len(rows) for lead, rows in expected.items()
        }
        for one in card["by_lead"]:
            rows = expected[one["from_hours"]]
            rms = math.sqrt(sum(row[1] ** 2 for row in rows) / len(rows))
            assert one["in_track_m"] == pytest.approx(rms, rel=1e-3, abs=0.1)
        ends = [begins_of(one) + timedelta(hours=HOURS) for one in its]
        gaps = [
            (begins_of(after) - end) / timedelta(hours=1) for end, after in zip(ends, its[1:], strict=False)
        ]
        gaps = [gap for gap in gaps if gap > 1.0]
        assert (card["outages"], card["outage_hours"]) == (len(gaps), pytest.approx(sum(gaps), abs=0.05))
    table = CliRunner().invoke(app, ["trajectories", "scorecard", "--store", str(store)]).output
    assert "Provider" in table


def test_each_file_is_told_with_its_age_and_outages_between(kept: Path, sets: list[Satrec]) -> None:
    card = scorecard(kept, NUMBER)
    assert [one.source for one in card.files] == [f"{number}.oem" for number in range(7)]
    assert {one.age_hours for one in card.files} == {2.0}
    for one, older, newer in zip(card.files[:-1], sets[:-1], sets[1:], strict=True):
        overlap = begins_of(older) + timedelta(hours=HOURS) - begins_of(newer)
        assert one.overlap_hours == pytest.approx(max(0.0, overlap / timedelta(hours=1)), abs=1e-3)
    assert card.files[-1].largest_m is None
    ends = [begins_of(one) + timedelta(hours=HOURS) for one in sets]
    gaps = [begins_of(after) - end for end, after in zip(ends, sets[1:], strict=False)]
    assert all(gap < timedelta(0) for gap in gaps)
    assert card.outages == []


def test_a_missing_file_is_an_outage(kept: Path, sets: list[Satrec]) -> None:
    later = begins_of(sets[-1]) + timedelta(hours=HOURS + 9)
    times = [later + timedelta(minutes=i) for i in range(30)]
    epochs = np.array([time.replace(tzinfo=None) for time in times], "M8[us]")
    r_km = np.array([at(sets[-1], time)[0] for time in times])
    none = epochs[:0], np.empty((0, 6, 6))
    segment = Segment(epochs, r_km, epochs[0], epochs[-1], *none)
    about = About("definitive", "late.oem", "0" * 64, later, restricted=False)
    add_trajectory(kept, Ephemeris(NUMBER, "X", "", (segment,)), about)
    card = scorecard(kept, NUMBER)
    (outage,) = card.outages
    assert outage.hours == 9.0
    shown = CliRunner().invoke(
        app, ["trajectories", "scorecard", str(NUMBER), "--store", str(kept), "--json"]
    )
    assert json.loads(shown.output)["outages"][0]["hours"] == 9.0
    assert scorecard(kept, 5).files == []
