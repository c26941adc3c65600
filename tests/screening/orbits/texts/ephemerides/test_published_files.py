"""Every published file: what is expected of it, and what happens."""

import re
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from screening.orbits.earth_orientation import EarthOrientation
from screening.orbits.reference import celestial
from screening.orbits.texts.ephemerides.errors import UnreadableEphemeris
from screening.orbits.texts.ephemerides.read import chosen, read_ephemerides

SharedFile = Callable[[str], Path]

MARS = r"has CENTER_NAME 'MARS( BARYCENTER)?'; allowed: EARTH\."

# Earth-centred, UTC: whose it is, how many states, what is said of it.
READ = {
    "oem/ISS.OEM_J2K_EPH_2022-02-14.xml.gz": (0, "ISS", "1998-067A", 5558, ""),
    "oem/ISS.resampled.truncated.txt": (0, "ISS", "1998-067A", 25, ""),
    "oem/OEMExample5.txt": (0, "ISS", "1998-067A", 49, ""),
    "oem/OEMExample5ITRF.txt": (0, "ISS", "1998-067A", 49, ""),
    "oem/test.oem": (25544, "25544", "", 2, r"STOP_TIME is 2019-09-10T00:00:00.000000Z; cut off\?"),
    # Its covariance is of 23 years before.
    "oem/test_cov.oem": (25544, "25544", "", 2, "1 of 1 covariances are left out: 1996-12-28"),
    # Its covariance is a triangle over six lines without times, where the standard has one line a time.
    "ocm/golden_ocm.ocm": (58724, "POLARIS-1", "2024-013A", 3, "covariance 1 is left out"),
    "ocm/golden_ocm.xml": (58724, "POLARIS-1", "2024-013A", 3, "covariance 1 is left out"),
}
# About Mars, of a clock of its own, or broken: line and reason.
REFUSED = {
    "oem/OEM-Issue839.txt": (9, MARS),
    "oem/OEM-covariance-number-format-error.txt": (52, "Invalid float"),
    "oem/OEM-ephemeris-number-format-error.txt": (44, "State vector must have at least 6 components"),
    "oem/OEM-inconsistent-time-systems.txt": (33, "Invalid value for 'TIME_SYSTEM': 'TCG'"),
    "oem/OEM-keyword-within-covariance.txt": (91, "Expected EPOCH in covariance matrix"),
    "oem/OEM-keyword-within-ephemeris.txt": (24, "invalid epoch format: 'USER_DEFINED_TEST_KEY'"),
    "oem/OEM-too-few-covariance-columns.txt": (55, "a row of a covariance has 4 numbers, and not 5"),
    "oem/OEM-too-many-covariance-columns.txt": (51, "a row of a covariance has 6 numbers, and not 1"),
    "oem/OEM-wrong-keyword.txt": (19, "Unexpected OEM Metadata key"),
    "oem/OEMExample1.txt": (10, MARS),
    "oem/OEMExample2.txt": (13, "TIME_SYSTEM 'MRT'; allowed: UTC, GPS, TAI, TT"),
    "oem/OEMExample3.txt": (10, MARS),
    "oem/OEMExample3.xml": (17, MARS),
    "oem/OEMExample4.txt": (8, MARS),
    "oem/OEMExample6.txt": (12, MARS),
    "oem/OEMExample8.txt": (17, "INTERPOLATION_DEGREE is missing or wrong"),
    "oem/OEMExampleWithHeaderComment.txt": (10, MARS),
}


def test_every_file_is_in_the_table(shared_file: SharedFile) -> None:
    there = {
        f"{folder}/{path.name}"
        for folder in ("oem", "ocm")
        for path in shared_file(f"ndm/{folder}").iterdir()
    }
    assert there == {*READ, *REFUSED}


@pytest.mark.parametrize("name", READ)
def test_an_earth_centred_file_is_read(name: str, shared_file: SharedFile) -> None:
    norad_id, object_name, object_id, count, note = READ[name]
    read = chosen(read_ephemerides(shared_file(f"ndm/{name}").read_bytes(), name), name)
    assert read.ephemeris[:3] == (norad_id, object_name, object_id)
    assert [len(segment.epochs) for segment in read.ephemeris.segments] == [count]
    assert bool(read.notes) == bool(note)
    assert not note or any(re.search(note, said) for said in read.notes), read.notes


@pytest.mark.parametrize("name", REFUSED)
def test_a_file_that_cannot_be_used_is_refused_with_line_and_reason(
    name: str, shared_file: SharedFile
) -> None:
    line, reason = REFUSED[name]
    with pytest.raises(UnreadableEphemeris, match=reason) as refusal:
        read_ephemerides(shared_file(f"ndm/{name}").read_bytes(), name)
    assert str(refusal.value).startswith(f"Cannot read an ephemeris from {name}: ")
    assert f"\n  line {line:<4}: " in str(refusal.value)


def test_the_same_path_in_gcrf_and_in_itrf_is_one(
    monkeypatch: pytest.MonkeyPatch, shared_file: SharedFile
) -> None:
    """Two files of one path, by another program that took UT1 for UTC and left out the pole's motion."""

    def none(jd: np.ndarray, day_fraction: np.ndarray) -> EarthOrientation:  # type: ignore[type-arg]
        zero = np.zeros(np.broadcast(jd, day_fraction).shape)
        return EarthOrientation(zero, zero, zero, zero > 0.0)

    monkeypatch.setattr(celestial, "earth_orientation", none)
    paths = [
        read_ephemerides(shared_file(f"ndm/{name}").read_bytes(), name)[0].ephemeris.segments[0]
        for name in ("oem/OEMExample5.txt", "oem/OEMExample5ITRF.txt")
    ]
    assert (paths[0].epochs == paths[1].epochs).all()
    # A metre is what the frames are asked to hold.
    assert np.linalg.norm(paths[0].r_teme_km - paths[1].r_teme_km, axis=1).max() < 1e-3
