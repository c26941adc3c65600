"""The table of received messages: each column's name, type, whether it may be NULL, and its meaning."""

from collections.abc import Sequence
from typing import Any

import pyarrow as pa

from screening.vocabulary import Manoeuvrable, NearLevel, ProbabilityLevel, ProbabilityMethod, RiskLevel
from storage.schema import CONJUNCTIONS, Column, Table

_BIGINT, _DOUBLE, _TEXT, _YES_NO = pa.int64(), pa.float64(), pa.string(), pa.bool_()
_TIME = pa.timestamp("us")
_WORD = pa.dictionary(pa.int32(), pa.string())
_AXES = {"r": "radial", "t": "in-track", "n": "cross-track"}
_BOTH = {"primary": "OBJECT1", "secondary": "OBJECT2"}


def _optional(
    name: str, kind: pa.DataType, comment: str, *, example: object = ..., one_of: Any = None
) -> Column:
    return Column(name, kind, comment, nullable=True, example=example, one_of=one_of)


# What the files and the view `messages` have, one row a message.
MESSAGES = Table(
    "One row for each received conjunction data message: its own values, and those computed from its states. "
    "All times UTC.",
    (
        Column(
            "id",
            _TEXT,
            "16 hexadecimal digits, from the message's content; a message is stored once",
            example="3f2a90c1d4e5b687",
        ),
        Column(
            "message_id",
            _TEXT,
            "as its sender writes it; not unique: some send the same for all",
            example="000025544_conj_000049863_2026322_0911",
        ),
        Column("originator", _WORD, "who sent it; empty: not stated", example="CARA"),
        _optional(
            "creation_date",
            _TIME,
            "UTC, when its sender created it; NULL: not stated",
            example="2026-11-18T09:11:00Z",
        ),
        Column("tca", _TIME, "UTC, time of closest approach", example="2026-11-21T14:02:11.482000Z"),
        *(
            _optional(
                f"{who}_norad_id",
                _BIGINT,
                f"catalogue number of its {word}; NULL: not stated, and no run has the designator",
                example=example,
            )
            for (who, word), example in zip(_BOTH.items(), (25544, 49863), strict=True)
        ),
        *(
            Column(f"{who}_{name}", _TEXT, f"of its {word}, as written", example=example)
            for name, examples in (
                ("designator", ("000025544", "000049863")),
                ("name", ("ISS (ZARYA)", "COSMOS 1408 DEB")),
            )
            for (who, word), example in zip(_BOTH.items(), examples, strict=True)
        ),
        *(
            _optional(
                f"{who}_manoeuvrable",
                _WORD,
                f"whether its {word} can manoeuvre, as claimed: yes, no; NULL: not stated, or from an "
                "earlier release",
                example="yes" if who == "primary" else "no",
                one_of=Manoeuvrable,
            )
            for who, word in _BOTH.items()
        ),
        _optional("miss_distance_m", _DOUBLE, "m, as claimed; otherwise from its states", example=431.0),
        _optional(
            "relative_speed_m_s", _DOUBLE, "m/s, as claimed; otherwise from its states", example=12604.0
        ),
        _optional("claimed_probability", _DOUBLE, "collision probability, as claimed", example=2.31e-05),
        _optional("claimed_method", _WORD, "how it was computed, as claimed", example="FOSTER-1992"),
        _optional(
            "claimed_as",
            _WORD,
            "integral that the claim equals: disk, square, ... correlated",
            example="disk",
        ),
        _optional(
            "computed_miss_distance_m", _DOUBLE, "m, from its states; NULL: it has none", example=430.7
        ),
        _optional(
            "probability", _DOUBLE, "the closed formula, from its states and covariances", example=2.28e-05
        ),
        _optional(
            "probability_2d",
            _DOUBLE,
            "exact 2-D probability; the maximum if a covariance is missing",
            example=2.309e-05,
        ),
        _optional(
            "probability_2d_unchecked",
            _DOUBLE,
            "with independent errors, even if a flag forbids 2-D",
            example=2.309e-05,
        ),
        _optional(
            "probability_3d",
            _DOUBLE,
            "of the likeliest orbits that meet; NULL: 2-D holds, or it has none",
            example=None,
        ),
        _optional("probability_best", _DOUBLE, "the deciding probability; NULL: unknown", example=2.309e-05),
        _optional(
            "probability_method",
            _WORD,
            "of probability_best: 2d, 3d, trajectory_mc, bound (at most)",
            example="2d",
            one_of=ProbabilityMethod,
        ),
        _optional(
            "probability_max",
            _DOUBLE,
            "largest probability_2d at another size of the same ellipse",
            example=4.72e-05,
        ),
        _optional(
            "diluted", _YES_NO, "true: the covariance is larger than that of probability_max", example=False
        ),
        _optional(
            "probability_flag",
            _WORD,
            "why 2-D is doubtful: slow long curved non_positive_definite remediated missing_covariance",
            example=None,
        ),
        _optional(
            "missing_covariance",
            _WORD,
            "whose covariance is missing: primary, secondary, both; NULL: none",
            example=None,
        ),
        _optional("hard_body_radius_m", _DOUBLE, "m, combined, that was used; NULL: unknown", example=51.0),
        _optional(
            "hard_body_source",
            _WORD,
            "the message's: combined, operator, object, exclusion_volume; otherwise the less certain of the "
            "two objects' in the store: override, body, table, stage, rcs, class, type",
            example="object",
        ),
        *(
            _optional(
                f"{who}_sigma_{axis}_m",
                _DOUBLE,
                f"m, 1-sigma {word} position at TCA, own RTN",
                example=example,
            )
            for who, examples in (("primary", (4.1, 38.0, 2.2)), ("secondary", (31.0, 710.0, 14.0)))
            for (axis, word), example in zip(_AXES.items(), examples, strict=True)
        ),
        Column(
            "risk_level",
            _WORD,
            "by skysieve's numbers, otherwise by its claims: critical, high, medium, low",
            example="high",
            one_of=RiskLevel,
        ),
        Column(
            "risk_basis",
            _WORD,
            "what decided: distance, probability, monte_carlo, bound, maximum, claimed",
            example="probability",
        ),
        _optional(
            "probability_level",
            _WORD,
            "by probability_best alone: critical, high, medium, low; unknown: it has none; NULL: from an "
            "earlier "
            "release",
            example="high",
            one_of=ProbabilityLevel,
        ),
        _optional(
            "near_level",
            _WORD,
            "by the miss alone: critical, high, medium; NULL: 1,000 m or more",
            example=None,
            one_of=NearLevel,
        ),
        Column("remarks", _TEXT, "contradictions and repairs, a line each"),
        _optional(
            "conflicts_with", _TEXT, "id of an earlier one with its originator and message_id", example=None
        ),
        Column(
            "own_encounter_id",
            _BIGINT,
            "messages of one pair within 10 min share it; below 2^53",
            example=5214368101946711,
        ),
        Column("received_at", _TIME, "UTC, when it was stored", example="2026-11-18T09:30:00Z"),
        Column(
            "source", _TEXT, "file or service that it came from", example="inbox-2026-11-18.zip: 25544.cdm"
        ),
        Column("restricted", _YES_NO, "true: the terms of its source forbid sharing it", example=False),
        Column(
            "sha256",
            _TEXT,
            "SHA-256 of its text",
            example="9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
        ),
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


def with_columns(rows: pa.Table, names: Sequence[str]) -> pa.Table:
    """Return some columns of stored messages; those that earlier releases did not write are NULL."""
    for name in set(names).difference(rows.column_names):
        field = STORED.field(name)
        rows = rows.append_column(field, pa.nulls(len(rows), pa.string()).cast(field.type))
    return rows.select(list(names))


# As the view shows it.
RECEIVED = Table(
    "One row for each received conjunction data message, joined to the encounter in runs. All times UTC.",
    (
        *MESSAGES.columns,
        _optional(
            "event_id",
            _BIGINT,
            "event of the same pair with the nearest TCA within 10 min; NULL: none",
            example=5214368101946711,
        ),
        Column(
            "encounter_id",
            _BIGINT,
            "event_id, or own_encounter_id if no run has the encounter",
            example=5214368101946711,
        ),
    ),
)
