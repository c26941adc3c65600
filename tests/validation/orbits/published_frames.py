"""TEME to ITRF: the worked example of the paper that defines TEME for SGP4."""

from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from screening.orbits.earth_orientation import EarthOrientation, earth_orientation
from screening.orbits.frames import itrf_from_teme, itrf_state_from_teme
from screening.orbits.timegrid import julian_date
from tests.validation.comparison import About, Comparison, Measure
from tests.validation.files import json_of, understood

FloatArray = npt.NDArray[np.float64]

FILE = "frames/reference_values.json"
ABOUT = About(
    title="Frames: TEME to ITRF",
    source="Vallado, Crawford, Hujsak and Kelso (2006), Revisiting Spacetrack Report #3, AIAA 2006-6753, "
    "appendix C.",
    what="The state of the worked example, turned from TEME to ITRF with the Earth orientation of the "
    "paper, and again with our own (IERS).",
    limits="The paper computes with one float64 Julian date, which resolves 40 us, in which a place on the "
    "turning Earth moves by 20 mm. It takes UT1 of midnight as it stands, 0.47 ms from that of the instant: "
    "0.4 m.",
    files=(FILE,),
    command='make test ARGS="tests/screening/orbits/test_frames.py"',
)
RAD_PER_ARCSEC = np.pi / 648_000
PAPER_ORIENTATION = EarthOrientation(
    ut1_minus_utc_s=np.array(-0.4399619),
    pole_x_rad=np.array(-0.140682 * RAD_PER_ARCSEC),
    pole_y_rad=np.array(0.333309 * RAD_PER_ARCSEC),
    extrapolated=np.array(False),
)


class Published(NamedTuple):
    """The state of the example, in both frames; km and km/s."""

    instant: tuple[float, float]  # Julian date of the midnight, fraction of the day
    r_teme_km: FloatArray
    v_teme_km_s: FloatArray
    r_itrf_km: FloatArray
    v_itrf_km_s: FloatArray


def read_example(data: Path) -> Published:
    """Read the example."""
    values = json_of(data, FILE)
    return understood(data, FILE, lambda: _example(values["vallado_2006_appendix_C_TEME_to_ITRF"]))


def _example(values: dict[str, str | list[float]]) -> Published:
    jd, day_fraction = julian_date(np.array([str(values["utc"]).split()[0]], "M8[us]"))
    names = ("r_TEME_km", "v_TEME_kms", "r_ITRF_km", "v_ITRF_kms")
    vectors = (np.array(values[name], np.float64).reshape(3) for name in names)
    return Published((float(jd[0]), float(day_fraction[0])), *vectors)


def compare(data: Path) -> Comparison:
    """Turn the state, with the paper's orientation of the Earth and with ours."""
    state = read_example(data)
    r, v = itrf_state_from_teme(state.r_teme_km, state.v_teme_km_s, *state.instant, PAPER_ORIENTATION)
    ours = itrf_from_teme(state.r_teme_km, *state.instant, earth_orientation(*state.instant))
    apart_mm = float(np.abs(r - state.r_itrf_km).max()) * 1e6
    apart_mm_s = float(np.abs(v - state.v_itrf_km_s).max()) * 1e6
    own_table_m = float(np.abs(ours - state.r_itrf_km).max()) * 1e3
    return Comparison(
        6,
        "coordinates of a state",
        (
            Measure("largest difference of a coordinate, the paper's orientation", apart_mm, "mm", 20.0),
            Measure("largest difference of a velocity component", apart_mm_s, "mm/s", 0.02),
            Measure("largest difference of a coordinate, our own orientation", own_table_m, "m", 0.4),
        ),
    )
