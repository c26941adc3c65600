"""Tables of what changes in the sky as a whole."""

import pyarrow as pa

from screening.vocabulary import DecayMethod
from storage.schema import Column, Table

_BIGINT, _REAL, _TIME = pa.int64(), pa.float32(), pa.timestamp("us")
_WORD = pa.dictionary(pa.int32(), pa.string())

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
