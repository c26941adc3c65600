"""Names of frames in files of operators."""

import re
from typing import Literal

from screening.orbits.reference.celestial import FrameName

LocalName = Literal["RTN", "TNW"]

# What is not here rotates in a way of its own, belongs to another body, or has several meanings.
_CELESTIAL: dict[str, FrameName] = {
    "EME2000": "EME2000",
    "J2000": "EME2000",
    "GCRF": "GCRF",
    "ICRF": "GCRF",
    "TOD": "TOD",
    "TOD_EARTH": "TOD",
    "TEME": "TEME",
    "TEMEOFDATE": "TEME",
}
_LOCAL: dict[str, LocalName] = {
    **dict.fromkeys(("RTN", "RSW", "UVW", "RIC", "QSW"), "RTN"),
    "TNW": "TNW",
}
_ITRF = re.compile(r"ITRF-?(?:\d\d|\d{4})?")
_NUMBERED = re.compile(r"([GI]CRF)\d")

FRAMES = "EME2000, J2000, GCRF, ICRF, TOD, TEME, ITRF with or without its year"
LOCAL_FRAMES = "RTN, RSW, UVW, RIC, TNW"


def frame_of(name: str) -> FrameName | None:
    """Return the frame that a file means, None if it is not one that can be converted."""
    name = name.strip().upper()
    if _ITRF.fullmatch(name):
        return "ITRF"
    return _CELESTIAL.get(_NUMBERED.sub(r"\1", name))


def local_frame_of(name: str) -> LocalName | None:
    """Return the frame of the object's own orbit that a file means, None if it is not one."""
    return _LOCAL.get(name.strip().upper().removesuffix("_INERTIAL"))
