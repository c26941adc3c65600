"""What a search found, held against what the naive one found."""

from collections.abc import Sequence

import numpy as np
import pytest

from screening.encounters import EncounterArray
from screening.orbits.timegrid import TimeWindow
from tests.screening.oracle import Minimum

SLOW_KM_S = 0.01
# Within this of the threshold, or of 10 m/s, rounding decides on which side an approach is.
ONE_MILLIMETRE_KM = 1e-6
ONE_MILLIMETRE_PER_SECOND_KM_S = 1e-6
# The accuracy that is promised for miss distances: of 99 in 100, and of all above 100 m/s.
FIVE_CENTIMETRES_KM = 5e-5
HALF_A_METRE_KM = 5e-4
# python-sgp4 rounds epochs to 0.2 us; a step of up to 1 ms may be taken along SGP4's velocity.
TCA_S = 1e-3
# Golden section knows distances to 1e-10 km, and so the time of a minimum of 100 km to 0.15 ms km/s over the
# speed.
GOLDEN_S_KM_S = 5e-4
# Above 3 km/s near the Earth the search takes SGP4's velocity, which is up to 6 m/s off the slope of its path
# (eccentric orbits; 20 m/s just before a decay): that moves the TCA by this times miss distance over the
# square of the speed.
DEFECT_KM_S = 6e-3
DEFECT_OF_DECAYING_KM_S = 0.02
# Objects that nearly share an orbit are closest for seconds: gravity undoes most of what their speed adds to
# the distance. It is the distance that has to agree.
CO_ORBITING_KM_S = 0.3
CO_ORBITING_S = 0.5
# This near the window's edge either may think an approach outside.
EDGE_S = CO_ORBITING_S


def tca_tolerance_s(minimum: Minimum, defect_km_s: float = DEFECT_KM_S) -> float:
    """Return how far the TCA of a fast approach may be from that of the naive search."""
    speed = minimum.speed_km_s
    if speed < CO_ORBITING_KM_S:
        return CO_ORBITING_S
    return TCA_S + GOLDEN_S_KM_S / speed + defect_km_s * minimum.miss_km / max(speed, 3.0) ** 2


def assert_the_same_fast_ones(
    encounters: EncounterArray,
    naive: Sequence[Minimum],
    threshold_km: float,
    span: TimeWindow,
    defect_km_s: float = DEFECT_KM_S,
) -> int:
    """Hold fast encounters against naive minima, those just above the threshold included; return how many."""
    rows = encounters[~encounters["slow"]]
    miss_km = FIVE_CENTIMETRES_KM if defect_km_s == DEFECT_KM_S else HALF_A_METRE_KM
    taken = np.zeros(len(rows), bool)
    matched = 0
    for minimum in naive:
        if minimum.speed_km_s < SLOW_KM_S - ONE_MILLIMETRE_PER_SECOND_KM_S:
            continue
        tolerance_s = tca_tolerance_s(minimum, defect_km_s)
        same = np.flatnonzero(
            (rows["primary_index"] == minimum.i)
            & (rows["secondary_index"] == minimum.j)
            & (np.abs(rows["tca_s"] - minimum.tca_s) < tolerance_s)
        )
        if len(same) == 0 and _undecided(minimum, threshold_km, span):
            continue
        assert len(same) == 1, minimum
        assert rows["miss_distance_km"][same[0]] == pytest.approx(minimum.miss_km, abs=miss_km), minimum
        taken[same] = True
        matched += 1
    unknown = rows[~taken]
    inside = (unknown["tca_s"] > EDGE_S) & (unknown["tca_s"] < span.seconds - EDGE_S)
    unknown = unknown[inside & (unknown["relative_speed_km_s"] > SLOW_KM_S + ONE_MILLIMETRE_PER_SECOND_KM_S)]
    assert len(unknown) == 0, unknown
    return matched


def _undecided(minimum: Minimum, threshold_km: float, span: TimeWindow) -> bool:
    return (
        minimum.miss_km > threshold_km - ONE_MILLIMETRE_KM
        or abs(minimum.speed_km_s - SLOW_KM_S) < ONE_MILLIMETRE_PER_SECOND_KM_S
        or min(minimum.tca_s, span.seconds - minimum.tca_s) < EDGE_S
    )
