"""The table of received messages: each column's name, type, whether it may be NULL, and its meaning."""

import pyarrow as pa

from storage.schema import CONJUNCTIONS, Column, Table

_BIGINT, _DOUBLE, _TEXT, _YES_NO = pa.int64(), pa.float64(), pa.string(), pa.bool_()
_TIME = pa.timestamp("us")
_WORD = pa.dictionary(pa.int32(), pa.string())
_AXES = {"r": "radial", "t": "in-track", "n": "cross-track"}
_BOTH = {"primary": "OBJECT1", "secondary": "OBJECT2"}


def _optional(name: str, kind: pa.DataType, comment: str) -> Column:
    return Column(name, kind, comment, nullable=True)


# What the files and the view `messages` have, one row a message.
MESSAGES = Table(
    "One row for each received conjunction data message: its own values, and those computed from its states. "
    "All times UTC.",
    (
        Column("id", _TEXT, "16 hexadecimal digits, from the message's content; a message is stored once"),
        Column("message_id", _TEXT, "as its sender writes it; not unique: some send the same for all"),
        Column("originator", _WORD, "who sent it; empty: not stated"),
        _optional("creation_date", _TIME, "UTC, when its sender created it; NULL: not stated"),
        Column("tca", _TIME, "UTC, time of closest approach"),
        *(
            _optional(
                f"{who}_norad_id",
                _BIGINT,
                f"catalogue number of its {word}; NULL: not stated, and no run has the designator",
            )
            for who, word in _BOTH.items()
        ),
        *(Column(f"{who}_designator", _TEXT, f"of its {word}, as written") for who, word in _BOTH.items()),
        *(Column(f"{who}_name", _TEXT, f"of its {word}, as written") for who, word in _BOTH.items()),
        _optional("miss_distance_m", _DOUBLE, "m, as claimed; otherwise from its states"),
        _optional("relative_speed_m_s", _DOUBLE, "m/s, as claimed; otherwise from its states"),
        _optional("claimed_probability", _DOUBLE, "collision probability, as claimed"),
        _optional("claimed_method", _WORD, "how it was computed, as claimed"),
        _optional("claimed_as", _WORD, "integral that the claim equals: disk, square, ... correlated"),
        _optional("computed_miss_distance_m", _DOUBLE, "m, from its states; NULL: it has none"),
        _optional("probability", _DOUBLE, "the mission's formula, from its states and covariances"),
        _optional("probability_2d", _DOUBLE, "exact 2-D probability; the maximum if a covariance is missing"),
        _optional("probability_2d_unchecked", _DOUBLE, "with independent errors, even if a flag forbids 2-D"),
        _optional(
            "probability_3d", _DOUBLE, "of the likeliest orbits that meet; NULL: 2-D holds, or it has none"
        ),
        _optional("probability_best", _DOUBLE, "the one that counts; NULL: unknown"),
        _optional("probability_method", _WORD, "of probability_best: 2d, 3d, trajectory_mc, bound (at most)"),
        _optional("probability_max", _DOUBLE, "largest probability_2d at another size of the same ellipse"),
        _optional("diluted", _YES_NO, "true: the covariance is larger than that of probability_max"),
        _optional(
            "probability_flag",
            _WORD,
            "why 2-D is doubtful: slow long curved non_positive_definite remediated missing_covariance",
        ),
        _optional(
            "missing_covariance", _WORD, "whose covariance is missing: primary, secondary, both; NULL: none"
        ),
        _optional("hard_body_radius_m", _DOUBLE, "m, combined, that was used; NULL: unknown"),
        _optional(
            "hard_body_source",
            _WORD,
            "the message's: combined, operator, object, exclusion_volume; else the less certain of both "
            "objects' in the store: override, body, table, stage, rcs, class, type",
        ),
        *(
            _optional(f"{who}_sigma_{axis}_m", _DOUBLE, f"m, 1-sigma {word} position at TCA, own RTN")
            for who in _BOTH
            for axis, word in _AXES.items()
        ),
        Column("risk_level", _WORD, "by skysieve's numbers, else by its claims: critical, high, medium, low"),
        Column(
            "risk_basis", _WORD, "what decided: distance, probability, monte_carlo, bound, maximum, claimed"
        ),
        _optional(
            "probability_level",
            _WORD,
            "by probability_best alone: critical, high, medium, low; unknown: it has none; NULL: from an "
            "earlier "
            "release",
        ),
        _optional("near_level", _WORD, "by the miss alone: critical, high, medium; NULL: 1000 m or more"),
        Column("remarks", _TEXT, "contradictions and repairs, a line each"),
        _optional("conflicts_with", _TEXT, "id of an earlier one with its originator and message_id"),
        Column("own_encounter_id", _BIGINT, "messages of one pair within 10 min share it; below 2^53"),
        Column("received_at", _TIME, "UTC, when it was stored"),
        Column("source", _TEXT, "file or service that it came from"),
        Column("restricted", _YES_NO, "true: the terms of its source forbid sharing it"),
        Column("sha256", _TEXT, "SHA-256 of its text"),
        Column("text", _TEXT, "the message itself, as it was received"),
    ),
)

TEXT = "text"  # the column that is longer than all others together

# Beside it in the files: the message as a row of the table `conjunctions`, computed once. What tells rows
# apart is the message's own, or follows from when it is shown.
AS_EVENT = "as_event"
_TOLD_APART_BY = (
    *("event_id", "run_id", "origin", "computed_at", "tca"),
    *(f"{who}_{name}" for who in _BOTH for name in ("norad_id", "name")),
)
EVENT_COLUMNS = tuple(column for column in CONJUNCTIONS.columns if column.name not in _TOLD_APART_BY)
STORED = pa.schema(
    [
        *MESSAGES.arrow,
        pa.field(
            AS_EVENT,
            pa.struct([pa.field(c.name, _TEXT if c.type == _WORD else c.type) for c in EVENT_COLUMNS]),
        ),
    ]
)

# As the view shows it.
RECEIVED = Table(
    "One row for each received conjunction data message, joined to the encounter in runs. All times UTC.",
    (
        *MESSAGES.columns,
        _optional(
            "event_id", _BIGINT, "event of the same pair with the nearest TCA within 10 min; NULL: none"
        ),
        Column("encounter_id", _BIGINT, "event_id, or own_encounter_id if no run has the encounter"),
    ),
)
