"""Fields of objects that follow from their element sets and names: of answers, no columns of the store."""

from collections.abc import Sequence

import pyarrow as pa

from screening.orbits.gravity import EARTH_RADIUS_KM, MU_KM3_S2
from storage.rows.constellations import OF_OBJECTS
from storage.schema import OBJECTS, Column

_AXIS_KM = f"cbrt({MU_KM3_S2} / (mean_motion_rev_day * 2 * pi() / 86400) ** 2)"
_EXPRESSIONS = {
    "epoch": "elements.epoch",
    # To 10 m: the mean motion is SGP4's, from which the axis is a few km off.
    "perigee_km": f"round({_AXIS_KM} * (1 - eccentricity) - {EARTH_RADIUS_KM}, 2)",
    "apogee_km": f"round({_AXIS_KM} * (1 + eccentricity) - {EARTH_RADIUS_KM}, 2)",
    "inclination_deg": "elements.inclination_deg",
    "constellation": OF_OBJECTS,
}
FOLLOWING = (
    Column(
        "epoch",
        pa.timestamp("us"),
        "UTC, epoch of its element set",
        True,
        example="2024-10-31T19:02:04.123456Z",
    ),
    Column(
        "perigee_km",
        pa.float64(),
        "km, altitude of the perigee above the equator, from that set",
        True,
        example=414.6,
    ),
    Column("apogee_km", pa.float64(), "km, as perigee_km, of the apogee", True, example=420.3),
    Column("inclination_deg", pa.float64(), "deg, of its element set", True, example=51.6391),
    Column("constellation", pa.string(), "by name: Starlink, OneWeb, ...; NULL: none", True, example=None),
)
OBJECT_COLUMNS = (*OBJECTS.columns, *FOLLOWING)


def rows_with(fields: Sequence[str]) -> str:
    """Return from what to select fields of objects, columns of OBJECT_COLUMNS, in a snapshot."""
    if not set(fields) & _EXPRESSIONS.keys():
        return "objects"
    following = ", ".join(f"{text} AS {name}" for name, text in _EXPRESSIONS.items())
    return f"(SELECT objects.*, {following} FROM objects LEFT JOIN elements USING (norad_id))"  # noqa: S608
