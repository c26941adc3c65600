"""Encounters that are built into a synthetic catalogue, so that it is known when and how close they are."""

import numpy as np
import numpy.typing as npt

from screening.errors import SkysieveError
from screening.orbits.elements import ElementArray
from screening.orbits.gravity import EARTH_RADIUS_KM, MU_KM3_S2
from screening.orbits.timegrid import SECONDS_PER_DAY, FloatArray, TimeWindow, utc, window
from screening.synthetic.draw import EPOCH_AGE_DAYS, between, set_epochs
from screening.synthetic.inverse import BoolArray, elements_through, motion

PlantedArray = npt.NDArray[np.void]
IndexArray = npt.NDArray[np.int64]

PLANTED_DTYPE = np.dtype(
    [
        ("primary_norad_id", "i8"),
        ("secondary_norad_id", "i8"),
        ("regime", "U3"),
        ("geometry", "U10"),
        ("tca", "M8[us]"),  # UTC, whole milliseconds
        ("miss_distance_m", "f8"),
        ("relative_speed_m_s", "f8"),
    ]
)

PLANTED_NAME = "SYNTH PLANTED"
FEWEST_PLANTED = 6
OBJECTS_PER_PLANTED = 2000

# What is planted in turn.
_KINDS = (
    ("LEO", "head-on"),
    ("GEO", "crossing"),
    ("LEO", "crossing"),
    ("HEO", "crossing"),
    ("LEO", "overtaking"),
    ("GEO", "overtaking"),
)
# How far the secondary's direction of flight is turned from the primary's, about the vertical; in the
# geostationary ring, where nothing is inclined by more than about 15 degrees, less.
_TURNED_DEG = {"head-on": (165.0, 178.0), "crossing": (40.0, 140.0)}
_TURNED_IN_GEO_DEG = (4.0, 14.0)
# Well above 10 m/s, below which an encounter counts as slow, and fast enough to part within the day.
_OVERTAKING_KM_S = (0.015, 0.3)
_SPEED_CHANGE = 2e-4
# One range for each tier of risk by distance, in turn.
_MISS_DISTANCES_KM = ((0.02, 0.09), (0.12, 0.45), (0.55, 0.95), (1.5, 4.5))
_EDGE_S = 1800.0  # TCAs keep this far from either end of the 24 h
_LOWEST_PRIMARY_PERIGEE_KM = 400.0
_MOST_ROUNDS = 20


def planted_pairs(objects: int) -> int:
    """Return how many encounters a catalogue of `objects` gets."""
    return max(FEWEST_PLANTED, objects // OBJECTS_PER_PLANTED)


def plant_encounters(
    elements: ElementArray, pairs: int, epoch: np.datetime64, random: np.random.Generator
) -> tuple[ElementArray, PlantedArray]:
    """Add secondaries that meet `pairs` objects of a catalogue within the 24 h after `epoch` (UTC).

    Returns the secondaries (pairs,), numbered on from the largest number, and what is planted, by TCA.
    TCA, miss distance and relative speed hold for SGP4's positions: the secondary is placed beside the
    primary, at right angles to the relative velocity, and its element set solved for.
    """
    span = window(epoch, 24.0)
    kinds = [_KINDS[i % len(_KINDS)] for i in range(pairs)]
    miss_km = np.array([_log_between(_MISS_DISTANCES_KM[i % 4], random) for i in range(pairs)])
    milliseconds = random.integers(round(_EDGE_S * 1e3), round((span.seconds - _EDGE_S) * 1e3), pairs)
    times_s = milliseconds / 1e3
    ages_days = between(EPOCH_AGE_DAYS, random, pairs)
    primaries, secondaries, speed_km_s = _solved(elements, kinds, times_s, miss_km, ages_days, span, random)
    secondaries["norad_id"] = elements["norad_id"].max() + 1 + np.arange(pairs)
    secondaries["name"] = [f"{PLANTED_NAME} {i + 1:04d} DEB" for i in range(pairs)]
    planted = np.zeros(pairs, PLANTED_DTYPE)
    planted["primary_norad_id"] = elements["norad_id"][primaries]
    planted["secondary_norad_id"] = secondaries["norad_id"]
    planted["regime"], planted["geometry"] = np.array(kinds).T
    planted["tca"] = utc(span, times_s)
    planted["miss_distance_m"] = miss_km * 1e3
    planted["relative_speed_m_s"] = speed_km_s * 1e3
    return secondaries, planted[np.argsort(planted["tca"], kind="stable")]
