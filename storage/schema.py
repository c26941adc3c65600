"""The store's tables: each column's name, type, whether it may be NULL, meaning with unit, and example.

The fields of rated encounters are declared in `screening/risk/conjunctions.py`.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal, NamedTuple

import pyarrow as pa

from screening.fields import Field, Kind
from screening.risk.conjunctions import FIELDS, NUMBERS_OF_BOTH
from screening.vocabulary import RISK_LEVELS, SIZES_FROM, ObjectType
from storage.vocabulary import Decision

_BIGINT, _INTEGER, _DOUBLE, _TEXT, _YES_NO = pa.int64(), pa.int32(), pa.float64(), pa.string(), pa.bool_()
_TIME, _COUNTS = pa.timestamp("us"), pa.map_(pa.string(), pa.int64())
_WORD = pa.dictionary(pa.int32(), pa.string())  # few different texts: a dictionary in memory and in the file
_TYPES: dict[Kind, pa.DataType] = {
    "number": _DOUBLE,
    "count": _BIGINT,
    "time": _TIME,
    "word": _WORD,
    "flags": _WORD,
    "yes_no": _YES_NO,
}
_BOTH = ("primary", "secondary")


class Column(NamedTuple):
    """One column of a table."""

    name: str
    type: pa.DataType
    comment: str
    nullable: bool = False
    example: object = ...  # as in JSON; of columns that answers have
    one_of: Any = None  # a Literal, where clients tell apart every word
    listed: int | None = None  # its place among the columns of `skysieve events` in a pipe


@dataclass(frozen=True)
class Table:
    """One table of the store."""

    comment: str
    columns: tuple[Column, ...]

    @cached_property
    def arrow(self) -> pa.Schema:
        """Return the Arrow schema."""
        return pa.schema([pa.field(c.name, c.type, c.nullable) for c in self.columns])


def _optional(
    name: str, kind: pa.DataType, comment: str, *, example: object = ..., one_of: Any = None
) -> Column:
    return Column(name, kind, comment, nullable=True, example=example, one_of=one_of)


def _column_of(field: Field) -> Column:
    """Return the column of a field of rated encounters."""
    return Column(
        field.name,
        _TYPES[field.kind],
        field.comment,
        nullable=not field.always,
        example=field.example,
        one_of=field.one_of,
        listed=field.listed,
    )


_RUN_ID = Column("run_id", _WORD, "run that wrote the row; run ids sort by time", example="20241101T000000Z")
_AXES = {"r": "radial", "t": "in-track", "n": "cross-track"}


def _names_of_both(*examples: str) -> Iterator[Column]:
    for place, (who, example) in enumerate(zip(_BOTH, examples, strict=True)):
        meaning = "name in the catalogue that was screened"
        yield Column(f"{who}_name", _WORD, meaning, example=example, listed=7 + 2 * place)


_STORED_WITH_IT = (
    Column(
        "event_id",
        _BIGINT,
        "the same encounter keeps its id from run to run; below 2^53",
        example=3896461733156320,
        listed=0,
    ),
    _RUN_ID,
    Column(
        "origin",
        _WORD,
        "what found it: run, second_look, fleet, quick, full, message, restricted_message",
        example="run",
        listed=21,
    ),
    Column("computed_at", _TIME, "UTC, when the row was computed", example="2024-11-01T00:00:09.358491Z"),
)
CONJUNCTIONS = Table(
    "One row for each conjunction: a close approach below the run's threshold, rated. All times UTC. "
    f"Published sizes and masses: {SIZES_FROM}.",
    (
        *_STORED_WITH_IT,
        *map(_column_of, NUMBERS_OF_BOTH),
        *_names_of_both("SL-8 DEB", "UNKNOWN"),
        *map(_column_of, FIELDS[len(NUMBERS_OF_BOTH) :]),
    ),
)
# What a row of a run or an analysis always has.
FOLLOWS_FROM_STATES = tuple(field.name for field in FIELDS if field.of_states)

PROXIMITIES = Table(
    "One row per pair and run of co-orbiting objects (docked, formation, same element set); raises no alert.",
    (
        _RUN_ID,
        *(
            _column_of(field)._replace(example=number)
            for field, number in zip(NUMBERS_OF_BOTH, (25544, 49044), strict=True)
        ),
        *_names_of_both("ISS (ZARYA)", "ISS (NAUKA)"),
        Column("tca", _TIME, "UTC, time of the smallest distance", example="2024-11-01T07:12:30.5Z"),
        Column("min_distance_m", _DOUBLE, "m, smallest distance", example=12.6),
        Column("max_distance_m", _DOUBLE, "m, largest distance", example=4210.3),
        Column("kind", _WORD, "same_elements, co_orbiting", example="co_orbiting"),
        _optional("leaves_at", _TIME, "UTC, first time beyond 10 km; NULL: never", example=None),
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
        Column("norad_id", _BIGINT, "catalogue number", example=25544),
        Column("name", _TEXT, "name in the catalogue", example="ISS (ZARYA)"),
        Column("object_id", _TEXT, "international designator", example="1998-067A"),
        Column(
            "object_type",
            _WORD,
            "payload, rocket_body, debris, unknown",
            example="payload",
            one_of=ObjectType,
        ),
        Column("status", _WORD, "whether it is in use: active, inactive, unknown", example="active"),
        Column("can_manoeuvre", _WORD, "whether it can change its path: yes, no, unknown", example="yes"),
        Column("can_manoeuvre_reason", _WORD, "why, in words", example="a space station"),
        _optional(
            "hard_body_radius_m", _DOUBLE, "m, radius of the sphere that stands for the object", example=54.5
        ),
        _optional(
            "hard_body_source",
            _WORD,
            "source: override, body (published dimensions), table (CARA), stage, rcs, class, type",
            example="body",
        ),
        _optional(
            "radius_m",
            _DOUBLE,
            "m, of the sphere with the body's mean shadow; NULL: no published dimensions",
            example=54.5,
        ),
        _optional(
            "bounding_radius_m",
            _DOUBLE,
            "m, of the sphere around it, wings and antennas included",
            example=54.5,
        ),
        _optional(
            "mass_kg",
            _DOUBLE,
            "kg, published (stages: dry), for debris from its radius; NULL: unknown",
            example=None,
        ),
        _optional("body_source", _WORD, "of radius_m: gcat, series, stages", example="series"),
        _optional("body_name", _TEXT, "its name in GCAT", example="Zarya"),
        _optional("owner", _WORD, "its owner or operator, as abbreviated by GCAT", example="JSC"),
        _optional("state", _WORD, "its state, as abbreviated by GCAT", example="US"),
        *(
            _optional(
                f"covariance_factor_{axis}",
                _DOUBLE,
                f"factor on the error law's {word} sigma (below 1: on its growth); above 30 the sets "
                "contradict each other; NULL: 1",
                example=None,
            )
            for axis, word in _AXES.items()
        ),
        *(
            _optional(
                f"law_factor_{axis}",
                _DOUBLE,
                f"factor of the refitted law on the shipped {word} sigma (below 1: on its growth); NULL: 1",
                example=None,
            )
            for axis, word in _AXES.items()
        ),
        _optional(
            "element_sets", _BIGINT, "number of element sets compared; NULL: not compared", example=None
        ),
        _optional(
            "last_manoeuvre",
            _TIME,
            "UTC, first set after the last detected manoeuvre; NULL: none",
            example=None,
        ),
        _optional(
            "age_factor",
            _DOUBLE,
            "on the error law's sigmas, of a set already older than 6 days when the run used it; else 1; "
            "NULL: from an earlier release",
            example=None,
        ),
        _optional("burns_per_day", _DOUBLE, "by its own history; NULL: none to tell", example=None),
        _optional("burn_dv_m_s", _DOUBLE, "usual size of them, m/s; NULL: none seen", example=None),
        _optional(
            "complex_id",
            _BIGINT,
            "objects that stay together as one body share their smallest number; NULL: alone",
            example=25544,
        ),
        _optional(
            "regime",
            _WORD,
            "leo (apogee below 2,000 km), geo (all within 2,000 km of 35,786 km), meo (all between these), "
            "gto (perigee as leo, apogee as geo), heo (any other); NULL: from an earlier release",
            example="leo",
        ),
        _optional(
            "error_class",
            _WORD,
            "how it errs: ballistic, fragment, geodetic, starlink, oneweb, constellation, geostationary, "
            "manoeuvred, contradictory",
            example="ballistic",
        ),
        _optional(
            "manoeuvring",
            _YES_NO,
            "true: thrusts often or lately; NULL: from an earlier release",
            example=False,
        ),
        _optional(
            "trajectory",
            _WORD,
            "source of its path: gp (general element set), supgp (supplemental element set), ephemeris "
            "(its operator's, for the window or a part of it); NULL: from an earlier release",
            example="gp",
        ),
    ),
)

REJECTIONS = Table(
    "Records of the newest run's catalogue that were left out.",
    (
        _RUN_ID,
        Column("line", _BIGINT, "line of the catalogue text, from 1", example=17),
        Column("record", _TEXT, "number or name that identifies the record, or its text", example="99999"),
        Column("reason", _TEXT, "why it was left out", example="ECCENTRICITY is 1.5; allowed: 0 to below 1"),
    ),
)

RUNS = Table(
    "One row for each run.",
    (
        _RUN_ID,
        Column("scope", _WORD, "catalogue: all objects against all", example="catalogue"),
        Column(
            "historic",
            _YES_NO,
            "true: the window starts at the catalogue's epochs, not at the time of the run",
            example=False,
        ),
        Column("synthetic", _YES_NO, "true: the catalogue is generated, not observed", example=False),
        Column("source", _TEXT, "source of the catalogue", example="celestrak"),
        Column(
            "catalogue_sha256",
            _TEXT,
            "SHA-256 of the catalogue text",
            example="6169c698eda622eaf9e0c1432414fd55bc5842434109d465e3c61dc155b2b02d",
        ),
        Column("started", _TIME, "UTC", example="2024-11-01T00:00:00Z"),
        Column("finished", _TIME, "UTC", example="2024-11-01T00:00:09.358491Z"),
        Column("window_start", _TIME, "UTC, start of the screened window", example="2024-11-01T00:00:00Z"),
        Column(
            "window_end", _TIME, "UTC, end of the screened window, exclusive", example="2024-11-02T00:00:00Z"
        ),
        Column("threshold_km", _DOUBLE, "km, largest miss distance, exclusive", example=10.0),
        Column("objects", _BIGINT, "element sets screened", example=26834),
        Column("rejected", _BIGINT, "records of the catalogue that were left out", example=0),
        Column("failed", _BIGINT, "objects that SGP4 could not propagate through the window", example=4),
        Column(
            "failed_by_code",
            pa.map_(_INTEGER, _BIGINT),
            "objects by SGP4 error code",
            example={"1": 1, "6": 3},
        ),
        Column(
            "flagged_old_epoch",
            _BIGINT,
            "element sets with an epoch more than 30 days from the window",
            example=0,
        ),
        Column("candidates", _BIGINT, "coarse minima that were refined", example=137038),
        Column("conjunctions", _BIGINT, "fast conjunctions", example=132441),
        Column("slow", _BIGINT, "slow conjunctions", example=29),
        Column("proximities", _BIGINT, "co-orbiting pairs", example=49),
        *(
            Column(level, _BIGINT, "conjunctions of this risk_level", example=count)
            for level, count in zip(RISK_LEVELS, (58, 1088, 1594, 129726), strict=True)
        ),
        Column(
            "seconds_by_stage",
            pa.map_(_TEXT, _DOUBLE),
            "s, wall time by stage",
            example={"read": 0.5, "screen": 7.1, "rate": 0.2},
        ),
        Column(
            "versions",
            pa.map_(_TEXT, _TEXT),
            "versions of the libraries that affect the numbers",
            example={"skysieve": "0.1.0", "sgp4": "2.27"},
        ),
        _optional(
            "ephemeris",
            _WORD,
            "objects whose ephemeris the run kept: all, payloads, none; NULL: from an earlier release",
            example="all",
            one_of=Literal["all", "payloads", "none"],
        ),
        _optional(
            "ephemeris_reason", _TEXT, "why not all; empty: all; NULL: from an earlier release", example=""
        ),
        _optional(
            "trajectories",
            _TEXT,
            "ids of the trajectories used, separated by blanks; NULL: from an earlier release",
            example="",
        ),
        _optional(
            "catalogue_epoch",
            _TIME,
            "UTC, 99 % of its sets are no newer; NULL: an earlier release",
            example="2024-10-31T21:14:05.123456Z",
        ),
        _optional(
            "catalogue_decision",
            _WORD,
            "how the catalogue was obtained, e.g. last_good; NULL: from an earlier release",
            example="downloaded",
            one_of=Decision,
        ),
        _optional(
            "catalogue_reason",
            _TEXT,
            "reason for that decision; NULL: from an earlier release",
            example="26,834 objects from https://celestrak.org/pub/on-orbit.csv.",
        ),
        _optional(
            "probability_levels",
            _COUNTS,
            "by probability_level; NULL: from an earlier release",
            example={"critical": 2, "high": 9, "medium": 31, "unknown": 310, "low": 3900},
        ),
        _optional(
            "near_levels",
            _COUNTS,
            "by near_level; NULL: from an earlier release",
            example={"critical": 12, "high": 280, "medium": 880},
        ),
        _optional(
            "error_laws",
            _TEXT,
            "shipped, or when they were refitted, to how many sets; NULL: from an earlier release",
            example="shipped",
        ),
        _optional(
            "replay",
            _YES_NO,
            "true: as of a past time, with the sets known then; its times are those of then; NULL: from an "
            "earlier release",
            example=False,
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
