"""The rated encounter: one record per event, whose fields are declared here for all that store or show them.

The examples are an approach of 1 November 2024 with made-up scores.
"""

from collections.abc import Sequence
from typing import Any, Literal, get_args

import numpy as np
import numpy.typing as npt

from screening.fields import CODES, Field, Kind, Shown
from screening.vocabulary import (
    ERROR_LAWS,
    NEAR_LEVELS,
    PROBABILITY_LEVELS,
    PROBABILITY_METHODS,
    RISK_LEVELS,
    TRAJECTORY_KINDS,
    NearLevel,
    ProbabilityLevel,
    ProbabilityMethod,
    RiskLevel,
)

ConjunctionArray = npt.NDArray[np.void]

# Words are stored as codes: the position in the tuple, or NO_CODE if none applies.
NO_CODE = -1
Encounter = Literal["fast", "slow"]
ENCOUNTERS: tuple[Encounter, ...] = get_args(Encounter)
# What decided the level: the miss, or a probability, computed, sampled, or only bounded: by the sender's
# claim, by the largest that any missing covariance gives, or by what is known of one that could not be
# settled.
RISK_BASES = ("distance", "probability", "monte_carlo", "claimed", "maximum", "bound")
COVARIANCE_SOURCES = ("default", "differenced", "trajectory", "cdm", "own", "constellation")
# Where a radius is from, from the most certain to the least.
HARD_BODY_SOURCES = ("override", "cdm", "body", "table", "stage", "rcs", "class", "type")

# Bits of probability_flag; stored as words separated by spaces.
PROBABILITY_FLAGS = ("slow", "long", "curved", "non_positive_definite")

_BOTH = ("primary", "secondary")
_AXES = {"r": "radial", "t": "in-track", "n": "cross-track"}


def _of_both(
    name: str, kind: Kind, unit: str, meaning: str, examples: Sequence[object], **more: Any
) -> list[Field]:
    """Return a field of the primary and one of the secondary, the words `WHO` being these."""
    sides = zip(_BOTH, examples, strict=True)
    return [
        Field(f"{who}_{name}", kind, unit, meaning.replace("WHO", who), one, **more) for who, one in sides
    ]


def _approach(label: str, note: str, term: str) -> Shown:
    return Shown("approach", label, "length", note, term)


def _chance(label: str, note: str, term: str = "", place: int = 0) -> Shown:
    return Shown("probability", label, "probability", note, term, place=place)


def _in_sigmas(label: str, note: str) -> Shown:
    return Shown("probability", label, "significant", note, "formula in sigmas", place=1)


# fmt: off
NUMBERS_OF_BOTH = (
    Field("primary_norad_id", "count", "", "catalogue number; the requested object, else the smaller number",
          17842, always=True, listed=6),
    Field("secondary_norad_id", "count", "", "catalogue number of the other object", 270293, always=True,
          listed=8),
)
FIELDS = (
    *NUMBERS_OF_BOTH,
    Field("tca", "time", "UTC", "time of closest approach", "2024-11-01T13:05:41.266855Z", always=True,
          listed=5),
    Field("miss_distance_m", "number", "m", "distance at TCA", 62.15755452584938, always=True, listed=10,
          shown=_approach("Miss distance", "at TCA; exact for the paths used, not for the satellites",
                          "miss distance")),
    Field("relative_speed_m_s", "number", "m/s", "at TCA", 14926.7025967274, of_states=True, listed=11,
          shown=_approach("Relative speed", "at TCA", "relative speed")),
    Field("miss_radial_m", "number", "m", "secondary minus primary at TCA, radial in primary's RTN",
          -12.428325736948533, of_states=True,
          shown=_approach("Miss, radial", "above (+) or below", "radial")),
    Field("miss_in_track_m", "number", "m", "as miss_radial_m, in-track axis", -4.782694225797144,
          of_states=True,
          shown=_approach("Miss, in-track", "ahead (+) or behind", "in-track")),
    Field("miss_cross_track_m", "number", "m", "as miss_radial_m, cross-track axis", -60.71428283322441,
          of_states=True,
          shown=_approach("Miss, cross-track", "to the left (+) or right",
                          "cross-track")),
    Field("probability", "number", "", "collision probability, the mission's formula; NULL if 2-D fails",
          4.19e-06, listed=17,
          shown=_chance("Probability, closed formula", "the mission's formula, of Gaussian errors alone",
                        "probability")),
    Field("formula_h", "number", "sigmas", "miss across the relative track", 0.0817,
          shown=_in_sigmas("Formula h", "miss across the relative track")),
    Field("formula_u", "number", "sigmas", "miss along the relative track", 0.0,
          shown=_in_sigmas("Formula u", "miss along the relative track")),
    Field("formula_r", "number", "sigmas", "combined hard-body radius", 0.0029,
          shown=_in_sigmas("Formula r", "hard-body radius")),
    Field("probability_2d", "number", "", "exact 2-D collision probability (Foster); NULL if 2-D fails",
          4.19e-06, listed=18,
          shown=_chance("Probability, exact 2-D", "Gaussian errors alone, over the hard-body circle (Foster)",
                        "exact 2-D probability")),
    Field("probability_3d", "number", "", "of the likeliest orbits that meet; NULL: not needed, or none",
          None,
          shown=_chance("Probability, in three dimensions",
                        "of the likeliest orbits that meet, where the plane does not hold")),
    Field("probability_best", "number", "", "the one that counts; NULL: none, or from an earlier release",
          4.19e-06, listed=2, shown=_chance("Probability", "the one that counts", "probability", place=-1)),
    Field("probability_method", "word", "", "of probability_best: 2d, 3d, trajectory_mc, bound (at most)",
          "2d", PROBABILITY_METHODS, ProbabilityMethod, listed=3),
    Field("probability_max", "number", "", "largest probability_2d at another size of the same ellipse",
          8.6e-05, listed=19,
          shown=_chance("Probability, largest", "at another size of the same ellipse",
                        "largest probability")),
    Field("diluted", "yes_no", "", "true: the covariance is larger than that of probability_max", True),
    Field("probability_flag", "flags", "", "why 2-D is doubtful: slow long curved non_positive_definite",
          None, PROBABILITY_FLAGS, listed=14),
    Field("probability_mc", "number", "",
          "collision probability by Monte Carlo, of critical and high events with "
          "probability_2d; NULL if not run", 4.19e-06),
    Field("probability_mc_low", "number", "", "lower end of its 95 % interval", 4.18e-06),
    Field("probability_mc_high", "number", "", "upper end of its 95 % interval", 4.2e-06),
    Field("mc_samples", "count", "", "Monte Carlo samples drawn", 100000),
    Field("mc_hits", "count", "",
          "samples that hit; drawn where hits are likely, so not probability x samples", 51234),
    Field("hard_body_radius_m", "number", "m", "combined hard-body radius", 3.0,
          shown=Shown("probability", "Hard-body radius", "length", "of both together: the sum of their radii",
                      "hard-body radius")),
    Field("hard_body_source", "word", "",
          "the less certain of both radii: override, cdm, body, table (CARA), stage, "
          "rcs, class, type", "type", HARD_BODY_SOURCES, listed=22),
    *_of_both("radius_m", "number", "m",
              "of this object alone (published: GCAT, CC BY 4.0); NULL: earlier release", (2.0, 1.0)),
    Field("catastrophic", "yes_no", "", "true: it would shatter both, 40 J/g; NULL: a mass is unknown", True,
          listed=12),
    Field("fragments_10cm", "number", "", "pieces of 10 cm or more if they met; NULL: as catastrophic",
          1211.0, listed=13,
          shown=Shown("probability", "Pieces", "significant", "of 10 cm or more, if they met", "pieces")),
    *_of_both("complex_id", "count", "",
              "smallest number in its docked complex; NULL: flies alone, or not scored", (None, None)),
    *_of_both("trajectory", "word", "",
              "source of its path at TCA: gp (general element set), supgp (supplemental "
              "element set), ephemeris (its operator's); NULL: from an earlier release", ("gp", "gp"),
              words=TRAJECTORY_KINDS, listed=24),
    *_of_both("departs_at", "time", "UTC",
              "since when its operator's ephemeris is another path than its element set (100 km and 10 "
              "sigma); NULL: it is not", (None, None)),
    *_of_both("covariance_source", "word", "",
              "default, constellation (law of its own), own (law and its own history), trajectory (its "
              "operator's), cdm, differenced (earlier releases); NULL: not scored, or an ephemeris without "
              "covariance", ("default", "default"), words=COVARIANCE_SOURCES),
    *_of_both("manoeuvring", "yes_no", "",
              "true: thrusts often or lately, so its element set may be tens of km off; "
              "NULL: not scored", (False, False), listed=23),
    *_of_both("age_days", "number", "days", "TCA minus epoch; NULL: from an earlier release",
              (1.1871816445227348, 2.405498504522735)),
    *(
        Field(f"{who}_sigma_{axis}_m", "number", "m", f"1-sigma {_AXES[axis]} position at TCA, own RTN",
              example, shown=Shown("object", f"σ {_AXES[axis]}", "length", note, "sigma"))
        for who, examples in (("primary", (125.4, 646.3, 154.0)), ("secondary", (148.1, 2375.6, 171.5)))
        for axis, example, note in zip("rtn", examples, (
            "1-sigma error of position at TCA, up and down", "along the track: the largest",
            "across the orbit's plane"), strict=True)
    ),
    *_of_both("error_law", "word", "", "law of its errors (docs/probability.md); NULL: not by a law",
              ("leo", "leo"), words=ERROR_LAWS),
    *_of_both("tail_share", "number", "", "probability that its errors are those of the law's tail",
              (0.15, 0.15)),
    *_of_both("burn_share", "number", "", "probability that it has burnt since its epoch", (0.012, 0.0)),
    *_of_both("burn_in_track_m", "number", "m", "1-sigma in-track displacement if it has burnt",
              (8900.0, 0.0)),
    *(
        Field(f"{who}_correlation_{a}{b}", "number", "",
              f"correlation of the position's errors along {a} and {b} at TCA; NULL: 0", None)
        for who in _BOTH for a, b in ("rt", "rn", "tn")
    ),
    *_of_both("epoch", "time", "UTC", "epoch of the WHO's element set, or its ephemeris' first state",
              ("2024-10-31T08:36:08.772768Z", "2024-10-30T03:21:46.196064Z"), of_states=True),
    Field("encounter", "word", "", "fast; slow: a visit, one row for each time inside the threshold", "fast",
          ENCOUNTERS, Encounter, always=True, listed=20),
    Field("inside_from", "time", "UTC", "start of this visit, its time inside the threshold; NULL for fast",
          None),
    Field("inside_to", "time", "UTC", "end of this visit; NULL for fast", None),
    Field("risk_level", "word", "", "critical, high, medium, low", "critical", RISK_LEVELS, RiskLevel,
          always=True, listed=15),
    Field("risk_basis", "word", "",
          "what decided the level: distance, probability, monte_carlo, bound; of messages also "
          "claimed (the sender's probability), maximum (the largest that fits, if a covariance is missing)",
          "distance", RISK_BASES, always=True, listed=16),
    Field("probability_level", "word", "",
          "the level by probability_best alone: critical, high, medium, low; unknown: "
          "none could be computed; NULL: from an earlier release", "medium", PROBABILITY_LEVELS,
          ProbabilityLevel, listed=1),
    Field("near_level", "word", "", "by the miss alone: critical, high, medium; NULL: 1,000 m or more", None,
          NEAR_LEVELS, NearLevel, listed=4),
    *(
        Field(f"{who}_{begin}{axis}_{unit.replace('/', '_')}", "number", unit, f"{what} {axis} at TCA, TEME",
              example, of_states=True)
        for who, position, velocity in (
            ("primary", (-347.1384834378624, 5841.096216414124, -4036.2690286369675),
             (-2.262616632675622, -4.142474176810549, -5.816140779400047)),
            ("secondary", (-347.078628827606, 5841.080542375781, -4036.27497100499),
             (1.1131330544701823, 4.246011334183169, 6.060057067248181)))
        for begin, what, unit, examples in (
            ("", "position", "km", position), ("v", "velocity", "km/s", velocity))
        for axis, example in zip("xyz", examples, strict=True)
    ),
)
# fmt: on
CONJUNCTION_DTYPE = np.dtype([(field.name, CODES[field.kind]) for field in FIELDS])
WORDS_OF_CODED_FIELDS = {field.name: field.words for field in FIELDS if field.kind == "word"}


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
