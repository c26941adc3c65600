"""Tables of what changes in the sky as a whole: decays, how crowded it is, catalogues, break-ups."""

import pyarrow as pa

from screening.vocabulary import DecayMethod, EnvironmentKind
from storage.schema import Column, Table

_BIGINT, _REAL, _DOUBLE, _TIME = pa.int64(), pa.float32(), pa.float64(), pa.timestamp("us")
_WORD, _TEXT = pa.dictionary(pa.int32(), pa.string()), pa.string()
_INTEGER, _NUMBERS, _TEXTS = pa.int32(), pa.list_(pa.int64()), pa.list_(pa.string())

DECAYS = Table(
    "One row for each object that a run expects to decay by drag within five years. All times UTC.",
    (
        Column("run_id", _WORD, "run that forecast it", example="20241101T000000Z"),
        Column("norad_id", _BIGINT, "catalogue number", example=26411),
        Column("name", pa.string(), "name of the object", example="COSMOS 1408 DEB"),
        Column("median", _TIME, "UTC, as likely before as after", example="2024-11-24T04:10:00Z"),
        Column(
            "window_start",
            _TIME,
            "UTC, start of the window that holds 90 % of decays, 5 % are earlier",
            example="2024-11-16T12:00:00Z",
        ),
        Column("window_end", _TIME, "UTC, end of that window, 5 % are later", example="2024-12-04T20:30:00Z"),
        Column(
            "method",
            _WORD,
            "where the rate of decay is from: the change of the mean motion between two sets (history), what "
            "the newest set says (set), or the weighted mean of both",
            one_of=DecayMethod,
            example="history and set",
        ),
        Column(
            "may_manoeuvre",
            pa.bool_(),
            "true: a payload not known to be passive: the forecast holds if it is left to drag",
            example=False,
        ),
        Column("epoch", _TIME, "UTC, of the newest set", example="2024-10-31T17:12:44.102528Z"),
        Column(
            "earlier_epoch",
            _TIME,
            "UTC, of the earlier set; NULL: none was used",
            nullable=True,
            example="2024-10-21T05:42:11.020416Z",
        ),
        Column("perigee_km", _REAL, "km, height of the newest set's perigee", example=281.4),
        Column("apogee_km", _REAL, "km, height of its apogee", example=312.9),
        Column("inclination_deg", _REAL, "degrees, of its orbit", example=82.57),
        Column(
            "exospheric_kelvin",
            _REAL,
            "K, of the thermosphere, as the run's spent stages show it",
            example=1120.0,
        ),
    ),
)


def _rate(name: str, comment: str, example: float | None) -> Column:
    return Column(name, _DOUBLE, comment, nullable=True, example=example)


ENVIRONMENT = Table(
    "Fast approaches of each run by shell and by groups of objects. Stays when runs expire. Docked objects "
    "count as one.",
    (
        Column("run_id", _WORD, "run that counted", example="20241101T000000Z"),
        Column("days", _DOUBLE, "days, length of its window", example=1.0),
        Column(
            "kind",
            _WORD,
            "shell: between two altitudes; type, owner, constellation: between groups of objects",
            one_of=EnvironmentKind,
            example="shell",
        ),
        Column(
            "one",
            _WORD,
            "of a shell: all, outside (neither is of a constellation), within (both are of the same one); "
            "else the group: of an owner as abbreviated by GCAT; unknown, none",
            example="all",
        ),
        Column(
            "other",
            _WORD,
            "the other group, of owners only the same one; NULL: any (and of shells)",
            nullable=True,
            example=None,
        ),
        Column(
            "altitude_from_km",
            _REAL,
            "km, of the primary at TCA, less the Earth's radius at the equator; NULL: no shell",
            nullable=True,
            example=750.0,
        ),
        Column("altitude_to_km", _REAL, "km, likewise, exclusive", nullable=True, example=800.0),
        Column(
            "objects",
            _DOUBLE,
            "objects: of a shell the mean number in it, of a group all; NULL: of pairs, and within",
            nullable=True,
            example=1681.2,
        ),
        _rate("approaches_1km_day", "1/day, closer than 1 km; NULL: beyond the run's threshold", 98.0),
        _rate("approaches_5km_day", "1/day, closer than 5 km; NULL: likewise", 2630.0),
        Column(
            "collisions_year",
            _DOUBLE,
            "1/year, sum of probability_best of events below the run's threshold",
            example=0.035,
        ),
        Column(
            "fragments_year",
            _DOUBLE,
            "1/year, pieces of 10 cm or more, sum of probability_best x fragments_10cm",
            example=41.0,
        ),
        _rate(
            "gas_1km_day",
            "1/day, closer than 1 km if nodes and phases were random; NULL: no shell, or within",
            113.0,
        ),
        _rate("gas_collisions_year", "1/year, likewise of the spheres of the hard-body radii", 0.0547),
    ),
)


ANNOUNCED = Table(
    "One row for each message that announces a decay (TIP). All times UTC.",
    (
        Column("norad_id", _BIGINT, "catalogue number", example=26411),
        Column("source", _WORD, "who announced it", example="Space-Track"),
        Column("message_epoch", _TIME, "UTC, when it was announced", example="2024-11-23T18:20:00Z"),
        Column("decay", _TIME, "UTC, expected decay", example="2024-11-24T06:51:00Z"),
        Column("window_minutes", _REAL, "minutes, before and after `decay`", example=180.0),
        Column("high_interest", pa.bool_(), "true: of high interest to the sender", example=False),
        Column(
            "next_report_h",
            _REAL,
            "hours until its next message; NULL: not said",
            nullable=True,
            example=6.0,
        ),
    ),
)


CATALOGUE_CHANGES = Table(
    "One row for each run: its catalogue against that of the last complete run. All times UTC.",
    (
        Column("run_id", _WORD, "run that wrote the row; run ids sort by time", example="20241101T000000Z"),
        Column(
            "base_run_id",
            _WORD,
            "run whose catalogue it is compared with: the last complete one of the week before, else the one "
            "before; NULL: there is none of the same kind",
            nullable=True,
            example="20241031T160000Z",
        ),
        Column("epoch", _TIME, "UTC, epoch that 99 % of its element sets are older than"),
        Column("objects", _INTEGER, "objects of its catalogue", example=26834),
        Column("objects_before", _INTEGER, "objects of the other catalogue", nullable=True, example=26829),
        Column(
            "suspect",
            pa.bool_(),
            "true: a tenth of the objects or more is missing or doubled, or a family of 20 or more is "
            "missing as a whole: the source is damaged, and of no event is said that it is gone",
            example=False,
        ),
        Column("missing_families", _TEXTS, "first words of names of which nine in ten objects are missing"),
        Column("repeated", _INTEGER, "sets left out, as the text has a newer one of the object", example=0),
        Column("stale", _INTEGER, "objects whose set is more than 7 days older than `epoch`", example=1210),
        Column("new_norad_ids", _NUMBERS, "objects that no catalogue of the store had before"),
        Column("back_norad_ids", _NUMBERS, "objects that the other catalogue had not, but an earlier one"),
        Column("gone_norad_ids", _NUMBERS, "objects that only the other catalogue has"),
        Column("former_norad_ids", _NUMBERS, "those of `gone_norad_ids` that fly on under another number"),
        Column("present_norad_ids", _NUMBERS, "these other numbers, in the same order"),
        Column("doubled_norad_ids", _NUMBERS, "new numbers with the element set of an object known before"),
        Column("launches", _TEXTS, "launches that brought some of `new_norad_ids`, as 2021-104"),
        Column("late_norad_ids", _NUMBERS, "new objects of earlier launches, catalogued late"),
        Column("words", _TEXTS, "what of that matters, as sentences"),
    ),
)

FRAGMENTATIONS = Table(
    "One row for each break-up and run that found pieces of it. All times UTC.",
    (
        Column("fragmentation_id", _BIGINT, "parent's number and day as yyyymmdd", example=1355220211115),
        Column("run_id", _WORD, "run that wrote the row; run ids sort by time", example="20241101T000000Z"),
        Column("found_at", _TIME, "UTC, epoch of the run's catalogue", example="2021-12-22T14:55:25Z"),
        Column("parent_norad_id", _BIGINT, "object that broke up", example=13552),
        Column("parent_name", _TEXT, "its name", example="COSMOS 1408"),
        Column("parent_object_id", _TEXT, "its international designator", example="1982-092A"),
        Column("at", _TIME, "UTC, estimated time of the event", example="2021-11-15T02:45:12Z"),
        Column("uncertainty_hours", _DOUBLE, "1-sigma of that", example=9.7),
        *(
            Column(f"{name}", _DOUBLE, f"{unit}, {what} of the parent then, TEME")
            for names, unit, what in (
                (("x_km", "y_km", "z_km"), "km", "position"),
                (("vx_km_s", "vy_km_s", "vz_km_s"), "km/s", "velocity"),
            )
            for name in names
        ),
        *(
            Column(
                f"speed_{axis}_m_s", _DOUBLE, f"m/s, robust 1-sigma of the pieces' speeds, {words}", example=e
            )
            for axis, words, e in (("r", "radial", 31.0), ("t", "in-track", 22.0), ("n", "cross-track", 20.0))
        ),
        Column("new_piece_norad_ids", _NUMBERS, "pieces that this run found"),
        Column("pieces", _INTEGER, "pieces found until then", example=606),
    ),
)
