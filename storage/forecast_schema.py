"""The table of forecasts: each prediction of an encounter that has passed, against what came."""

import pyarrow as pa

from screening.vocabulary import PROBABILITY_LEVELS
from storage.schema import Column, Table

_BIGINT, _REAL, _TIME, _TINY = pa.int64(), pa.float32(), pa.timestamp("us"), pa.int8()
_WORD = pa.dictionary(pa.int32(), pa.string())
_AXES = {"radial": "radial", "in_track": "in-track", "cross_track": "cross-track"}

FATES = ("stayed", "eased", "worsened", "vanished", "manoeuvred")


def _maybe(name: str, kind: pa.DataType, comment: str) -> Column:
    return Column(name, kind, comment, nullable=True)


def _of_both(name: str, kind: pa.DataType, comment: str) -> tuple[Column, ...]:
    both = ("primary", "secondary")
    return tuple(_maybe(f"{who}_{name}", kind, comment.replace("WHO", who)) for who in both)


FORECASTS = Table(
    "One row for each prediction of a fast encounter that has passed, against what came. All times UTC.",
    (
        Column("event_id", _BIGINT, "the encounter"),
        Column("run_id", _WORD, "run that predicted it, or stands so many days ahead and did not list it"),
        Column(
            "judged_by", _WORD, "first run at least 12 hours after the encounter, whose sets say what came"
        ),
        Column("tca", _TIME, "UTC, predicted time of closest approach"),
        Column("lead_days", _REAL, "days, from the start of the run's window to TCA"),
        _maybe(
            "days_ahead",
            _TINY,
            "days before TCA for which the prediction stands, nearest to that within half a day; 0: the "
            "last run before TCA; NULL: another is nearer",
        ),
        Column(
            "stands_for",
            pa.int32(),
            "encounters: 1 if any run rated it above low; of the others only one in so many is here",
        ),
        Column("primary_norad_id", _BIGINT, "catalogue number"),
        Column("secondary_norad_id", _BIGINT, "catalogue number"),
        *_of_both("error_law", _WORD, "law of the WHO's errors; NULL: not by a law"),
        *_of_both("manoeuvring", pa.bool_(), "true: the WHO thrusts often or lately"),
        *_of_both("age_days", _REAL, "days, TCA minus the epoch that the prediction rests on"),
        _maybe(
            "miss_distance_m",
            _REAL,
            "m, predicted distance at TCA; NULL: the run had screened both objects and did not list the "
            "encounter, which was critical, high or medium in the last run before TCA",
        ),
        *(
            _maybe(f"miss_{axis}_m", _REAL, f"m, predicted, secondary minus primary, {words}, primary's RTN")
            for axis, words in _AXES.items()
        ),
        *(
            _maybe(f"sigma_{axis}_m", _REAL, f"m, 1-sigma of the predicted miss, {words}, quiet parts alone")
            for axis, words in _AXES.items()
        ),
        *(
            _maybe(
                f"error_{axis}_m", _REAL, f"m, miss that came at the predicted TCA minus predicted, {words}"
            )
            for axis, words in _AXES.items()
        ),
        *(
            _maybe(
                f"{who}_{axis}_sigmas",
                _REAL,
                f"error of the {who}'s own position, {words}, in 1-sigma of its quiet part",
            )
            for who in ("primary", "secondary")
            for axis, words in _AXES.items()
        ),
        _maybe(
            "region",
            _REAL,
            "probability of the smallest region that holds the error of the miss: of 100 true predictions 5 "
            "are above 0.95",
        ),
        _maybe("probability_best", pa.float64(), "predicted collision probability"),
        _maybe("probability_level", _WORD, "predicted level: " + ", ".join(PROBABILITY_LEVELS)),
        _maybe("came_miss_distance_m", _REAL, "m, closest approach by the sets of the run that judged"),
        _maybe("last_run_id", _WORD, "last run before TCA, if it has screened both objects"),
        _maybe("last_miss_distance_m", _REAL, "m, said by the last run before TCA; NULL: it did not find it"),
        _maybe("last_probability_best", pa.float64(), "said by the last run before TCA"),
        _maybe("last_probability_level", _WORD, "said by the last run before TCA"),
        _maybe(
            "fate",
            _WORD,
            "manoeuvred: one of the objects did, after the set that the prediction rests on; else stayed, "
            "eased, worsened: the level of the last run before TCA against this one; vanished: that did not "
            "find it; NULL: it is the last run, could not find it, or could compute no probability",
        ),
        _maybe(
            "first_warned_days",
            _REAL,
            "days before TCA at which a run first rated the encounter critical or high; NULL: none did, or "
            "this is not its last prediction",
        ),
        _maybe(
            "settled_days",
            _REAL,
            "likewise from which on it was critical or high in every run, or in none, to the last before TCA",
        ),
    ),
)
