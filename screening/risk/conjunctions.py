"""The rated encounter: one record per event, with fields named as stored and served."""

import numpy as np
import numpy.typing as npt

from screening.vocabulary import (
    NEAR_LEVELS,
    PROBABILITY_LEVELS,
    PROBABILITY_METHODS,
    RISK_LEVELS,
    TRAJECTORY_KINDS,
)

ConjunctionArray = npt.NDArray[np.void]

# Words are stored as codes: the position in the tuple, or NO_CODE if none applies.
NO_CODE = -1
ENCOUNTERS = ("fast", "slow")
# What decided the level: the miss, or a probability, computed, sampled, or only bounded: by the sender's
# claim, by the largest that any missing covariance gives, or by what is known of one that could not be
# settled.
RISK_BASES = ("distance", "probability", "monte_carlo", "claimed", "maximum", "bound")
COVARIANCE_SOURCES = ("default", "differenced", "trajectory", "cdm")
# Where a radius is from, from the most certain to the least.
HARD_BODY_SOURCES = ("override", "cdm", "body", "table", "stage", "rcs", "class", "type")

# Bits of probability_flag; stored as words separated by spaces.
PROBABILITY_FLAGS = ("slow", "long", "curved", "non_positive_definite")

WORDS_OF_CODED_FIELDS = {
    "encounter": ENCOUNTERS,
    "risk_level": RISK_LEVELS,
    "risk_basis": RISK_BASES,
    "probability_method": PROBABILITY_METHODS,
    "probability_level": PROBABILITY_LEVELS,
    "near_level": NEAR_LEVELS,
    "primary_trajectory": TRAJECTORY_KINDS,
    "secondary_trajectory": TRAJECTORY_KINDS,
    "primary_covariance_source": COVARIANCE_SOURCES,
    "secondary_covariance_source": COVARIANCE_SOURCES,
    "hard_body_source": HARD_BODY_SOURCES,
}

_STATE_COMPONENTS = ("x_km", "y_km", "z_km", "vx_km_s", "vy_km_s", "vz_km_s")
_BOTH = ("primary", "secondary")

# NaN, NaT, NO_CODE and negative counts mean "does not apply" and are stored as NULL.
CONJUNCTION_DTYPE = np.dtype(
    [
        ("primary_norad_id", "i8"),
        ("secondary_norad_id", "i8"),
        ("tca", "M8[us]"),  # UTC
        ("miss_distance_m", "f8"),
        ("relative_speed_m_s", "f8"),
        ("miss_radial_m", "f8"),  # secondary minus primary, in the primary's RTN
        ("miss_in_track_m", "f8"),
        ("miss_cross_track_m", "f8"),
        ("probability", "f8"),
        ("formula_h", "f8"),
        ("formula_u", "f8"),
        ("formula_r", "f8"),
        ("probability_2d", "f8"),
        ("probability_3d", "f8"),
        ("probability_best", "f8"),
        ("probability_method", "i1"),
        ("probability_max", "f8"),
        ("diluted", "i1"),  # 1 yes, 0 no
        ("probability_flag", "u1"),
        ("probability_mc", "f8"),
        ("probability_mc_low", "f8"),
        ("probability_mc_high", "f8"),
        ("mc_samples", "i8"),
        ("mc_hits", "i8"),
        ("hard_body_radius_m", "f8"),
        ("hard_body_source", "i1"),
        ("primary_radius_m", "f8"),
        ("secondary_radius_m", "f8"),
        ("catastrophic", "i1"),  # 1 yes, 0 no
        ("fragments_10cm", "f8"),
        ("primary_complex_id", "i8"),  # of what it stays together with as one body
        ("secondary_complex_id", "i8"),
        ("primary_trajectory", "i1"),  # what its path at TCA is from
        ("secondary_trajectory", "i1"),
        ("primary_covariance_source", "i1"),
        ("secondary_covariance_source", "i1"),
        ("primary_manoeuvring", "i1"),  # 1 yes, 0 no
        ("secondary_manoeuvring", "i1"),
        ("primary_age_days", "f8"),  # TCA minus epoch
        ("secondary_age_days", "f8"),
        *[(f"{who}_sigma_{axis}_m", "f8") for who in _BOTH for axis in "rtn"],
        *[(f"{who}_correlation_{axes}", "f8") for who in _BOTH for axes in ("rt", "rn", "tn")],
        ("primary_epoch", "M8[us]"),
        ("secondary_epoch", "M8[us]"),
        ("encounter", "i1"),
        ("inside_from", "M8[us]"),
        ("inside_to", "M8[us]"),
        ("risk_level", "i1"),
        ("risk_basis", "i1"),
        ("probability_level", "i1"),
        ("near_level", "i1"),
        *[(f"{who}_{component}", "f8") for who in _BOTH for component in _STATE_COMPONENTS],  # TEME
    ]
)


def unrated(count: int) -> ConjunctionArray:
    """Return `count` records in which nothing applies yet."""
    record = np.zeros(1, CONJUNCTION_DTYPE)
    for name in CONJUNCTION_DTYPE.names or ():
        kind = CONJUNCTION_DTYPE[name].kind
        if kind == "f":
            record[name] = np.nan
        elif kind == "M":
            record[name] = np.datetime64("NaT")
        elif kind == "i":
            record[name] = NO_CODE
    # As bytes: numpy copies records field by field.
    records: ConjunctionArray = np.tile(record.view(np.uint8), count).view(CONJUNCTION_DTYPE)
    return records
