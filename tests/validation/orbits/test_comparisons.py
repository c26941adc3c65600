"""The comparisons of paths and approaches see what differs, and what they compare with is right."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from screening.encounters import ENCOUNTER_DTYPE
from screening.orbits.gravity import EARTH_RADIUS_KM, J2, MU_KM3_S2
from tests.validation.comparison import Comparison, NotRun
from tests.validation.orbits import derelicts, independent_detector, skyfield_frames, socrates
from tests.validation.orbits.burns_integrated import integrated, random_burn
from tests.validation.orbits.independent_detector import Approach, matched
from tests.validation.orbits.reboost import FILE, read_reboost

SharedFile = Callable[[str], Path]


def beyond(comparison: Comparison) -> list[str]:
    return [measure.name for measure in comparison.measures if not measure.agrees]


def test_an_approach_counts_as_found_within_a_second_of_its_pair() -> None:
    ours = np.zeros(2, ENCOUNTER_DTYPE)
    ours["tca_s"], ours["miss_distance_km"] = (100.0, 500.0), (3.0, 4.0)
    truth = [
        Approach((1, 2), 100.25, 3.5, 7.0),  # found, 0.25 s and 500 m off
        Approach((1, 2), 498.0, 4.0, 7.0),  # two seconds from the other of its pair
        Approach((1, 3), 100.0, 3.0, 7.0),  # a pair that never meets
    ]
    beside = matched(truth, {(1, 2): ours})
    assert (beside.tca_s.tolist(), beside.miss_km.tolist(), beside.not_found) == ([-0.25], [-0.5], 2)
    none = matched(truth[2:], {})
    assert (len(none.tca_s), none.not_found) == (0, 1)


@pytest.mark.slow
def test_what_the_search_lacks_is_told(shared_file: SharedFile, tmp_path: Path) -> None:
    """Without one object its approaches of the sample are missing, and the counts are lower."""
    sample = shared_file(independent_detector.SAMPLE)
    (tmp_path / sample.name).symlink_to(sample)
    lines = shared_file(independent_detector.CATALOGUE).read_text().splitlines()
    number = sample.read_text().splitlines()[1].split(",")[0]
    kept = [line for line in lines if line.split(",")[11] != number]
    assert len(kept) == len(lines) - 1
    (tmp_path / independent_detector.CATALOGUE).write_text("\n".join(kept) + "\n")
    assert {"approaches of the sample not found"} < set(beyond(independent_detector.compare(tmp_path)))


@pytest.mark.sampled(7)
@pytest.mark.parametrize(
    ("before", "after", "told"),
    [
        (
            "2026-09-14 17:43:52.271",
            "2026-09-14 17:43:52.291",
            "largest difference of the TCA of a passing pair",
        ),
        (",0.025,", ",0.027,", "largest difference of the range of a passing pair"),
        (",15.095,", ",15.097,", "largest difference of the speed of a passing pair"),
        ("67280,OBJECT AJ [+],3.316,69024", "67280,OBJECT AJ [+],3.316,68378", "not found, a passing pair"),
        (
            "10:14:58.414,0.049",
            "10:14:58.614,0.049",
            "largest difference of the TCA of a pair that flies together",
        ),
    ],
    ids=["TCA", "range", "speed", "pair", "formation"],
)
def test_a_row_of_socrates_that_differs_is_told(
    shared_file: SharedFile, tmp_path: Path, before: str, after: str, told: str
) -> None:
    (tmp_path / socrates.REPORT).parent.mkdir()
    (tmp_path / socrates.ELEMENT_SETS).symlink_to(shared_file(socrates.ELEMENT_SETS))
    text = shared_file(socrates.REPORT).read_text()
    assert text.count(before) == 1
    (tmp_path / socrates.REPORT).write_text(text.replace(before, after))
    assert beyond(socrates.compare(tmp_path)) == [told]


@pytest.mark.slow
def test_the_integration_keeps_what_gravity_keeps() -> None:
    """An oblate Earth leaves an orbit its energy and its angular momentum about the axis."""
    states = np.array([random_burn(seed)[0] for seed in range(20)])
    days_3_s = np.array([0.0, 3.0 * 86_400.0])

    def kept(flown: np.ndarray) -> np.ndarray:
        r, v = flown[:, :3], flown[:, 3:]
        length = np.linalg.norm(r, axis=1)
        sine2 = (r[:, 2] / length) ** 2
        potential = -MU_KM3_S2 / length * (1 - J2 * (EARTH_RADIUS_KM / length) ** 2 * (3 * sine2 - 1) / 2)
        energy = np.einsum("ni,ni->n", v, v) / 2 + potential
        return np.stack([energy, r[:, 0] * v[:, 1] - r[:, 1] * v[:, 0]])

    flown = integrated(states, days_3_s)
    np.testing.assert_array_equal(flown[:, 0], states)
    np.testing.assert_allclose(kept(flown[:, 1]), kept(states), rtol=1e-9)
    point_mass = MU_KM3_S2 / np.linalg.norm(flown[:, 1, :3], axis=1)
    assert np.ptp(np.sum(flown[:, 1, 3:] ** 2, axis=1) / 2 - point_mass - kept(states)[0]) > 1e-3  # J2 acts


def test_a_reboost_that_is_not_in_the_ephemeris_fits_no_burn(
    shared_file: SharedFile, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Six days earlier the station coasts: no burn of 0.3 to 0.7 m/s fits its path."""
    monkeypatch.setattr("tests.validation.orbits.reboost.BURN", np.datetime64("2022-02-20T01:37:00", "us"))
    reboost = read_reboost(shared_file(FILE).parents[2])
    assert np.isnan(reboost.fitting_dv_m_s())
    assert reboost.off(24.0, 0.0).km < 5.0 < reboost.off(24.0, 0.5).km


def test_without_skyfield_the_comparison_says_so(
    shared_file: SharedFile, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(skyfield_frames, "INSTALLED", False)
    with pytest.raises(NotRun, match="needs the Python packages skyfield and pyproj"):
        skyfield_frames.compare(shared_file(skyfield_frames.CATALOGUE).parent)


@pytest.mark.slow
def test_a_row_of_derelict_objects_that_differs_is_told(shared_file: SharedFile, tmp_path: Path) -> None:
    """Of seven rows one is 20 ms late, one 2 m near, one of a pair that never meets, two are slow."""
    folder = tmp_path / derelicts.FOLDER
    folder.mkdir(parents=True)
    name = f"{derelicts.FOLDER}/20190315"
    (folder / "20190315.tle.gz").symlink_to(shared_file(f"{name}.tle.gz"))
    head, *lines = shared_file(f"{name}.csv").read_text().splitlines()[:8]
    rows = [line.split(",") for line in lines]
    rows[0][3] = str(np.datetime64(rows[0][3].replace(" ", "T")) + np.timedelta64(20, "ms"))
    rows[1][4] = str(float(rows[1][4]) - 0.002)
    rows[2][1] = "5"
    rows[3][5] = rows[4][5] = "0.001"
    rows[4][1] = "5"
    (folder / "20190315.csv").write_text("\n".join([head, *(",".join(row) for row in rows)]) + "\n")
    comparison = derelicts.compare(tmp_path)
    assert comparison.number == 5
    assert beyond(comparison) == [
        "rows of 10 m/s or more not found",
        "largest difference of a TCA",
        "largest difference of a range",
        "the same, epochs rounded as theirs",
    ]
    told = {measure.name: measure.value for measure in comparison.measures}
    assert (told["slower rows"], told["slower rows whose pair is not found"]) == (2, 1)
