"""The tables of what changes in the sky: each run's catalogue against an earlier one, and break-ups."""

import pyarrow as pa

from storage.schema import Column, Table

_BIGINT, _INTEGER, _DOUBLE, _TIME = pa.int64(), pa.int32(), pa.float64(), pa.timestamp("us")
_TEXT, _WORD = pa.string(), pa.dictionary(pa.int32(), pa.string())
_NUMBERS, _TEXTS = pa.list_(pa.int64()), pa.list_(pa.string())

_RUN = Column("run_id", _WORD, "run that wrote the row; run ids sort by time", example="20241101T000000Z")

CATALOGUE_CHANGES = Table(
    "One row for each run: its catalogue against that of the last complete run. All times UTC.",
    (
        _RUN,
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
        _RUN,
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
