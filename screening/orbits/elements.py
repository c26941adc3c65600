"""Element sets as one flat record array, validated for what SGP4 assumes."""

from collections.abc import Callable, Sequence
from datetime import date
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from screening.vocabulary import MAX_NORAD_ID

ElementArray = npt.NDArray[np.void]
LineNumbers = npt.NDArray[np.int64]

# Julian date of 00:00 of the day before day 1 of `datetime.date.toordinal`.
JD_OF_ORDINAL_ZERO = 1721424.5

FIRST_EPOCH_YEAR, LAST_EPOCH_YEAR = 1957, 2100
# A circular orbit at the Earth's surface makes 17.04 revolutions per day. Mean motions fitted to objects in
# their last hours come close to it, so the limit leaves a margin and stops only values that cannot be an
# orbit.
MAX_MEAN_MOTION_REV_DAY = 18.0
# B* = 1 is an area-to-mass ratio of several m2/kg, far beyond any foil; fits of decaying objects reach 4.
MAX_BSTAR_PER_EARTH_RADIUS = 1000.0
# 0 is what catalogues publish, 2 the full code for SGP4; 4 is SGP4-XP, whose elements SGP4 would silently
# propagate with errors of kilometres.
SGP4_EPHEMERIS_TYPES = (0, 2)

ELEMENT_DTYPE = np.dtype(
    [
        ("norad_id", "i8"),
        ("name", "U64"),
        ("object_id", "U16"),
        ("epoch_jd", "f8"),  # Julian date (UTC) of the epoch's midnight, always ...5
        ("epoch_day_fraction", "f8"),  # of that day, [0, 1)
        ("mean_motion_rev_day", "f8"),
        ("eccentricity", "f8"),
        ("inclination_deg", "f8"),
        ("raan_deg", "f8"),
        ("argument_of_perigee_deg", "f8"),
        ("mean_anomaly_deg", "f8"),
        ("bstar_per_earth_radius", "f8"),
        ("mean_motion_dot_rev_day2", "f8"),  # as published: first derivative / 2
        ("mean_motion_ddot_rev_day3", "f8"),  # as published: second derivative / 6
        ("element_set_number", "i4"),
        ("revolution_at_epoch", "i4"),
        ("classification", "U1"),
        ("ephemeris_type", "i1"),
        # Code, position in TRAJECTORY_KINDS. `ephemeris`: no catalogue has the object, and these are the
        # osculating elements of its first state.
        ("trajectory", "i1"),
    ]
)
# The fields that SGP4 uses; python-sgp4 is also given the derivatives of the mean motion, which it ignores.
ORBIT_FIELDS = (
    "epoch_jd",
    "epoch_day_fraction",
    "mean_motion_rev_day",
    "eccentricity",
    "inclination_deg",
    "raan_deg",
    "argument_of_perigee_deg",
    "mean_anomaly_deg",
    "bstar_per_earth_radius",
)
DERIVATIVES = ("mean_motion_dot_rev_day2", "mean_motion_ddot_rev_day3")


def narrowed(
    elements: ElementArray, fields: Sequence[str], places: npt.NDArray[np.integer] | slice = slice(None)
) -> ElementArray:
    """Return a copy of element sets, or of those at some places, with some fields: less to hold and send."""
    columns = {name: elements[name][places] for name in fields}
    some = np.empty(len(next(iter(columns.values()))), [(name, elements.dtype[name]) for name in fields])
    for name, column in columns.items():
        some[name] = column
    return some


class Rejection(NamedTuple):
    """A rejected record."""

    line: int  # 1-based, where the record starts
    record: str  # the number or name that identifies it, or the text itself
    reason: str


class Catalogue(NamedTuple):
    """Element sets read from one text, and the rejected records."""

    elements: ElementArray  # (n,), ELEMENT_DTYPE, one per object, sorted by norad_id
    rejected: list[Rejection]
    superseded: int  # older sets of objects that occur twice in the text
    text_format: str  # "omm-csv", "tle", ...
    more_rejected: int = 0  # records beyond those in `rejected`, of which only the first are kept

    @property
    def rejected_count(self) -> int:
        """How many records were rejected."""
        return len(self.rejected) + self.more_rejected

    @property
    def used_count(self) -> int:
        """How many records could be used, superseded ones included."""
        return len(self.elements) + self.superseded


class _Check(NamedTuple):
    """What SGP4, or the record array, assumes of one field."""

    field: str
    keyword: str  # as element sets are published
    holds: Callable[[npt.NDArray[Any]], npt.NDArray[np.bool_]]  # False for NaN
    allowed: str


def _within(low: float, high: float) -> Callable[[npt.NDArray[Any]], npt.NDArray[np.bool_]]:
    return lambda values: (values >= low) & (values <= high)


_FIRST_EPOCH_JD = date(FIRST_EPOCH_YEAR, 1, 1).toordinal() + JD_OF_ORDINAL_ZERO
_LAST_EPOCH_JD = date(LAST_EPOCH_YEAR, 12, 31).toordinal() + JD_OF_ORDINAL_ZERO

# An angle may be a turn off (some publishers use -180 to 180); anything further off is a damaged number.
_ANGLES = (
    ("raan_deg", "RA_OF_ASC_NODE"),
    ("argument_of_perigee_deg", "ARG_OF_PERICENTER"),
    ("mean_anomaly_deg", "MEAN_ANOMALY"),
)

_CHECKS = (
    _Check("norad_id", "NORAD_CAT_ID", _within(1, MAX_NORAD_ID), f"from 1 to {MAX_NORAD_ID}"),
    _Check(
        "epoch_jd",
        "EPOCH",
        _within(_FIRST_EPOCH_JD, _LAST_EPOCH_JD),
        f"in the years {FIRST_EPOCH_YEAR} to {LAST_EPOCH_YEAR}",
    ),
    _Check(
        "epoch_day_fraction", "EPOCH", lambda x: (x >= 0) & (x < 1), "a fraction of a day from 0 to below 1"
    ),
    _Check(
        "mean_motion_rev_day",
        "MEAN_MOTION",
        lambda x: (x > 0) & (x <= MAX_MEAN_MOTION_REV_DAY),
        f"above 0 and at most {MAX_MEAN_MOTION_REV_DAY:g} rev/day",
    ),
    _Check("eccentricity", "ECCENTRICITY", lambda x: (x >= 0) & (x < 1), "at least 0 and below 1"),
    _Check("inclination_deg", "INCLINATION", _within(0, 180), "from 0 to 180 deg"),
    *(_Check(field, keyword, _within(-360, 720), "from -360 to 720 deg") for field, keyword in _ANGLES),
    _Check(
        "bstar_per_earth_radius",
        "BSTAR",
        _within(-MAX_BSTAR_PER_EARTH_RADIUS, MAX_BSTAR_PER_EARTH_RADIUS),
        f"from -{MAX_BSTAR_PER_EARTH_RADIUS:g} to {MAX_BSTAR_PER_EARTH_RADIUS:g} per Earth radius",
    ),
    _Check("mean_motion_dot_rev_day2", "MEAN_MOTION_DOT", np.isfinite, "finite"),
    _Check("mean_motion_ddot_rev_day3", "MEAN_MOTION_DDOT", np.isfinite, "finite"),
    _Check(
        "ephemeris_type",
        "EPHEMERIS_TYPE",
        lambda x: np.isin(x, SGP4_EPHEMERIS_TYPES),
        "0 or 2, SGP4 (4, SGP4-XP, is not supported)",
    ),
)


def validate(elements: ElementArray, lines: LineNumbers) -> tuple[ElementArray, list[Rejection]]:
    """Split off the element sets that violate SGP4's assumptions.

    elements (n,) with ELEMENT_DTYPE and lines (n,), where each record starts. Returns a copy of the valid
    sets, in their order, with angles outside [0, 360) reduced to it (the others keep every digit), and one
    Rejection for each of the rest: the first invalid field, its value and what is allowed.
    """
    first_failed = np.full(len(elements), -1)
    for index, check in enumerate(_CHECKS):
        failed = ~check.holds(elements[check.field])
        first_failed[failed & (first_failed < 0)] = index
    rejected = [
        _rejection(elements[i], int(lines[i]), _CHECKS[first_failed[i]])
        for i in np.flatnonzero(first_failed >= 0)
    ]
    accepted = elements[first_failed < 0]
    for field, _ in _ANGLES:
        accepted[field] = _reduced_deg(accepted[field])
    return accepted, rejected


def _rejection(record: np.void, line: int, check: _Check) -> Rejection:
    value = record[check.field].item()
    if check.field == "epoch_jd" and 1 <= value - JD_OF_ORDINAL_ZERO <= date.max.toordinal():
        value = date.fromordinal(int(value - JD_OF_ORDINAL_ZERO))
    return Rejection(line, str(record["norad_id"]), f"{check.keyword} {value} must be {check.allowed}")


def _reduced_deg(angles_deg: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    outside = (angles_deg < 0) | (angles_deg >= 360)
    reduced = np.mod(angles_deg, 360.0)
    # The remainder of a tiny negative angle rounds to 360 itself.
    return np.where(outside, np.where(reduced < 360, reduced, 0.0), angles_deg)
