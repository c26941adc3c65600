"""One path in several frames and time systems is one path; so are its covariances."""

import numpy as np
import pytest

from screening.orbits.ephemerides import Segment
from screening.orbits.reference.celestial import FrameName, rotations_to_teme
from screening.orbits.texts.ephemerides.read import chosen, read_ephemerides
from screening.orbits.timegrid import FloatArray
from tests.screening.orbits.texts.ephemerides.circling import START, VARIANCES, covariance, oem, states

# Texts have nine decimals of a km.
ROUNDING_KM = 1e-8


def segment(text: str) -> Segment:
    (only,) = chosen(read_ephemerides(text.encode(), "made.oem"), "made.oem").ephemeris.segments
    return only


def in_frame(frame: FrameName, name: str, covariances: str = "") -> str:
    """Return the circling object of TEME, written in another frame."""
    epochs, r_km, v_km_s = states()
    other = rotations_to_teme(frame, epochs).from_teme(r_km, v_km_s)
    head = oem(metadata={"REF_FRAME": name}).split("META_STOP\n")[0]
    lines = [
        f"{epoch} " + " ".join(f"{x:.9f}" for x in (*r, *v))
        for epoch, r, v in zip(epochs, *other, strict=True)
    ]
    return head + "META_STOP\n" + "\n".join(lines) + "\n" + covariances


@pytest.mark.parametrize(
    ("frame", "name"),
    [
        ("TEME", "TEME"),
        ("EME2000", "EME2000"),
        ("EME2000", "J2000"),
        ("GCRF", "GCRF"),
        ("GCRF", "ICRF"),
        ("TOD", "TOD"),
        ("ITRF", "ITRF2014"),
        ("ITRF", "ITRF-97"),
        ("ITRF", "ITRF2000"),
    ],
)
def test_a_path_is_the_same_in_every_frame(frame: FrameName, name: str) -> None:
    assert np.abs(segment(in_frame(frame, name)).r_teme_km - states()[1]).max() < ROUNDING_KM


@pytest.mark.parametrize(
    ("system", "ahead"),
    [("GPS", "18000"), ("TAI", "37000"), ("TT", "69184"), ("UTC", "0")],  # of UTC in 2024, ms
)
def test_a_path_is_the_same_in_every_time_system(system: str, ahead: str) -> None:
    text = oem(metadata={"TIME_SYSTEM": system})
    for epoch in states()[0]:
        text = text.replace(f"\n{epoch} ", f"\n{epoch + np.timedelta64(int(ahead), 'ms')} ")
    assert (segment(text).epochs == states()[0]).all()


def test_days_of_the_year_and_a_z_and_many_decimals() -> None:
    text = oem()
    for epoch in states()[0]:
        time = str(epoch)[10:]
        text = text.replace(f"\n{epoch} ", f"\n2024-306{time}000000Z ")
    assert (segment(text).epochs == states()[0]).all()


def turned(frame: FrameName) -> FloatArray:
    """Return the covariance of the circling object at its start in a celestial frame, by hand."""
    epochs, r_km, v_km_s = states()
    r, v = (x[0] for x in rotations_to_teme(frame, epochs[:1]).from_teme(r_km[:1], v_km_s[:1]))
    radial, normal = r / np.linalg.norm(r), np.cross(r, v) / np.linalg.norm(np.cross(r, v))
    axes = np.array([radial, np.cross(normal, radial), normal])
    both = np.kron(np.eye(2), axes)
    matrix: FloatArray = both.T @ np.diag(VARIANCES) @ both
    return matrix


@pytest.mark.parametrize("name", ["RTN", "RSW", "UVW", "RTN_INERTIAL"])
def test_covariances_of_the_orbit_stay_as_they_are(name: str) -> None:
    read = segment(in_frame("TEME", "TEME", covariance(np.diag(VARIANCES), name)))
    assert (read.covariance_rtn == np.diag(VARIANCES)).all()
    assert read.covariance_epochs.tolist() == [START.item()]


@pytest.mark.parametrize(("frame", "name"), [("EME2000", "EME2000"), ("GCRF", "ICRF"), ("EME2000", "")])
def test_covariances_of_a_celestial_frame_are_turned(frame: FrameName, name: str) -> None:
    """Without COV_REF_FRAME they are of the frame of the states."""
    read = segment(in_frame(frame, frame, covariance(turned(frame), name)))
    assert np.abs(read.covariance_rtn[0] - np.diag(VARIANCES)).max() < 1e-12


def test_along_the_velocity_of_a_circle_is_in_track_and_down_is_negative_radial() -> None:
    tnw = np.diag(np.array(VARIANCES)[[1, 0, 2, 4, 3, 5]])
    tnw[0, 1] = tnw[1, 0] = 5e-4
    read = segment(in_frame("TEME", "TEME", covariance(tnw, "TNW")))
    expected = np.diag(VARIANCES)
    expected[0, 1] = expected[1, 0] = -5e-4
    # The velocity of the circle is inertial and at right angles to the radius.
    assert np.abs(read.covariance_rtn[0] - expected).max() < 1e-12


def test_a_covariance_between_two_states_is_turned_by_the_state_there() -> None:
    epochs, r_km, _ = states(21, 30.0)
    matrix = np.kron(np.eye(2), np.outer(r_km[1], r_km[1])) * 1e-12 + np.eye(6) * 1e-9  # along the radius
    read = segment(in_frame("TEME", "TEME", covariance(matrix, "TEME", epochs[1])))
    sizes = np.diag(read.covariance_rtn[0])
    assert sizes[0] == pytest.approx(7000.0**2 * 1e-12 + 1e-9, rel=1e-6)
    # The cubic between states a minute apart is metres off: 1e-6 of the radius.
    assert sizes[1] == pytest.approx(1e-9, rel=1e-2)
    assert sizes[2] == pytest.approx(1e-9, rel=1e-2)


def test_an_unknown_frame_of_a_covariance_is_refused() -> None:
    with pytest.raises(Exception, match=r"COV_REF_FRAME is 'NTW'; allowed are RTN, RSW, .*\n  line 34 "):
        segment(oem(covariances=covariance(np.diag(VARIANCES), "NTW")))


def test_usable_spans_are_kept_and_cut_to_the_states() -> None:
    span = {"USEABLE_START_TIME": "2024-11-01T00:02:30", "USEABLE_STOP_TIME": "2024-11-05T00:00:00"}
    read = segment(oem(metadata=span))
    assert read.usable_from == START + np.timedelta64(150, "s")
    assert read.usable_to == read.epochs[-1]
