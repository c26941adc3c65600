"""Screening volumes as people write them: a sphere, a box, an ellipsoid, or the handbook's.

Axes are those of the fleet's object at TCA: radial, in-track, cross-track (RTN).
"""

import math
import re
from decimal import Decimal
from typing import Literal, NamedTuple, get_args

from screening.errors import UsageError

Shape = Literal["sphere", "box", "ellipsoid", "handbook"]
LARGEST_KM = 200.0  # half-length; the largest volume of the handbook has 107 km

_FORM = re.compile(r"(?P<shape>sphere|box|ellipsoid):(?P<sizes>[0-9.]{1,24}(?:x[0-9.]{1,24})*)")
_SIZE = re.compile(r"[0-9]+(?:\.[0-9]*)?|\.[0-9]+")
_SHOWN = 60  # characters of a text that is refused


class Volume(NamedTuple):
    """A screening volume around an object: half-lengths of a box, semi-axes of an ellipsoid.

    A sphere has its radius three times, the handbook's, which depend on the orbit, NaN.
    """

    shape: Shape
    radial_km: float
    in_track_km: float
    cross_track_km: float


HANDBOOK = Volume("handbook", math.nan, math.nan, math.nan)


def volume_of(text: str) -> Volume:
    """Read a volume: `sphere:5`, `box:2x25x25`, `ellipsoid:10x10x10` or `handbook`; sizes in km.

    Raises:
        UsageError: it has another form, or a size that is not above 0 and up to LARGEST_KM.
    """
    plain = text.strip().lower()
    if plain == "handbook":
        return HANDBOOK
    form = _FORM.fullmatch(plain)
    sizes = form["sizes"].split("x") if form else []
    if form is None or not all(_SIZE.fullmatch(size) for size in sizes):
        raise _refused(text)
    (shape,) = [one for one in get_args(Shape) if one == form["shape"]]
    if len(sizes) != (1 if shape == "sphere" else 3):
        raise _refused(text)
    lengths = [float(size) for size in sizes]
    if not all(0.0 < length <= LARGEST_KM for length in lengths):
        raise _refused(text)
    return Volume(shape, lengths[0], lengths[len(lengths) // 2], lengths[-1])


def text_of(volume: Volume) -> str:
    """Return the text from which `volume_of` reads the same volume."""
    if volume.shape == "handbook":
        return volume.shape
    sizes = volume[1:2] if volume.shape == "sphere" else volume[1:]
    return f"{volume.shape}:{'x'.join(map(_size_text, sizes))}"


def _size_text(length_km: float) -> str:
    text = f"{Decimal(repr(length_km)):f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def _refused(text: str) -> UsageError:
    shown = text if len(text) <= _SHOWN else f"{text[:_SHOWN]}..."
    return UsageError(
        f"{shown!r} is not a screening volume: expected sphere:KM, box:RxTxN, ellipsoid:RxTxN (half-lengths "
        f"and semi-axes in km, radial x in-track x cross-track, above 0 and up to {LARGEST_KM:g}, without a "
        "unit; box:2x25x25 for example), or handbook."
    )
