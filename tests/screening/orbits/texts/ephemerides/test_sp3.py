"""SP3: navigation satellites, Earth-fixed, in GPS time."""

import numpy as np
import pytest

from screening.errors import InputError
from screening.orbits.reference.celestial import rotations_to_teme
from screening.orbits.texts.ephemerides.read import chosen, read_ephemerides
from tests.screening.orbits.texts.ephemerides.circling import states

STEP_S = 300.0
GPS_AHEAD = np.timedelta64(18, "s")  # of UTC in 2024
# The text has six decimals of a km, 0.5 mm.
ROUNDING_KM = 1e-6


def sp3(version: str = "d", frame: str = "IGb20", system: str = "GPS", *, manoeuvre: int = -1) -> str:
    """Return two satellites on one circle; the second has no positions at times 3 and 4."""
    epochs, r_km, v_km_s = states(16, STEP_S)
    fixed, _ = rotations_to_teme("ITRF", epochs).from_teme(r_km, v_km_s)
    lines = [
        f"#{version}P2024 11  1  0  0  0.00000000      16 ORBIT {frame} FIT  AAA",
        "## 2338 432000.00000000   300.00000000 60615 0.0000000000000",
        "+    2   G01G02  0  0  0  0  0  0  0  0  0  0  0  0  0  0  0",
        "++         2  2  0  0  0  0  0  0  0  0  0  0  0  0  0  0  0",
        f"%c M  cc {system} ccc cccc cccc cccc cccc ccccc ccccc ccccc ccccc",
        "%c cc cc ccc ccc cccc cccc cccc cccc ccccc ccccc ccccc ccccc",
        "/* MADE FOR TESTS",
    ]
    for i, (epoch, r) in enumerate(zip(epochs + (GPS_AHEAD if system == "GPS" else 0), fixed, strict=True)):
        when = epoch.item()
        seconds = when.second + when.microsecond / 1e6
        lines.append(
            f"*  {when.year} {when.month:2} {when.day:2} {when.hour:2} {when.minute:2} {seconds:11.8f}"
        )
        other = np.zeros(3) if i in (3, 4) else -r
        for name, at in (("G01", r), ("G02", other)):
            text = f"P{name}" + "".join(f"{x:14.6f}" for x in (*at, 999999.999999))
            lines.append(f"{text:<78}" + ("M" if i == manoeuvre else ""))
    return "\n".join([*lines, "EOF", ""])


@pytest.mark.parametrize("version", ["c", "d"])
@pytest.mark.parametrize("system", ["GPS", "UTC"])
def test_positions_and_epochs(version: str, system: str) -> None:
    read = read_ephemerides(sp3(version, system=system).encode(), "made.sp3")
    segment = chosen(read, "made.sp3", "G01").ephemeris.segments[0]
    epochs, r_km, _ = states(16, STEP_S)
    assert (segment.epochs == epochs).all()
    assert np.abs(segment.r_teme_km - r_km).max() < ROUNDING_KM


def test_an_epoch_without_a_position_is_left_out() -> None:
    read = read_ephemerides(sp3().encode(), "made.sp3")
    (segment,) = chosen(read, "made.sp3", "G02").ephemeris.segments
    assert np.delete(states(16, STEP_S)[0], [3, 4]).tolist() == segment.epochs.tolist()


def test_a_marked_manoeuvre_ends_a_segment() -> None:
    read = read_ephemerides(sp3(manoeuvre=7).encode(), "made.sp3")
    segments = chosen(read, "made.sp3", "G01").ephemeris.segments
    assert [len(segment.epochs) for segment in segments] == [8, 8]


def test_several_satellites_are_refused_unless_one_is_chosen() -> None:
    with pytest.raises(InputError, match="contains 2 trajectories; choose one: G01; G02"):
        chosen(read_ephemerides(sp3().encode(), "made.sp3"), "made.sp3")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (sp3(frame="PZ-90"), r"its frame is 'PZ-90'; allowed: ITRF, IGS, SLR frames\.\n  line 1 "),
        (sp3(system="GLO"), r"its time system is 'GLO'; allowed: GPS, UTC, TAI, TT\.\n  line 5 "),
        (sp3().replace("EOF", ""), "its last line is not EOF: it is cut off"),
        (sp3().replace("PG01", "PG01 x", 1), r"not three numbers of 14 columns\.\n  line 9 "),
        (
            sp3().replace("*  2024 11  1  0  5", "*  2024 13  1  0  5"),
            r"not year, month, day, time\.\n  line 11",
        ),
    ],
)
def test_what_cannot_be_used(text: str, reason: str) -> None:
    with pytest.raises(InputError, match=reason):
        read_ephemerides(text.encode(), "made.sp3")
