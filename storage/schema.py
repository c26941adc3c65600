"""The store's tables: each column's name, type, whether it may be NULL, and its meaning with its unit."""

from typing import NamedTuple

import pyarrow as pa

from screening.vocabulary import RISK_LEVELS, SIZES_FROM

_BIGINT, _INTEGER, _DOUBLE, _TEXT, _YES_NO = pa.int64(), pa.int32(), pa.float64(), pa.string(), pa.bool_()
_TIME, _COUNTS = pa.timestamp("us"), pa.map_(pa.string(), pa.int64())
_WORD = pa.dictionary(pa.int32(), pa.string())  # few different texts: a dictionary in memory and in the file
_BOTH = ("primary", "secondary")


class Column(NamedTuple):
    """One column of a table."""

    name: str
    type: pa.DataType
    comment: str
    nullable: bool = False


class Table(NamedTuple):
    """One table of the store."""

    comment: str
    columns: tuple[Column, ...]

    @property
    def arrow(self) -> pa.Schema:
        """Return the Arrow schema."""
        return pa.schema([pa.field(c.name, c.type, c.nullable) for c in self.columns])


def _optional(name: str, kind: pa.DataType, comment: str) -> Column:
    return Column(name, kind, comment, nullable=True)


def _of_both(name: str, kind: pa.DataType, comment: str) -> tuple[Column, ...]:
    """Return a column of the primary and one of the secondary."""
    return tuple(_optional(f"{who}_{name}", kind, comment) for who in _BOTH)


def _of_states(name: str, kind: pa.DataType, comment: str) -> Column:
    """Return a column that every row has but those made from messages without states or element sets."""
    return Column(name, kind, f"{comment}; NULL: the message does not give it", nullable=True)


_RUN_ID = Column("run_id", _WORD, "run that wrote the row; run ids sort by time")
_PAIR = (
    Column("primary_norad_id", _BIGINT, "catalogue number; the requested object, else the smaller number"),
    Column("secondary_norad_id", _BIGINT, "catalogue number of the other object"),
    Column("primary_name", _WORD, "name in the catalogue that was screened"),
    Column("secondary_name", _WORD, "name in the catalogue that was screened"),
)
_AXES = {"r": "radial", "t": "in-track", "n": "cross-track"}
_COMPONENTS = {
    **{f"{axis}_km": f"position {axis} at TCA, TEME, km" for axis in "xyz"},
    **{f"v{axis}_km_s": f"velocity {axis} at TCA, TEME, km/s" for axis in "xyz"},
}

CONJUNCTIONS = Table(
    "One row for each conjunction: a close approach below the run's threshold, rated. All times UTC. "
    f"Published sizes and masses: {SIZES_FROM}.",
    (
        Column("event_id", _BIGINT, "the same encounter keeps its id from run to run; below 2^53"),
        _RUN_ID,
        Column(
            "origin",
            _WORD,
            "what found it: run, second_look, fleet, quick, full, message, restricted_message",
        ),
        Column("computed_at", _TIME, "UTC, when the row was computed"),
        *_PAIR,
        Column("tca", _TIME, "UTC, time of closest approach"),
        Column("miss_distance_m", _DOUBLE, "m, distance at TCA"),
        _of_states("relative_speed_m_s", _DOUBLE, "m/s, at TCA"),
        _of_states("miss_radial_m", _DOUBLE, "m, secondary minus primary at TCA, radial in primary's RTN"),
        _of_states("miss_in_track_m", _DOUBLE, "m, as miss_radial_m, in-track axis"),
        _of_states("miss_cross_track_m", _DOUBLE, "m, as miss_radial_m, cross-track axis"),
        _optional("probability", _DOUBLE, "collision probability, the mission's formula; NULL if 2-D fails"),
        _optional("formula_h", _DOUBLE, "sigmas, miss across the relative track"),
        _optional("formula_u", _DOUBLE, "sigmas, miss along the relative track"),
        _optional("formula_r", _DOUBLE, "sigmas, combined hard-body radius"),
        _optional("probability_2d", _DOUBLE, "exact 2-D collision probability (Foster); NULL if 2-D fails"),
        _optional("probability_3d", _DOUBLE, "of the likeliest orbits that meet; NULL: not needed, or none"),
        _optional("probability_best", _DOUBLE, "the one that counts; NULL: none, or from an earlier release"),
        _optional("probability_method", _WORD, "of probability_best: 2d, 3d, trajectory_mc, bound (at most)"),
        _optional("probability_max", _DOUBLE, "largest probability_2d at another size of the same ellipse"),
        _optional("diluted", _YES_NO, "true: the covariance is larger than that of probability_max"),
        _optional("probability_flag", _WORD, "why 2-D is doubtful: slow long curved non_positive_definite"),
        _optional(
            "probability_mc",
            _DOUBLE,
            "collision probability by Monte Carlo, of critical and high events with probability_2d; "
            "NULL if not run",
        ),
        _optional("probability_mc_low", _DOUBLE, "lower end of its 95 % interval"),
        _optional("probability_mc_high", _DOUBLE, "upper end of its 95 % interval"),
        _optional("mc_samples", _BIGINT, "Monte Carlo samples drawn"),
        _optional(
            "mc_hits", _BIGINT, "samples that hit; drawn where hits are likely, so not probability x samples"
        ),
        _optional("hard_body_radius_m", _DOUBLE, "m, combined hard-body radius"),
        _optional(
            "hard_body_source",
            _WORD,
            "the less certain of both radii: override, cdm, body, table (CARA), stage, rcs, class, type",
        ),
        *_of_both(
            "radius_m", _DOUBLE, "m, of this object alone (published: GCAT, CC BY 4.0); NULL: earlier release"
        ),
        _optional("catastrophic", _YES_NO, "true: it would shatter both, 40 J/g; NULL: a mass is unknown"),
        _optional("fragments_10cm", _DOUBLE, "pieces of 10 cm or more if they met; NULL: as catastrophic"),
        *_of_both(
            "complex_id",
            _BIGINT,
            "smallest number in its docked complex; NULL: flies alone, or not scored",
        ),
        *_of_both(
            "trajectory",
            _WORD,
            "source of its path at TCA: gp (general element set), supgp (supplemental element set), "
            "ephemeris (its operator's); NULL: from an earlier release",
        ),
        *_of_both(
            "covariance_source",
            _WORD,
            "default, differenced, trajectory (its operator's), cdm; NULL: not scored, or an ephemeris "
            "without covariance",
        ),
        *_of_both(
            "manoeuvring",
            _YES_NO,
            "true: thrusts often or lately, so its element set may be tens of km off; NULL: not scored",
        ),
        *_of_both("age_days", _DOUBLE, "days, TCA minus epoch; NULL: from an earlier release"),
        *(
            _optional(f"{who}_sigma_{axis}_m", _DOUBLE, f"m, 1-sigma {word} position at TCA, own RTN")
            for who in _BOTH
            for axis, word in _AXES.items()
        ),
        *(
            _optional(
                f"{who}_correlation_{axes}",
                _DOUBLE,
                f"correlation of the position's errors along {axes[0]} and {axes[1]} at TCA; NULL: 0",
            )
            for who in _BOTH
            for axes in ("rt", "rn", "tn")
        ),
        *(
            _of_states(
                f"{who}_epoch", _TIME, f"UTC, epoch of the {who}'s element set, or its ephemeris' first state"
            )
            for who in _BOTH
        ),
        Column("encounter", _WORD, "fast; slow: a visit, one row for each time inside the threshold"),
        _optional(
            "inside_from", _TIME, "UTC, start of this visit, its time inside the threshold; NULL for fast"
        ),
        _optional("inside_to", _TIME, "UTC, end of this visit; NULL for fast"),
        Column("risk_level", _WORD, "critical, high, medium, low"),
        Column(
            "risk_basis",
            _WORD,
            "what decided the level: distance, probability, monte_carlo, bound; of messages also claimed "
            "(the sender's probability), maximum (the largest that fits, if a covariance is missing)",
        ),
        _optional(
            "probability_level",
            _WORD,
            "the level by probability_best alone: critical, high, medium, low; unknown: none could be "
            "computed; NULL: from an earlier release",
        ),
        _optional("near_level", _WORD, "by the miss alone: critical, high, medium; NULL: 1000 m or more"),
        *(_of_states(f"{who}_{name}", _DOUBLE, text) for who in _BOTH for name, text in _COMPONENTS.items()),
    ),
)
# What a row of a run or an analysis always has.
FOLLOWS_FROM_STATES = (
    *("relative_speed_m_s", "miss_radial_m", "miss_in_track_m", "miss_cross_track_m"),
    *(f"{who}_epoch" for who in _BOTH),
    *(f"{who}_{name}" for who in _BOTH for name in _COMPONENTS),
)

PROXIMITIES = Table(
    "One row per pair and run of co-orbiting objects (docked, formation, same element set); raises no alert.",
    (
        _RUN_ID,
        *_PAIR,
        Column("tca", _TIME, "UTC, time of the smallest distance"),
        Column("min_distance_m", _DOUBLE, "m, smallest distance"),
        Column("max_distance_m", _DOUBLE, "m, largest distance"),
        Column("kind", _WORD, "same_elements, co_orbiting"),
        _optional("leaves_at", _TIME, "UTC, first time beyond 10 km; NULL: never"),
    ),
)

ELEMENTS = Table(
    "Element sets at full precision (SGP4 mean elements, TEME, WGS-72).",
    (
        _RUN_ID,
        Column("norad_id", _BIGINT, "catalogue number"),
        Column("name", _TEXT, "name in the catalogue"),
        Column("object_id", _TEXT, "international designator"),
        Column("epoch", _TIME, "UTC, rounded to 1 us; exact: epoch_jd and epoch_day_fraction"),
        Column("epoch_jd", _DOUBLE, "Julian date (UTC) of the midnight before the epoch"),
        Column("epoch_day_fraction", _DOUBLE, "days since that midnight, 0 to 1"),
        Column("mean_motion_rev_day", _DOUBLE, "rev/day"),
        Column("eccentricity", _DOUBLE, "dimensionless"),
        Column("inclination_deg", _DOUBLE, "deg"),
        Column("raan_deg", _DOUBLE, "deg, right ascension of the ascending node"),
        Column("argument_of_perigee_deg", _DOUBLE, "deg"),
        Column("mean_anomaly_deg", _DOUBLE, "deg"),
        Column("bstar_per_earth_radius", _DOUBLE, "1/Earth radius, drag term"),
        Column("mean_motion_dot_rev_day2", _DOUBLE, "rev/day^2, first derivative of mean motion / 2"),
        Column("mean_motion_ddot_rev_day3", _DOUBLE, "rev/day^3, second derivative of mean motion / 6"),
        Column("element_set_number", _INTEGER, "number of element sets, as published"),
        Column("revolution_at_epoch", _INTEGER, "revolutions as published"),
        Column("classification", _TEXT, "U: unclassified"),
        Column("ephemeris_type", pa.int8(), "as published"),
        _optional(
            "trajectory",
            _WORD,
            "gp: general; supgp: supplemental; ephemeris: osculating, of an object that is in no catalogue "
            "and was screened on an ephemeris; NULL: gp, from an earlier release",
        ),
        Column("content_hash", _BIGINT, "63-bit hash of the numbers of the set; a set is stored once"),
    ),
)

ELEMENT_HISTORY = Table(
    "Every element set that has not expired, once each.",
    (
        _optional("run_id", _WORD, "the first run with this set; NULL: no run had it before it was imported"),
        *ELEMENTS.columns[1:],
        _optional("first_seen", _TIME, "UTC, when it became known: start of the first run, or as imported"),
    ),
)

OBJECTS = Table(
    f"One row for each object of the newest run. Published sizes, masses and owners: {SIZES_FROM}.",
    (
        Column("norad_id", _BIGINT, "catalogue number"),
        Column("name", _TEXT, "name in the catalogue"),
        Column("object_id", _TEXT, "international designator"),
        Column("object_type", _WORD, "payload, rocket_body, debris, unknown"),
        Column("status", _WORD, "whether it is in use: active, inactive, unknown"),
        Column("can_manoeuvre", _WORD, "whether it can change its path: yes, no, unknown"),
        Column("can_manoeuvre_reason", _WORD, "why, in words"),
        _optional("hard_body_radius_m", _DOUBLE, "m, radius of the sphere that stands for the object"),
        _optional(
            "hard_body_source",
            _WORD,
            "source: override, body (published dimensions), table (CARA), stage, rcs, class, type",
        ),
        _optional(
            "radius_m", _DOUBLE, "m, of the sphere with the body's mean shadow; NULL: no published dimensions"
        ),
        _optional("bounding_radius_m", _DOUBLE, "m, of the sphere around it, wings and antennas included"),
        _optional(
            "mass_kg", _DOUBLE, "kg, published (stages: dry), for debris from its radius; NULL: unknown"
        ),
        _optional("body_source", _WORD, "of radius_m: gcat, series, stages"),
        _optional("body_name", _TEXT, "its name in GCAT"),
        _optional("owner", _WORD, "its owner or operator, as abbreviated by GCAT"),
        _optional("state", _WORD, "its state, as abbreviated by GCAT"),
        *(
            _optional(
                f"covariance_factor_{axis}",
                _DOUBLE,
                f"factor on the error law's {word} sigma; above 30 the sets contradict each other; NULL: 1",
            )
            for axis, word in _AXES.items()
        ),
        _optional("element_sets", _BIGINT, "number of element sets compared; NULL: not compared"),
        _optional("last_manoeuvre", _TIME, "UTC, first set after the last detected manoeuvre; NULL: none"),
        _optional(
            "complex_id",
            _BIGINT,
            "objects that stay together as one body share their smallest number; NULL: alone",
        ),
        _optional(
            "regime",
            _WORD,
            "leo (apogee below 2,000 km), geo (all within 2,000 km of 35,786 km), meo (all between these), "
            "gto (perigee as leo, apogee as geo), heo (any other); NULL: from an earlier release",
        ),
        _optional(
            "error_class",
            _WORD,
            "which error law: ballistic, geodetic, constellation, geostationary, manoeuvred, contradictory",
        ),
        _optional("manoeuvring", _YES_NO, "true: thrusts often or lately; NULL: from an earlier release"),
        _optional(
            "trajectory",
            _WORD,
            "source of its path: gp (general element set), supgp (supplemental element set), ephemeris "
            "(its operator's, for the window or a part of it); NULL: from an earlier release",
        ),
    ),
)

REJECTIONS = Table(
    "Records of the newest run's catalogue that were left out.",
    (
        _RUN_ID,
        Column("line", _BIGINT, "line of the catalogue text, from 1"),
        Column("record", _TEXT, "number or name that identifies the record, or its text"),
        Column("reason", _TEXT, "why it was left out"),
    ),
)

RUNS = Table(
    "One row for each run.",
    (
        _RUN_ID,
        Column("scope", _WORD, "catalogue: all objects against all"),
        Column(
            "historic",
            _YES_NO,
            "true: the window starts at the catalogue's epochs, not at the time of the run",
        ),
        Column("synthetic", _YES_NO, "true: the catalogue is generated, not observed"),
        Column("source", _TEXT, "source of the catalogue"),
        Column("catalogue_sha256", _TEXT, "SHA-256 of the catalogue text"),
        Column("started", _TIME, "UTC"),
        Column("finished", _TIME, "UTC"),
        Column("window_start", _TIME, "UTC, start of the screened window"),
        Column("window_end", _TIME, "UTC, end of the screened window, exclusive"),
        Column("threshold_km", _DOUBLE, "km, largest miss distance, exclusive"),
        Column("objects", _BIGINT, "element sets screened"),
        Column("rejected", _BIGINT, "records of the catalogue that were left out"),
        Column("failed", _BIGINT, "objects that SGP4 could not propagate through the window"),
        Column("failed_by_code", pa.map_(_INTEGER, _BIGINT), "objects by SGP4 error code"),
        Column("flagged_old_epoch", _BIGINT, "element sets with an epoch more than 30 days from the window"),
        Column("candidates", _BIGINT, "coarse minima that were refined"),
        Column("conjunctions", _BIGINT, "fast conjunctions"),
        Column("slow", _BIGINT, "slow conjunctions"),
        Column("proximities", _BIGINT, "co-orbiting pairs"),
        *(Column(level, _BIGINT, "conjunctions of this risk_level") for level in RISK_LEVELS),
        Column("seconds_by_stage", pa.map_(_TEXT, _DOUBLE), "s, wall time by stage"),
        Column("versions", pa.map_(_TEXT, _TEXT), "versions of the libraries that affect the numbers"),
        _optional(
            "ephemeris",
            _WORD,
            "objects whose ephemeris the run kept: all, payloads, none; NULL: from an earlier release",
        ),
        _optional("ephemeris_reason", _TEXT, "why not all; empty: all; NULL: from an earlier release"),
        _optional(
            "trajectories",
            _TEXT,
            "ids of the trajectories used, separated by blanks; NULL: from an earlier release",
        ),
        _optional("catalogue_epoch", _TIME, "UTC, 99 % of its sets are no newer; NULL: an earlier release"),
        _optional(
            "catalogue_decision",
            _WORD,
            "how the catalogue was obtained, e.g. last_good; NULL: from an earlier release",
        ),
        _optional("catalogue_reason", _TEXT, "reason for that decision; NULL: from an earlier release"),
        _optional("probability_levels", _COUNTS, "by probability_level; NULL: from an earlier release"),
        _optional("near_levels", _COUNTS, "by near_level; NULL: from an earlier release"),
        _optional(
            "replay",
            _YES_NO,
            "true: as of a past time, with the sets known then; its times are those of then; NULL: from an "
            "earlier release",
        ),
    ),
)

TABLES = {
    "conjunctions": CONJUNCTIONS,
    "proximities": PROXIMITIES,
    "objects": OBJECTS,
    "elements": ELEMENTS,
    "rejections": REJECTIONS,
    "runs": RUNS,
}
