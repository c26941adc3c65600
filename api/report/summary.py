"""Describe an event in a few sentences, for readers who have never seen one."""

from itertools import pairwise

from api.answers.stored_events import StoredEvent, StoredSide
from api.report.contents import Report
from api.report.words import (
    chance_words,
    chances,
    distance,
    instant,
    metres,
    minute,
    number,
    odds,
    probability,
    speed,
)
from storage.rows.marks import GUESSED_RADII
from storage.rows.trajectory_words import trajectory_words

_FLAGS = {
    "slow": "their relative motion curves as they pass",
    "long": "the passage takes too large a part of a revolution",
    "curved": "their errors follow the curve of the orbits",
    "non_positive_definite": "a covariance is not positive definite",
}

ADVICE = (
    "No number here alone justifies a manoeuvre: ask the object's operator, the 18th and 19th Space "
    "Defense Squadrons (through Space-Track), TraCSS or EU SST for a message with measured covariances."
)


def title(event: StoredEvent) -> str:
    """Return the names of both objects."""
    return f"{event.primary.name.strip()} and {event.secondary.name.strip()}"


def main_numbers(report: Report) -> list[tuple[str, str]]:
    """Return the most important numbers, each with its name."""
    event = report.event
    chance = event.decisive_probability
    return [
        ("miss distance", distance(event.miss_distance_m)),
        ("relative speed", speed(event.relative_speed_m_s)),
        ("collision probability", chance_words(event)),
        ("which is", chances(chance)),
        _ages(event),
    ]


def sentences(report: Report) -> list[str]:
    """Describe what happens, how likely a collision is, how good the data are, and the limits."""
    event = report.event
    said = [
        _encounter(report),
        _chance(event),
        _consequence(report),
        _quality(report),
        *_changed(report),
    ]
    return [*(sentence for sentence in said if sentence), f"{_caution(event)} {ADVICE}".strip()]


def in_short(report: Report) -> tuple[str, str]:
    """Say what counts most, which has to be told, and what else there is to say, without the advice."""
    event = report.event
    first = " ".join(text for text in (_chance(event), event.graded.consequence, _caution(event)) if text)
    return first, " ".join([_encounter(report), *_diluted(event), *_changed(report)])


def _ages(event: StoredEvent) -> tuple[str, str]:
    """Return the ages of the element sets; an ephemeris has none."""
    if all(side.on_ephemeris for side in event.sides):
        return "paths from", "ephemerides"
    if event.told:
        return "told by", "a message"
    ages = (
        "ephemeris" if side.on_ephemeris else f"{number(age, 0)} h"
        for side, age in zip(event.sides, event.ages_hours, strict=True)
    )
    return "age of the element sets", ", ".join(ages)


def _encounter(report: Report) -> str:
    event, angle = report.event, report.geometry.approach_angle_deg
    miss = distance(event.miss_distance_m)
    if angle is None or report.geometry.place is None:
        return f"At {instant(event.tca)} UTC the two pass {miss} apart. {_who_says(event)}"
    altitude_km = report.geometry.place[2]
    way = (
        "head-on"
        if angle > 150
        else ("flying nearly the same way" if angle < 30 else f"crossing at {number(angle, 0)}°")
    )
    return (
        f"At {instant(event.tca)} UTC the two pass {miss} apart, {way}, with "
        f"{speed(event.relative_speed_m_s)} between them, "
        f"{number(altitude_km, 0)} km above the Earth.{f' {_who_says(event)}' if event.told else ''}"
    )


def _who_says(event: StoredEvent) -> str:
    """Say that no run has an encounter, and what the row is made from."""
    states = "" if event.relative_speed_m_s is not None else ", and has no states"
    return f"No run has this encounter: a received message tells it{states}."


def _chance(event: StoredEvent) -> str:
    chance, levels = event.decisive_probability, _level(event)
    if chance is None:
        flags = [_FLAGS[flag] for flag in (event.probability_flag or "").split()]
        unrated = "the message tells too little" if event.told else "the event has not been rated"
        why = f": {', and '.join(flags) if flags else unrated}"
        return f"No collision probability could be computed{why}. {levels}"
    said = f" ({odds(chance)})" if odds(chance) else ""
    return f"The collision probability is {chance_words(event)}{said}. {levels}"


def _consequence(report: Report) -> str:
    """Say what a collision would leave, and how likely it is at most, by the spheres around both."""
    event, curve = report.event, report.geometry.radius
    left = event.graded.consequence or "What a collision would leave is not known: a mass is not."
    if curve is None or curve.at_most is None:
        return left
    return (
        f"With the spheres around both, {metres(curve.bounding_radius_m)} m, it would be at most "
        f"{probability(curve.at_most)}. {left}"
    )


def _level(event: StoredEvent) -> str:
    level, near = event.levels
    beside = f" The miss alone would make it {near}." if near else ""
    if level == "unknown":
        return f"So its level is unknown, which does not mean low.{beside}"
    return f"By its probability the level is {level}.{beside}"


def _quality(report: Report) -> str:
    event = report.event
    said = [*_paths(report), *_diluted(event)]
    if event.diluted is False and event.in_plane:
        said.append(
            "The probability is not diluted: the errors are small enough compared with the miss for the "
            "number to be meaningful."
        )
    return " ".join(said)


def _diluted(event: StoredEvent) -> list[str]:
    if not event.diluted or not event.in_plane:
        return []
    said = (
        "The probability is diluted: were the errors smaller and the miss the same, it would be larger, at "
        f"its peak {probability(event.probability_max)}. Better data also move the miss, mostly away."
    )
    return [said]


def _paths(report: Report) -> list[str]:
    """Say by what both fly, and how old that is."""
    event = report.event
    if event.told:
        return []
    if not any(side.on_ephemeris for side in event.sides):
        ages = " and ".join(f"{number(age, 0)} h" for age in event.ages_hours)
        fitted = [side.name.strip() for side in event.sides if side.trajectory == "supgp"]
        which = ""
        if fitted:
            which = f" That of {' and of '.join(fitted)} is fitted to its operator's ephemeris."
        return [f"The element sets are then {ages} old.{which}"]
    said = []
    for side, age, kept in zip(event.sides, event.ages_hours, report.trajectories, strict=True):
        name, words = side.name.strip(), trajectory_words(side.trajectory)
        if not side.on_ephemeris:
            said.append(f"The {words} of {name} is then {number(age, 0)} h old.")
            continue
        which = f"{kept.id}, added {minute(kept.about.added)} UTC" if kept else "no longer in the store"
        errors = "the operator's covariance" if side.covariance_source == "trajectory" else "no covariance"
        said.append(f"{name} is on its {words} ({which}; {errors}).")
    return said


def _changed(report: Report) -> list[str]:
    """Say what the event was before the path of an object came from something else."""
    for before, after in list(pairwise(report.over_time))[::-1]:
        moved = [
            f"{now.name.strip()} from its {trajectory_words(was.trajectory)} to its {words}"
            for now, was in zip(after.sides, _same_order(before, after), strict=True)
            if (words := trajectory_words(now.trajectory)) != trajectory_words(was.trajectory)
        ]
        if moved:
            return [f"At {minute(after.computed_at)} UTC {' and '.join(moved)}: {_values(before, after)}."]
    return []


def _values(before: StoredEvent, after: StoredEvent) -> str:
    rows = before, after
    misses = " to ".join(distance(row.miss_distance_m) for row in rows)
    chances = " to ".join(chance_words(row) for row in rows)
    levels = " to ".join(row.levels[0] for row in rows)
    return f"the miss went from {misses}, the probability from {chances}, the level from {levels}"


def _same_order(before: StoredEvent, after: StoredEvent) -> tuple[StoredSide, StoredSide]:
    """Return both sides in the order of another row: the object asked about stands first."""
    primary, secondary = before.sides
    return (secondary, primary) if secondary.norad_id == after.primary.norad_id else (primary, secondary)


def _caution(event: StoredEvent) -> str:
    """Say what the probability rests on, and whose path is doubtful; nothing where neither is known."""
    if (
        "default" not in {side.covariance_source for side in event.sides}
        or event.decisive_probability is None
    ):
        return ""
    guessed = event.hard_body_source in GUESSED_RADII
    sizes = " and on radii guessed from the kind of object" if guessed else ""
    thrusting = [side.name.strip() for side in event.sides if side.manoeuvring]
    where = (
        f" The element set of {' and of '.join(thrusting)}, which thrusts often or lately, may be tens of "
        "kilometres off."
        if thrusting
        else ""
    )
    return f"The probability rests on measured errors of other element sets{sizes}.{where}"
