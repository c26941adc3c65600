"""Plant encounters in a synthetic catalogue, whose times and distances are then known."""

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
KindArray = npt.NDArray[np.str_]  # (k, 2), regime and geometry

PLANTED_DTYPE = np.dtype(
    [
        ("primary_norad_id", "i8"),
        ("secondary_norad_id", "i8"),
        ("regime", "U3"),
        ("geometry", "U10"),
        ("tca", "M8[us]"),  # UTC, whole milliseconds after the catalogue's epoch
        ("miss_distance_m", "f8"),
        ("relative_speed_m_s", "f8"),
    ]
)

PLANTED_NAME = "SYNTH PLANTED"
FEWEST_PLANTED = 6
OBJECTS_PER_PLANTED = 2000

# The kinds of encounters, planted in turn.
_KINDS = (
    ("LEO", "head-on"),
    ("GEO", "crossing"),
    ("LEO", "crossing"),
    ("HEO", "crossing"),
    ("LEO", "overtaking"),
    ("GEO", "overtaking"),
)
# How far the secondary's direction of flight is turned from the primary's, about the vertical; less in the
# geostationary ring, where nothing is inclined by more than about 15 degrees.
_TURNED_DEG = {"head-on": (165.0, 178.0), "crossing": (40.0, 140.0)}
_TURNED_IN_GEO_DEG = (4.0, 14.0)
# Well above 10 m/s, below which an encounter counts as slow, and fast enough to part within the day.
_OVERTAKING_KM_S = (0.015, 0.3)
_SPEED_CHANGE = 2e-4
# One range for each tier of risk by distance, in turn.
_MISS_DISTANCES_KM = ((0.02, 0.09), (0.12, 0.45), (0.55, 0.95), (1.5, 4.5))
_EDGE_S = 1800.0  # TCAs stay this far from either end of the 24 h
_LOWEST_PRIMARY_PERIGEE_KM = 400.0
# One in 20,000 has no solution at the first try.
_MOST_TRIES = 10


def planted_pairs(objects: int) -> int:
    """Return how many encounters a catalogue of `objects` gets."""
    return max(FEWEST_PLANTED, objects // OBJECTS_PER_PLANTED)


def plant_encounters(
    elements: ElementArray, pairs: int, epoch: np.datetime64, random: np.random.Generator
) -> tuple[ElementArray, PlantedArray]:
    """Make secondaries that meet `pairs` objects of a catalogue within the 24 h after `epoch` (UTC).

    Returns the secondaries (pairs,), numbered from the largest number on, and the planted encounters by TCA.
    A secondary is placed beside its primary, at right angles to the relative velocity, and its element set
    solved for; so TCA, miss distance and relative speed are those of SGP4's positions. Where there is no
    solution, because SGP4 jumps at some inclinations, another primary is tried.
    """
    span = window(epoch, 24.0)
    kinds = np.array([_KINDS[i % len(_KINDS)] for i in range(pairs)])
    miss_km = np.array([_log_between(_MISS_DISTANCES_KM[i % 4], random) for i in range(pairs)])
    times_s = random.integers(round(_EDGE_S * 1e3), round((span.seconds - _EDGE_S) * 1e3), pairs) / 1e3
    secondaries = np.zeros(pairs, elements.dtype)
    planted = np.zeros(pairs, PLANTED_DTYPE)
    planted["regime"], planted["geometry"] = kinds.T
    planted["tca"] = utc(span, times_s)
    planted["miss_distance_m"] = miss_km * 1e3
    planted["secondary_norad_id"] = elements["norad_id"].max() + 1 + np.arange(pairs)
    left = np.arange(pairs)
    for _ in range(_MOST_TRIES):
        primaries = elements[_primaries(elements, kinds[left], random)]
        solved, speed_km_s, met = _met(primaries, kinds[left], times_s[left], miss_km[left], span, random)
        secondaries[left] = solved
        planted["primary_norad_id"][left] = primaries["norad_id"]
        planted["relative_speed_m_s"][left] = speed_km_s * 1e3
        left = left[~met]
        if len(left) == 0:
            break
    else:
        raise SkysieveError(
            f"{len(left)} of {pairs} encounters could not be planted in the synthetic catalogue for "
            f"{span.start}Z. Choose another seed."
        )
    secondaries["norad_id"] = planted["secondary_norad_id"]
    secondaries["name"] = [f"{PLANTED_NAME} {i + 1:04d} DEB" for i in range(pairs)]
    return secondaries, planted[np.argsort(planted["tca"], kind="stable")]


def _met(
    primaries: ElementArray,
    kinds: KindArray,
    times_s: FloatArray,
    miss_km: FloatArray,
    span: TimeWindow,
    random: np.random.Generator,
) -> tuple[ElementArray, FloatArray, BoolArray]:
    """Return secondaries (k,), the relative speeds, km/s, and which secondaries meet their primary."""
    template = primaries.copy()
    set_epochs(template, between(EPOCH_AGE_DAYS, random, len(primaries)), span.start)
    r, v = motion(primaries, span, times_s)
    secondary_v = _turned(r, v, kinds, random)
    relative_v = secondary_v - v
    secondary_r = r + miss_km[:, None] * _across(relative_v, random)
    solved, met = elements_through(template, span, times_s, secondary_r, secondary_v)
    return solved, np.linalg.norm(relative_v, axis=1), met


def _primaries(elements: ElementArray, kinds: KindArray, random: np.random.Generator) -> IndexArray:
    """Choose a primary for each encounter, as indices (k,)."""
    candidates = {kind: np.flatnonzero(_suits(elements, *kind)) for kind in _KINDS}
    return np.array([random.choice(candidates[regime, geometry]) for regime, geometry in kinds])


def _suits(elements: ElementArray, regime: str, geometry: str) -> BoolArray:
    """Return which objects (n,) may be primaries of such an encounter."""
    mean_motion = elements["mean_motion_rev_day"] * (2.0 * np.pi / SECONDS_PER_DAY)
    a_km = np.cbrt(MU_KM3_S2 / mean_motion**2)
    eccentricity, inclination_deg = elements["eccentricity"], elements["inclination_deg"]
    perigee_km = a_km * (1.0 - eccentricity) - EARTH_RADIUS_KM
    suits: BoolArray
    if regime == "GEO":
        suits = (np.abs(a_km - 42164.0) < 300.0) & (eccentricity < 0.02)
    elif regime == "HEO":
        suits = (eccentricity > 0.4) & (perigee_km > _LOWEST_PRIMARY_PERIGEE_KM)
    else:
        suits = (a_km < 8000.0) & (eccentricity < 0.02) & (perigee_km > _LOWEST_PRIMARY_PERIGEE_KM)
    if geometry == "head-on":
        # The secondary then has a common inclination too, instead of a retrograde one.
        suits &= np.abs(inclination_deg - 90.0) < 10.0
    return suits


def _turned(
    r_km: FloatArray, v_km_s: FloatArray, kinds: KindArray, random: np.random.Generator
) -> FloatArray:
    """Return the velocities (k, 3) of secondaries: the primaries', turned about the vertical.

    Turning keeps the size and shape of the orbit, so a secondary stays up as long as its primary.
    """
    speed = np.linalg.norm(v_km_s, axis=1)
    angle = np.empty(len(kinds))
    for i, (regime, geometry) in enumerate(kinds):
        if geometry == "overtaking":
            angle[i] = _log_between(_OVERTAKING_KM_S, random) / speed[i]
        else:
            low, high = _TURNED_IN_GEO_DEG if regime == "GEO" else _TURNED_DEG[geometry]
            angle[i] = np.radians(random.uniform(low, high))
    angle = (angle * random.choice((-1.0, 1.0), len(kinds)))[:, None]
    up = r_km / np.linalg.norm(r_km, axis=1, keepdims=True)
    vertical = np.einsum("ij,ij->i", v_km_s, up)[:, None] * up
    turned = vertical + np.cos(angle) * (v_km_s - vertical) + np.sin(angle) * np.cross(up, v_km_s)
    faster: FloatArray = turned * (1.0 + random.uniform(-_SPEED_CHANGE, _SPEED_CHANGE, (len(kinds), 1)))
    return faster


def _across(v_km_s: FloatArray, random: np.random.Generator) -> FloatArray:
    """Return random unit vectors (k, 3) at right angles to velocities."""
    along = v_km_s / np.linalg.norm(v_km_s, axis=1, keepdims=True)
    any_way = random.standard_normal(v_km_s.shape)
    across = any_way - np.einsum("ij,ij->i", any_way, along)[:, None] * along
    unit: FloatArray = across / np.linalg.norm(across, axis=1, keepdims=True)
    return unit


def _log_between(limits: tuple[float, float], random: np.random.Generator) -> float:
    return float(np.exp(random.uniform(*np.log(limits))))
