"""Orbit comprehensive messages: trajectories, several of them, and covariances of each ordering."""

import numpy as np
import pytest

from screening.errors import InputError
from screening.orbits.reference.celestial import rotations_to_teme
from screening.orbits.texts.ephemerides.read import chosen, read_ephemerides
from screening.orbits.timegrid import FloatArray
from tests.screening.orbits.texts.ephemerides.circling import START, states

MATRIX = np.diag([1e-4, 1e-2, 1e-4, 1e-6, 1e-8, 1e-8])
MATRIX[0, 1] = MATRIX[1, 0] = 2e-4
SIGMAS = np.sqrt(np.diag(MATRIX))
CORRELATIONS = MATRIX / np.outer(SIGMAS, SIGMAS)


def trajectory(first: int, last: int, more: str = "", *, units: str = "", kind: str = "CARTPV") -> str:
    """Return a block with states of the circling object, by seconds from the start."""
    _, r_km, v_km_s = states()
    lines = [
        f"{60.0 * i} " + " ".join(f"{x:.9f}" for x in (*r_km[i], *v_km_s[i])) for i in range(first, last)
    ]
    keywords = f"{more}CENTER_NAME = EARTH\nTRAJ_REF_FRAME = GCRF\nTRAJ_TYPE = {kind}\n{units}"
    return f"TRAJ_START\n{keywords}" + "\n".join(lines) + "\nTRAJ_STOP\n"


def ocm(*blocks: str, system: str = "UTC") -> bytes:
    head = (
        "CCSDS_OCM_VERS = 3.0\nCREATION_DATE = 2024-11-01T00:00:00\nORIGINATOR = TESTS\n"
        "META_START\nOBJECT_NAME = CIRCLING\n"
        "INTERNATIONAL_DESIGNATOR = 2024-001A\nOBJECT_DESIGNATOR = 99999\n"
        f"TIME_SYSTEM = {system}\nEPOCH_TZERO = {START}\nMETA_STOP\n"
    )
    return (head + "".join(blocks)).encode()


def covariances(values: FloatArray, ordering: str) -> str:
    lines = "".join(f"{t} " + " ".join(f"{x:.12e}" for x in values) + "\n" for t in ("0.0", "600.0"))
    return f"COV_START\nCOV_REF_FRAME = RTN\nCOV_TYPE = CARTPV\nCOV_ORDERING = {ordering}\n{lines}COV_STOP\n"


def test_seconds_from_the_epoch_of_the_message() -> None:
    (read,) = read_ephemerides(ocm(trajectory(0, 20)), "made.ocm")
    assert read.ephemeris[:3] == (99999, "CIRCLING", "2024-001A")
    (segment,) = read.ephemeris.segments
    epochs, r_km, v_km_s = states()
    assert (segment.epochs == epochs).all()
    expected, _ = rotations_to_teme("GCRF", epochs).states(r_km, v_km_s)
    assert np.abs(segment.r_teme_km - expected).max() < 1e-8


def test_seconds_are_of_the_time_system_of_the_message() -> None:
    (read,) = read_ephemerides(ocm(trajectory(0, 20), system="GPS"), "made.ocm")
    assert (read.ephemeris.segments[0].epochs == states()[0] - np.timedelta64(18, "s")).all()


@pytest.mark.parametrize(
    ("ordering", "values"),
    [
        ("LTM", MATRIX[np.tril_indices(6)]),
        ("UTM", MATRIX[np.triu_indices(6)]),
        ("FULL", MATRIX.ravel()),
        ("LTMWCC", (np.tril(MATRIX) + np.triu(CORRELATIONS, 1)).ravel()),
        ("UTMWCC", (np.triu(MATRIX) + np.tril(CORRELATIONS, -1)).ravel()),
    ],
)
def test_covariances_of_every_ordering(ordering: str, values: FloatArray) -> None:
    (read,) = read_ephemerides(ocm(trajectory(0, 20), covariances(values, ordering)), "made.ocm")
    (segment,) = read.ephemeris.segments
    assert segment.covariance_epochs.tolist() == [START.item(), (START + np.timedelta64(600, "s")).item()]
    assert np.allclose(segment.covariance_rtn, MATRIX, rtol=1e-12, atol=0.0)
    assert read.notes == ()


def test_blocks_that_follow_one_another_are_segments_of_one_ephemeris() -> None:
    (read,) = read_ephemerides(ocm(trajectory(0, 10), trajectory(9, 20)), "made.ocm")
    assert [len(segment.epochs) for segment in read.ephemeris.segments] == [10, 11]
    assert read.candidate == ""


def test_blocks_of_one_time_are_candidates_of_which_one_is_chosen() -> None:
    blocks = trajectory(0, 20, "TRAJ_ID = PLAN-A\n"), trajectory(0, 15, "TRAJ_ID = PLAN-B\n")
    read = read_ephemerides(ocm(*blocks), "made.ocm")
    with pytest.raises(InputError, match=r"99999 CIRCLING \(2024-001A\), PLAN-A; 99999 .*, PLAN-B\."):
        chosen(read, "made.ocm")
    assert len(chosen(read, "made.ocm", "plan-b").ephemeris.segments[0].epochs) == 15


@pytest.mark.parametrize(
    ("block", "system", "reason"),
    [
        (
            trajectory(0, 20, kind="KEPLERIAN"),
            "UTC",
            r"TRAJ_TYPE is 'KEPLERIAN'; allowed: CARTP, .*\n  line 14 ",
        ),
        (trajectory(0, 20, kind="CARTP"), "UTC", "line of data 1: 6 numbers after the time, CARTP has 3"),
        (
            trajectory(0, 20, units="TRAJ_UNITS = [m,m,m,m/s,m/s,m/s]\n"),
            "UTC",
            r"'TRAJ_UNITS': .* units\)\.\n  line 15 ",
        ),
        (trajectory(0, 20), "SCLK", "TIME_SYSTEM is 'SCLK'; allowed: UTC, GPS, TAI, TT"),
        ("", "UTC", "it has no trajectory"),
    ],
)
def test_what_cannot_be_used(block: str, system: str, reason: str) -> None:
    with pytest.raises(InputError, match=reason):
        read_ephemerides(ocm(block, system=system), "made.ocm")
