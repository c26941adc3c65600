"""Synthetic catalogues: reproducible, recognisable, propagable, and as crowded as the real one."""

import re
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from sgp4.api import SatrecArray

from screening.errors import UsageError
from screening.orbits.elements import ElementArray, validate
from screening.orbits.gravity import EARTH_RADIUS_KM
from screening.orbits.sgp4.propagate import satrecs
from screening.orbits.texts.catalogue import parse_catalogue
from screening.orbits.timegrid import (
    SECONDS_PER_DAY,
    FloatArray,
    instants,
    julian_date,
    seconds_since,
    window,
)
from screening.synthetic.catalogue import synthetic_catalogue
from screening.synthetic.draw import LOWEST_PERIGEE_KM
from screening.synthetic.marks import is_synthetic
from screening.synthetic.populations import OBJECTS_IN_TABLES, POPULATIONS

EPOCH = np.datetime64("2026-11-21T06:00")
REAL_CATALOGUE = "gp_onorbit_20241101.csv"
REAL_EPOCH = np.datetime64("2024-11-01T00:00")

# In no altitude band may there be this many times more, or fewer, objects than in reality.
density_factor = 1.4


def altitudes_km(
    elements: ElementArray, start: np.datetime64, days: FloatArray
) -> tuple[np.ndarray, FloatArray]:
    """Return SGP4 error codes and altitudes above the equator's radius, both (n, len(days))."""
    jd, fraction = julian_date(np.array([start], "M8[us]"))
    error, r, _ = SatrecArray(satrecs(elements)).sgp4(np.full(len(days), jd[0]), fraction[0] + days)
    return error, np.linalg.norm(r, axis=2) - EARTH_RADIUS_KM


def bytes_of(seed: int, epoch: np.datetime64 = EPOCH, objects: int = 1000) -> bytes:
    made = synthetic_catalogue(objects, seed, epoch)
    return made.elements.tobytes() + made.planted.tobytes()


@pytest.mark.parametrize("objects", [200, 201, 999, 26_834, 60_000])
def test_has_as_many_objects_as_asked_for_all_valid(objects: int) -> None:
    elements = synthetic_catalogue(objects, 1, EPOCH).elements
    assert elements["norad_id"].tolist() == list(range(900_000_001, 900_000_001 + objects))
    assert len(set(elements["name"].tolist())) == objects
    accepted, rejected = validate(elements, np.arange(objects))
    assert rejected == []
    assert accepted.tobytes() == elements.tobytes()


def test_is_the_same_for_the_same_seed_and_another_for_another() -> None:
    assert bytes_of(3) == bytes_of(3)
    assert bytes_of(3) != bytes_of(4)


def test_moves_with_its_epoch() -> None:
    shift = np.timedelta64(40 * 86_400_000_000 + 12_345_678, "us")
    before, after = synthetic_catalogue(1000, 5, EPOCH), synthetic_catalogue(1000, 5, EPOCH + shift)
    epochs = [
        instants(made.elements["epoch_jd"], made.elements["epoch_day_fraction"]) for made in (before, after)
    ]
    assert set((epochs[1] - epochs[0]).tolist()) == {shift.astype(object)}
    assert (after.planted["tca"] - before.planted["tca"] == shift).all()
    assert (after.planted["miss_distance_m"] == before.planted["miss_distance_m"]).all()
    drawn = len(before.elements) - len(before.planted)
    for name in before.elements.dtype.names or ():
        if not name.startswith("epoch"):
            assert (before.elements[name][:drawn] == after.elements[name][:drawn]).all(), name


def test_epochs_lie_in_the_two_days_before_most_in_the_last() -> None:
    elements = synthetic_catalogue(5000, 1, EPOCH).elements
    ages_days = -seconds_since(window(EPOCH, 24.0), elements["epoch_jd"], elements["epoch_day_fraction"]) / (
        SECONDS_PER_DAY
    )
    assert ages_days.min() > 0
    assert ages_days.max() < 2
    assert np.mean(ages_days < 1) > 0.75


def test_is_recognised_even_when_mixed_with_real_objects() -> None:
    elements = synthetic_catalogue(200, 1, EPOCH).elements
    real = elements.copy()
    real["norad_id"] = [5, 25544, 99999, 339999, 799_999_999, *range(100_000, 100_195)]
    assert is_synthetic(elements)
    assert is_synthetic(np.concatenate([real, elements[:1]]))
    assert not is_synthetic(real)
    assert not is_synthetic(elements[:0])


def test_every_name_says_that_it_is_synthetic_and_the_ends_tell_the_type() -> None:
    elements = synthetic_catalogue(OBJECTS_IN_TABLES, 1, EPOCH).elements
    names = elements["name"]
    assert np.char.startswith(names, "SYNTH ").all()
    # Names in the real catalogue of 2024-11-01: 10,782 debris and 2,111 rocket bodies among 26,834.
    assert np.mean(np.char.endswith(names, " DEB")) == pytest.approx(0.40, abs=0.02)
    assert np.mean(np.char.endswith(names, " R/B")) == pytest.approx(0.08, abs=0.01)
    assert (np.char.find(names, " DEB ") < 0).all()


@pytest.mark.parametrize(("objects", "seed"), [(200, 0), (4000, 1), (4000, 2), (4000, 3)])
def test_nothing_decays_within_ten_days(objects: int, seed: int) -> None:
    elements = synthetic_catalogue(objects, seed, EPOCH).elements
    error, altitude_km = altitudes_km(elements, EPOCH, np.linspace(-2.0, 11.0, 40))
    assert np.count_nonzero(error) == 0
    assert altitude_km.min() > 180.0


def test_tables_hold_no_orbit_that_would_have_to_be_cut() -> None:
    for population in POPULATIONS:
        lowest_km = min(population.perigee_km or population.altitude_km)
        assert lowest_km >= LOWEST_PERIGEE_KM, population
        assert population.laplace or population.inclination_deg, population


@pytest.mark.parametrize(
    ("objects", "seed", "epoch", "named"),
    [
        (199, 1, EPOCH, "199 objects"),
        (1_000_001, 1, EPOCH, "1000001 objects"),
        (200, -1, EPOCH, "seed is -1"),
        (200, 1, np.datetime64("1956-12-31"), "epoch is 1956-12-31"),
        (200, 1, np.datetime64("2101-01-01"), "epoch is 2101-01-01"),
        (200, 1, np.datetime64("NaT"), "epoch is NaT"),
    ],
)
def test_refuses_what_it_cannot_make(objects: int, seed: int, epoch: np.datetime64, named: str) -> None:
    with pytest.raises(UsageError, match=named):
        synthetic_catalogue(objects, seed, epoch)


def test_the_documented_example_runs(repository: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = (repository / "docs" / "synthetic.md").read_text(encoding="utf-8")
    (example,) = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    exec(compile(example, "docs/synthetic.md", "exec"), {})
    printed = capsys.readouterr().out.splitlines()
    assert len(printed) == 6
    assert all(line.startswith("2026-11-2") for line in printed)


@pytest.mark.slow
def test_is_as_dense_as_the_real_catalogue(shared_file: Callable[[str], Path]) -> None:
    real = parse_catalogue(shared_file(REAL_CATALOGUE).read_bytes()).elements
    synthetic = synthetic_catalogue(len(real), 1, REAL_EPOCH).elements
    days = np.arange(8) * 0.11 + 0.013  # instants that are no multiple of common periods
    bands_km = [200, 400, 500, 600, 700, 800, 900, 1000, 1200, 1400, 1600, 2000]
    bands_km += [5000, 15_000, 20_000, 25_000, 35_500, 36_000, 40_000]
    counts = []
    for elements in (real, synthetic):
        error, altitude_km = altitudes_km(elements, REAL_EPOCH, days)
        counts.append(np.histogram(altitude_km[error == 0], bands_km)[0] / len(days))
    ratio = counts[1] / counts[0]
    assert ratio.max() < density_factor
    assert ratio.min() > 1 / density_factor
