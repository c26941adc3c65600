"""The table of manoeuvres that the histories of element sets show."""

import pyarrow as pa

from storage.schema import Column, Table

_BIGINT, _DOUBLE, _TIME = pa.int64(), pa.float64(), pa.timestamp("us")
_WORD = pa.dictionary(pa.int32(), pa.string())

MANOEUVRES = Table(
    "One row for each manoeuvre that the element sets of an object show. All times UTC.",
    (
        Column("norad_id", _BIGINT, "catalogue number", example=33591),
        Column("from", _TIME, "UTC, epoch of the last set before it", example="2024-10-30T17:12:44.102528Z"),
        Column(
            "to",
            _TIME,
            "UTC, epoch of the first set that shows all of it",
            example="2024-10-31T06:40:02.331072Z",
        ),
        Column("at", _TIME, "UTC, estimated time of the burn", example="2024-10-30T22:05:19.5Z"),
        Column("dv_m_s", _DOUBLE, "m/s, change of velocity, of what can be seen", example=0.31),
        Column("dv_t_m_s", _DOUBLE, "m/s, along the motion (+) or against it (-)", example=-0.31),
        Column(
            "dv_n_m_s",
            _DOUBLE,
            "m/s, least size that turns the plane so; NULL: quiet sets may differ as much",
            nullable=True,
            example=None,
        ),
        Column("sigmas", _DOUBLE, "size of the step, in units of the object's quiet steps", example=21.4),
        Column(
            "confidence",
            _DOUBLE,
            "0 to 1, how sure the detection is; NULL: not computed",
            nullable=True,
            example=None,
        ),
        Column(
            "found_at",
            _TIME,
            "UTC, start of the run that found it; of a search in the history, when the set `to` became known",
            example="2024-11-01T00:00:00Z",
        ),
        Column(
            "run_id",
            _WORD,
            "run that found it; NULL: a search through the history",
            nullable=True,
            example="20241101T000000Z",
        ),
    ),
)
