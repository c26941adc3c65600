"""Radii of bodies from their published shape and dimensions: of the mean shadow, and of the sphere around.

The mean shadow of a convex body over all directions is a quarter of its surface (Cauchy 1832), that of a flat
wing half its area. Shapes are words as GCAT has them: `Box + 2 Pan`, `Cyl + Ant`.
"""

import re
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from screening.orbits.timegrid import FloatArray

# The width of wings as a multiple of the body's diameter: the median over eleven kinds of spacecraft whose
# wings' areas are published, with dimensions and span as GCAT has them. Areas, m2: 5.6, 10.9, 13.6, 22.3 (GPS
# I, IIA, IIR, IIF), 23.6, 30.9 (GLONASS, -M), as Rodriguez-Solano has them (thesis, TU Munich, 2014, chapter
# 5); 10 (Galileo, two of 1 m x 5 m: ESA, 2013); 22.7, 105 (Starlink V1, V2 mini: SpaceX to the FCC, 2022); 70
# (Envisat, 14 m x 5 m: ESA, 2012); 29.3 (TOPEX/Poseidon, 8.89 m x 3.30 m: Perspectives on an Ocean Planet,
# 1995). The ratios are 0.4 to 3.3, half of them 0.7 to 1.7.
WING_WIDTH_IN_DIAMETERS = 1.03
# With antennas or booms beside the wings, the span may be theirs.
LONGEST_WINGS_IN_DIAMETERS = 12.0

_WINGED = re.compile(r"pan|wing|sail|array", re.IGNORECASE)
_THIN = re.compile(r"ant|boom|tether|dish|rod|mast", re.IGNORECASE)
_FORMS = (
    ("sphere", re.compile(r"sphere|poly|ell\b|ball|disco", re.IGNORECASE)),
    ("box", re.compile(r"box|cube|trapezoid|plate|wedge", re.IGNORECASE)),
    ("cone", re.compile(r"d?cone|frust|taper", re.IGNORECASE)),
)


class Shapes(NamedTuple):
    """What is published of the shapes of bodies (n,)."""

    words: npt.NDArray[np.str_]
    length_m: FloatArray
    diameter_m: FloatArray  # or the width across
    span_m: FloatArray  # from tip to tip


def mean_shadow_radius_m(shapes: Shapes) -> FloatArray:
    """Return the radii (n,), m, of the spheres whose shadows are the bodies' mean shadows."""
    words, which = np.unique(shapes.words, return_inverse=True)
    parts = [_parts(each) for each in words]
    forms = np.array([form for form, _, _ in parts], np.str_)[which]
    winged, thin = np.array([each[1:] for each in parts], np.bool_).reshape(-1, 2)[which].T
    length_m, diameter_m = shapes.length_m, shapes.diameter_m
    surface_m2 = {
        "sphere": np.pi * length_m * diameter_m,
        "box": 2.0 * diameter_m**2 + 4.0 * length_m * diameter_m,
        "cone": np.pi * diameter_m / 2.0 * (diameter_m / 2.0 + np.hypot(length_m, diameter_m / 2.0)),
        "cylinder": np.pi * diameter_m * (length_m + diameter_m / 2.0),
    }
    body_m2 = np.select([forms == form for form in surface_m2], list(surface_m2.values())) / 4.0
    wings_m = np.clip(shapes.span_m - diameter_m, 0.0, None)
    wings_m = np.where(thin, np.minimum(wings_m, LONGEST_WINGS_IN_DIAMETERS * diameter_m), wings_m)
    wings_m2 = np.where(winged, wings_m * diameter_m * WING_WIDTH_IN_DIAMETERS, 0.0)
    radius_m: FloatArray = np.sqrt((body_m2 + wings_m2 / 2.0) / np.pi)
    return radius_m


def bounding_radius_m(shapes: Shapes) -> FloatArray:
    """Return the radii (n,), m, of the spheres around the bodies with their wings and antennas."""
    words, which = np.unique(shapes.words, return_inverse=True)
    round_ = np.array([_parts(each)[0] == "sphere" for each in words], np.bool_)[which]
    length_m, diameter_m = shapes.length_m, shapes.diameter_m
    body_m = np.where(round_, np.maximum(length_m, diameter_m), np.hypot(length_m, diameter_m))
    radius_m: FloatArray = np.maximum(body_m, shapes.span_m) / 2.0
    return radius_m


def _parts(words: str) -> tuple[str, bool, bool]:
    """Return the form of the body, whether it has wings, and whether it has thin parts.

    A shape of one word that is nevertheless wider than its body has wings that are not listed.
    """
    first = words.split("+")[0]
    form = next((name for name, pattern in _FORMS if pattern.search(first)), "cylinder")
    return form, bool(_WINGED.search(words)) or ("+" not in words), bool(_THIN.search(words))
