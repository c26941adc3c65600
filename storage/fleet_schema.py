"""Tables of what runs have found around the objects of fleets."""

import pyarrow as pa

from storage.schema import Column, Table

_BIGINT, _DOUBLE, _TEXT, _YES_NO = pa.int64(), pa.float64(), pa.string(), pa.bool_()
_WORD = pa.dictionary(pa.int32(), pa.string())

FLEET_EVENTS = Table(
    "One row for each object of a fleet and event inside the volume around it, as found by runs.",
    (
        Column("run_id", _WORD, "run after which it was searched for"),
        Column("fleet_id", _BIGINT, "id of the fleet"),
        Column("fleet", _WORD, "name of the fleet then"),
        Column("norad_id", _BIGINT, "catalogue number of the fleet's object, on either side of the event"),
        Column("volume", _WORD, "half-lengths or semi-axes, km, radial x in-track x cross-track"),
        Column("miss_radial_km", _DOUBLE, "km, other object minus norad_id at TCA, radial in norad_id's RTN"),
        Column("miss_in_track_km", _DOUBLE, "km, as miss_radial_km, in-track axis"),
        Column("miss_cross_track_km", _DOUBLE, "km, as miss_radial_km, cross-track axis"),
        Column("event_id", _BIGINT, "the event, in conjunction_history or analyses"),
        Column(
            "fleet_hard_body_radius_m",
            _DOUBLE,
            "m, combined hard-body radius that the fleet uses; NULL: the event's",
            nullable=True,
        ),
        Column(
            "fleet_probability_best",
            _DOUBLE,
            "probability_best at that radius; NULL: the event's",
            nullable=True,
        ),
        Column("fleet_probability_method", _WORD, "of fleet_probability_best", nullable=True),
    ),
)

FLEET_MEMBERS = Table(
    "One row for each object that belonged to a fleet when a run searched around it.",
    (
        Column("fleet_id", _BIGINT, "id of the fleet"),
        Column("norad_id", _BIGINT, "catalogue number"),
        Column("name", _TEXT, "name in the catalogue; empty: not in the catalogue"),
        Column("found", _YES_NO, "true: in the catalogue that was screened"),
        Column("volume", _WORD, "volume around it; empty: not in the catalogue"),
        Column("hours", _DOUBLE, "h, look-ahead from the start of the run's window"),
        Column(
            "radius",
            _WORD,
            "hard-body radius of the fleet: bounding, or metres; NULL: the run's",
            nullable=True,
        ),
    ),
)
