"""Files that cannot be right: each is refused, with the line or the epoch and the reason."""

import gzip
import re

import numpy as np
import pytest

from screening.errors import InputError
from screening.orbits.frames import EARTH_ROTATION_RAD_S
from screening.orbits.texts.ephemerides.errors import UnreadableEphemeris
from screening.orbits.texts.ephemerides.read import MAX_BYTES, chosen, read_ephemerides
from tests.screening.orbits.texts.ephemerides.circling import START, VARIANCES, covariance, oem, states

FIRST_STATE = 13  # the line


def refused(text: str | bytes, reason: str, line: int | None = None) -> None:
    """Check that a text is refused for a reason, and that the line is named."""
    with pytest.raises(InputError, match=reason) as refusal:
        read_ephemerides(text if isinstance(text, bytes) else text.encode(), "made.oem")
    message = str(refusal.value)
    assert "made.oem" in message
    if line is not None:
        assert f"\n  line {line:<4}: " in message, message


def with_lines(text: str, change: dict[int, int]) -> str:
    """Return a text with lines replaced by other lines of its own, counted from 1."""
    lines = text.split("\n")
    return "\n".join(lines[change.get(i, i) - 1] for i in range(1, len(lines) + 1))


def test_what_is_spoiled_below_is_read_as_it_is() -> None:
    read = chosen(read_ephemerides(oem().encode(), "made.oem"), "made.oem")
    assert read.ephemeris[:3] == (0, "CIRCLING", "2024-001A")
    assert read.notes == ()
    (segment,) = read.ephemeris.segments
    assert (segment.usable_from, segment.usable_to) == (segment.epochs[0], segment.epochs[-1])


@pytest.mark.parametrize("compressed", [False, True])
def test_more_than_32_mb_are_refused_before_they_are_parsed(compressed: bool) -> None:
    text = b" " * (MAX_BYTES + 1)
    refused(gzip.compress(text) if compressed else text, "33554432")


def test_ten_million_lines_are_refused() -> None:
    refused(b"\n" * 10_000_000, "has 10,000,000 lines; at most 2,000,000 are allowed")


@pytest.mark.parametrize(
    ("metadata", "reason", "line"),
    [
        ({"CENTER_NAME": "MOON"}, "segment 1 has CENTER_NAME 'MOON'; allowed: EARTH", 7),
        ({"TIME_SYSTEM": "UT1"}, "TIME_SYSTEM 'UT1'; allowed: UTC, GPS, TAI, TT", 9),
        ({"TIME_SYSTEM": "TDB"}, "TIME_SYSTEM 'TDB'; allowed", 9),
        ({"REF_FRAME": "MCI"}, "REF_FRAME 'MCI'; allowed: EME2000, J2000, GCRF", 8),
        ({"REF_FRAME": "GTOD"}, "REF_FRAME 'GTOD'; allowed", 8),
        # Velocities of a frame that does not rotate, called Earth-fixed.
        ({"REF_FRAME": "EME2000", "USEABLE_STOP_TIME": "2024-10-31T00:00:00"}, "nothing is usable", None),
        ({"USEABLE_START_TIME": "2024-11-31T00:00:00"}, "USEABLE_START_TIME: the epoch '2024-11-31", 12),
    ],
)
def test_wrong_metadata(metadata: dict[str, str], reason: str, line: int | None) -> None:
    refused(oem(metadata=metadata), reason, line)


def test_epochs_go_forwards() -> None:
    swapped = {FIRST_STATE + 4: FIRST_STATE + 5, FIRST_STATE + 5: FIRST_STATE + 4}
    backwards = "00:04:00.000000Z is before 2024-11-01T00:05:00.000000Z; epochs must ascend"
    refused(with_lines(oem(), swapped), backwards, FIRST_STATE + 5)
    again = {FIRST_STATE + 6: FIRST_STATE + 5}
    refused(with_lines(oem(), again), "00:05:00.000000Z is again 2024-11-01T00:05:00", FIRST_STATE + 6)


def test_an_epoch_that_does_not_exist() -> None:
    wrong = oem().replace("2024-11-01T00:03:00.000000 ", "2024-11-01T00:03:60.000000 ")
    refused(wrong, "'2024-11-01T00:03:60.000000' is not of the form", FIRST_STATE + 3)


@pytest.mark.parametrize(
    ("scale", "reason"),
    [(1e3, "is 7,000,000 km; .* seems to be in metres, and must be in km"), (0.5, "is 3,500 km; 6,300 to")],
)
def test_positions_that_are_not_km(scale: float, reason: str) -> None:
    refused(oem(scale=scale), reason, FIRST_STATE)


def test_a_jump() -> None:
    epochs, r_km, _ = states()
    good = f"{epochs[7]} " + " ".join(f"{x:.9f}" for x in r_km[7])
    far = f"{epochs[7]} " + " ".join(f"{x:.9f}" for x in r_km[7] * 140)
    assert good in oem()
    refused(oem().replace(good, far), "jumps by 973,.* km in 60 s; at most 12 km/s", FIRST_STATE + 7)
    farther = f"{epochs[7]} " + " ".join(f"{x:.9f}" for x in r_km[7] + 1e6)
    refused(oem().replace(good, farther), "is 1,7.* km; 6,300 to 1,000,000 km are allowed", FIRST_STATE + 7)


def test_velocities_that_are_not_those_of_the_positions() -> None:
    lines = oem().split("\n")
    for i in range(FIRST_STATE - 1, len(lines) - 1):
        words = lines[i].split()
        lines[i] = " ".join([*words[:4], *(str(float(word) * 1e3) for word in words[4:])])
    refused("\n".join(lines), "its velocity is 7,546 km/s; is it in m/s", FIRST_STATE)


def test_velocities_relative_to_the_rotating_earth_beside_inertial_positions() -> None:
    """Half a kilometre a second in low orbit: what a wrong REF_FRAME looks like."""
    epochs, r_km, v_km_s = states()
    text = oem()
    for epoch, r, v in zip(epochs, r_km, v_km_s, strict=True):
        relative = v - np.cross([0.0, 0.0, EARTH_ROTATION_RAD_S], r)
        numbers = " ".join(f"{x:.9f}" for x in (*r, *relative))
        text = text.replace(f"{epoch} " + " ".join(f"{x:.9f}" for x in (*r, *v)), f"{epoch} {numbers}")
    reason = (
        r"velocities do not match its positions, by 0\.\d+ km/s in the middle; are they in the same frame"
    )
    refused(text, reason, FIRST_STATE)


def test_no_numbers() -> None:
    refused(oem().replace("7000.000000000", "NaN"), "State vector must have", FIRST_STATE)
    refused(oem().replace("7000.000000000", "1e999"), "from the Earth's centre is inf km", FIRST_STATE)


def test_a_covariance_with_a_negative_eigenvalue_is_refused() -> None:
    matrix = np.diag(VARIANCES)
    matrix[0, 1] = matrix[1, 0] = 1.2e-3  # a correlation of 1.2
    refused(
        oem(covariances=covariance(matrix)), "2024-11-01T00:00:00.*Z has a correlation eigenvalue of -0.2", 34
    )
    refused(oem(covariances=covariance(-np.diag(VARIANCES))), "has a negative variance", 34)


def test_a_covariance_that_rounding_has_spoiled_is_repaired_and_said() -> None:
    matrix = np.diag(VARIANCES)
    matrix[0, 1] = matrix[1, 0] = 1.00001e-3
    read = chosen(read_ephemerides(oem(covariances=covariance(matrix)).encode(), "made.oem"), "made.oem")
    repaired = read.ephemeris.segments[0].covariance_rtn[0]
    scale = np.sqrt(np.diag(matrix))
    assert np.linalg.eigvalsh(repaired / np.outer(scale, scale)).min() > -1e-12
    assert np.allclose(repaired, matrix, rtol=1e-4)
    assert [note.split(", since")[0] for note in read.notes] == [
        "segment 1: 1 of 1 covariances were repaired"
    ]
    assert "eigenvalue of a correlation was -1e-05" in read.notes[0]


def test_two_objects_are_refused_unless_one_is_chosen() -> None:
    first, second = oem(), oem(metadata={"OBJECT_NAME": "OTHER", "OBJECT_ID": "99999"})
    both = read_ephemerides((first + second[second.index("META_START") :]).encode(), "made.oem")
    with pytest.raises(InputError) as refusal:
        chosen(both, "made.oem")
    assert str(refusal.value) == (
        "made.oem contains 2 trajectories; choose one: CIRCLING (2024-001A); 99999 OTHER."
    )
    assert chosen(both, "made.oem", "other").ephemeris.norad_id == 99999
    assert chosen(both, "made.oem", "2024-001A").ephemeris.name == "CIRCLING"
    with pytest.raises(InputError, match=re.escape("holds none of '5'. It holds: CIRCLING (2024-001A); ")):
        chosen(both, "made.oem", "5")


def test_segments_that_go_back_in_time_are_refused() -> None:
    text = oem()
    again = text + text[text.index("META_START") :]
    begins = f"segment 2 of CIRCLING \\(2024-001A\\) begins at {START}Z, before the one before it ends"
    refused(again, begins)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "it is empty; expected: OEM or OCM"),
        ("hello", "it is none of OEM or OCM"),
        ("CCSDS_CDM_VERS = 1.0\nCREATION_DATE = 2024-11-01", "Cannot read an ephemeris from made.oem: "),
        ("CCSDS_OEM_VERS = 4.0\nCREATION_DATE = 2024-11-01T00:00:00\nORIGINATOR = X\n", "from made.oem: "),
        (b"\x1f\x8b damaged", "its gzip data are damaged or cut off"),
        (oem(count=1), "it has 1 state; there must be at least 2"),
    ],
)
def test_what_is_no_ephemeris(text: str | bytes, reason: str) -> None:
    refused(text, reason)


def test_broken_xml_is_named_with_its_line() -> None:
    text = '<?xml version="1.0"?>\n<oem id="CCSDS_OEM_VERS" version="2.0">\n<header>\n</oem>\n'
    with pytest.raises(UnreadableEphemeris, match=r"its XML is broken \(mismatched tag\)\.\n  line 4 "):
        read_ephemerides(text.encode(), "made.oem")
