"""When better data of an encounter come, in sentences."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any

from screening.risk.views.better_data import ExpectedData, NextRating
from storage.rows.words.event import name_of
from storage.rows.words.numbers import brief_distance, moment

NONE = "No newer data are usual before TCA: the data of now are those to decide on."


def better_data_words(
    row: Mapping[str, Any],
    expected: Sequence[ExpectedData],
    unknown: Sequence[int],
    rating: NextRating | None,
    now: datetime,
) -> str:
    """Say what usually comes before TCA, and what the next element sets would do to the level of an event.

    `unknown`: catalogue numbers of the objects of which too few sets are stored.
    """
    return " ".join([*_comes(row, expected, unknown, now), *_level(row, rating)])


def _comes(
    row: Mapping[str, Any], expected: Sequence[ExpectedData], unknown: Sequence[int], now: datetime
) -> Iterator[str]:
    if expected:
        yield f"Better data before TCA: {'; '.join(_coming(row, one, now) for one in expected)}."
    if unknown:
        names = " and ".join(_name(row, one) for one in unknown)
        yield f"Too few earlier sets of {names} are stored to say when the next one comes."
    elif all(one.kind == "run" for one in expected):
        yield NONE


def _coming(row: Mapping[str, Any], one: ExpectedData, now: datetime) -> str:
    of = {
        "set": "element set" + (f" of {_name(row, one.norad_id)}" if one.norad_id else ""),
        "run": "next run",
        "message": "next message",
    }[one.kind]
    when = f"is late: it was usual by {moment(one.at)}" if one.at < now else f"by {moment(one.at)}"
    return f"{of} {when} (every {one.every_hours:.1f} h)"


def _name(row: Mapping[str, Any], norad_id: int | None) -> str:
    return name_of(row, "primary" if row["primary_norad_id"] == norad_id else "secondary")


def _level(row: Mapping[str, Any], rating: NextRating | None) -> Iterator[str]:
    if rating is None:
        return
    level = row["probability_level"]
    rises = f"rises in {_of_100(rating.rises)}"
    if level == "low":
        yield f"With the next sets the level {rises}."
        return
    yield f"With the next sets the level falls below {level} in {_of_100(rating.falls)}, and {rises}."
    from_m, now_m = rating.falls_from_miss_m, row["miss_distance_m"]
    if from_m is None:
        return
    if from_m <= now_m:
        yield "It falls even if the miss stays: the new sets will be younger at TCA."
    else:
        yield (
            f"If the miss keeps its direction, it falls from about {brief_distance(float(f'{from_m:.2g}'))} "
            f"on (now {brief_distance(now_m)})."
        )


def _of_100(share: float) -> str:
    return "none of 100 cases" if share < 0.005 else f"{100 * share:.0f} of 100 cases"
