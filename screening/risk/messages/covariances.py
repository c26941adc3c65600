"""Read the covariance of one object of a message into its own RTN."""

from collections.abc import Iterator

import numpy as np

from screening.orbits.reference.local_axes import rtn_axes
from screening.orbits.timegrid import FloatArray
from screening.risk.messages.message import Remark
from screening.risk.messages.values import Values

_STATES = {"RTN": ("R", "T", "N", "RDOT", "TDOT", "NDOT"), "XYZ": ("X", "Y", "Z", "XDOT", "YDOT", "ZDOT")}
_UNITS = ("m**2", "m**2/s", "m**2/s**2")
SYMMETRIC_WITHIN = 1e-6  # of the larger value: both may have been rounded differently

# Senders without a covariance write the Earth's radius for the sigmas; no orbit is known so badly.
LARGEST_SIGMA_M = 6.37e6


def read_covariance(
    values: Values, r_m: FloatArray, v_m_s: FloatArray, frame: str
) -> tuple[FloatArray | None, list[Remark]]:
    """Return the (6, 6) covariance, (3, 3) if there is none for the velocity, or None.

    All zeros, or sigmas of the Earth's radius, count as none, with a remark. Raises UnreadableMessage if an
    element is missing, or if the two values of an element (CT_R, CR_T) differ.
    """
    covariance = _matrix(values, "RTN")
    if covariance is None:
        covariance = _of_axes(values, r_m, v_m_s, frame)
    if covariance is None:
        text = f"{values.part} has no covariance; perhaps the text is cut off"
        return None, [Remark(values.last.line, "CR_R", text)]
    sigmas = np.sqrt(np.maximum(np.diag(covariance)[:3], 0.0))
    if not covariance[:3, :3].any() or np.any(sigmas >= LARGEST_SIGMA_M):
        text = f"the covariance of {values.part} stands for none: sigmas of {np.max(sigmas):.6g} m"
        return None, [Remark(values.line("CR_R"), "CR_R", text)]
    return covariance, []


def _matrix(values: Values, axes: str) -> FloatArray | None:
    """Return the covariance along some axes, None if none of its keywords has a value."""
    numbers = {
        (row, column): values.number(keyword, _UNITS[(row > 2) + (column > 2)])
        for row, column, keyword in _keywords(axes)
    }
    if np.isnan(list(numbers.values())).all():
        return None
    size = 3 if all(np.isnan(number) for (row, _), number in numbers.items() if row > 2) else 6
    covariance = np.empty((size, size))
    for row, column, keyword in _keywords(axes):
        if row >= size:
            break
        if np.isnan(numbers[row, column]):
            raise values.missing(keyword)
        covariance[row, column] = covariance[column, row] = numbers[row, column]
        _require_symmetry(values, keyword, numbers[row, column], _UNITS[(row > 2) + (column > 2)])
    return covariance


def _require_symmetry(values: Values, keyword: str, number: float, unit: str) -> None:
    """Raise UnreadableMessage if the value across the diagonal is given and differs."""
    row, column = keyword[1:].split("_")
    mirrored = values.number(f"C{column}_{row}", unit)
    if abs(mirrored - number) > SYMMETRIC_WITHIN * max(abs(mirrored), abs(number)):  # NaN is not
        line = values.line(keyword)
        raise values.wrong(
            values.entries[f"C{column}_{row}"],
            f"must equal {keyword} of line {line}: a covariance is symmetric",
        )


def _of_axes(values: Values, r_m: FloatArray, v_m_s: FloatArray, frame: str) -> FloatArray | None:
    """Return the covariance along X, Y, Z that version 2.0 allows, turned into RTN."""
    entry = values.entry("ALT_COV_TYPE")
    kind = "" if entry is None else entry.value.upper()
    if entry is None or kind in ("", "NONE"):
        return None
    covariance = _matrix(values, "XYZ") if kind == "XYZ" else None
    if covariance is None:
        if kind == "XYZ":
            raise values.missing("CX_X")
        raise values.wrong(entry, "must be XYZ if there is no covariance along RTN")
    written = values.entry("ALT_COV_REF_FRAME")
    given = (
        frame
        if written is None
        else {"J2000": "EME2000", "ICRF": "GCRF"}.get(written.value.upper(), written.value.upper())
    )
    if given != frame or frame == "ITRF":
        raise values.wrong(
            written or entry, f"must be the frame of the state, {frame}, and not rotate with the Earth"
        )
    axes = rtn_axes(r_m[None], v_m_s[None])[0]
    turn = np.kron(np.eye(len(covariance) // 3), axes)
    turned: FloatArray = turn @ covariance @ turn.T
    return turned


def _keywords(axes: str) -> Iterator[tuple[int, int, str]]:
    for row, first in enumerate(_STATES[axes]):
        for column, second in enumerate(_STATES[axes][: row + 1]):
            yield row, column, f"C{first}_{second}"
