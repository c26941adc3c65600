"""Read one object of a message: its name, its state at TCA, its covariance and its radius."""

import numpy as np

from screening.orbits.frames import EARTH_ROTATION_RAD_S
from screening.orbits.reference.local_axes import cross
from screening.orbits.timegrid import FloatArray
from screening.risk.messages.covariances import read_covariance
from screening.risk.messages.drag import NOT_GIVEN, read_drag_error
from screening.risk.messages.message import MessageObject, Remark
from screening.risk.messages.radii import Radius, object_radius
from screening.risk.messages.values import Values

# Names of frames in messages, and their names here. TEME is not in the standard: receivers would misread its
# velocities and covariances.
FRAMES = {"EME2000": "EME2000", "J2000": "EME2000", "GCRF": "GCRF", "ICRF": "GCRF", "ITRF": "ITRF"}

SMALLEST_RADIUS_VECTOR_M, LARGEST_RADIUS_VECTOR_M = 1e6, 1e10
LARGEST_SPEED_M_S = 1e5
# Sine of the angle between position and velocity: below it the axes R, T, N are not defined.
SMALLEST_SINE = 1e-9


def state_object(values: Values) -> tuple[MessageObject, Radius, list[Remark]]:
    """Return an object with its state, its radius, and remarks on its covariance and drag errors.

    Raises UnreadableMessage if a required value is missing or wrong.
    """
    centre = values.words("ORBIT_CENTER")
    if centre and centre.upper() != "EARTH":
        raise values.wrong(values.entries["ORBIT_CENTER"], "must be EARTH")
    frame = _frame(values)
    r_m = _vector(values, ("X", "Y", "Z"), "km", SMALLEST_RADIUS_VECTOR_M, LARGEST_RADIUS_VECTOR_M)
    v_m_s = _vector(values, ("X_DOT", "Y_DOT", "Z_DOT"), "km/s", 0.0, LARGEST_SPEED_M_S)
    _require_plane(values, r_m, v_m_s, frame)
    covariance, about_covariance = read_covariance(values, r_m, v_m_s, frame)
    drag_error, about_drag = read_drag_error(values)
    radius = object_radius(values)
    each = _named(values, frame, r_m, v_m_s, covariance, drag_error, radius)
    return each, radius, about_covariance + about_drag


def _named(
    values: Values,
    frame: str,
    r_m: FloatArray,
    v_m_s: FloatArray,
    covariance: FloatArray | None,
    drag_error: FloatArray,
    radius: Radius,
) -> MessageObject:
    return MessageObject(
        designator=values.words("OBJECT_DESIGNATOR"),
        catalog_name=values.words("CATALOG_NAME"),
        name=values.words("OBJECT_NAME"),
        international_designator=values.words("INTERNATIONAL_DESIGNATOR"),
        frame=frame,
        r_m=r_m,
        v_m_s=v_m_s,
        covariance_rtn=covariance,
        covariance_line=values.line("CR_R"),
        covariance_method=values.words("COVARIANCE_METHOD"),
        drag_error_rtn=drag_error,
        hard_body_radius_m=radius.metres,
    )


def _frame(values: Values) -> str:
    entry = values.entry("REF_FRAME")
    if entry is None:
        raise values.missing("REF_FRAME")
    name = entry.value.upper().replace(" ", "")
    # Realisations of the terrestrial frame, such as ITRF2000 and ITRF-97, differ by centimetres.
    frame = FRAMES.get("ITRF" if name.startswith("ITRF") else name)
    if frame is None:
        raise values.wrong(entry, "must be EME2000, GCRF or ITRF")
    return frame


def _vector(
    values: Values, keywords: tuple[str, str, str], unit: str, smallest: float, largest: float
) -> FloatArray:
    vector = np.array([values.required(keyword, unit) for keyword in keywords])
    length = float(np.linalg.norm(vector))
    if not smallest <= length <= largest:
        why = (
            f"and its companions make a vector of {length:g} in SI units, must be from {smallest:g} "
            f"to {largest:g}"
        )
        raise values.wrong(values.entries[keywords[0]], why)
    return vector


def _require_plane(values: Values, r_m: FloatArray, v_m_s: FloatArray, frame: str) -> None:
    """Raise UnreadableMessage if position and inertial velocity span no plane."""
    inertial = v_m_s + np.cross([0.0, 0.0, EARTH_ROTATION_RAD_S], r_m) if frame == "ITRF" else v_m_s
    normal = np.linalg.norm(cross(r_m, inertial))
    if not normal > SMALLEST_SINE * np.linalg.norm(r_m) * np.linalg.norm(inertial):
        why = "and its companions lie along the position, or are 0: such an object has no orbit"
        raise values.wrong(values.entries["X_DOT"], why)


def summary_object(values: Values) -> tuple[MessageObject, Radius, list[Remark]]:
    """Return an object of a message without states, and its radius."""
    radius = object_radius(values)
    unknown = np.full(3, np.nan)
    return _named(values, "", unknown, unknown, None, NOT_GIVEN, radius), radius, []
