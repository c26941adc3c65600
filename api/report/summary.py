"""Describe an event in a few sentences, for readers who have never seen one."""

from api.answers.stored_events import StoredEvent
from api.report.contents import Report
from api.report.words import NOT_KNOWN, distance, instant, number, odds, probability, speed
from storage.rows.marks import GUESSED_RADII, NOT_COMPUTED

_FLAGS = {
    "slow": "their relative motion curves as they pass",
    "long": "the passage takes too large a part of a revolution",
    "curved": "their errors follow the curve of the orbits",
    "non_positive_definite": "a covariance is not positive definite",
}


def title(event: StoredEvent) -> str:
    """Return the names of both objects."""
    return f"{event.primary.name.strip()} and {event.secondary.name.strip()}"


def main_numbers(report: Report) -> list[tuple[str, str]]:
    """Return the most important numbers, each with its name."""
    event = report.event
    ages = " h, ".join(number(age, 0) for age in event.ages_hours)
    chance = event.probability_2d
    return [
        ("miss distance", distance(event.miss_distance_m)),
        ("relative speed", speed(event.relative_speed_m_s)),
        ("collision probability", probability(chance)),
        ("which is", odds(chance) or ("not defined" if chance is None else "next to none")),
        ("age of the element sets", f"{ages} h"),
    ]


def sentences(report: Report) -> list[str]:
    """Describe what happens, how likely a collision is, how good the data are, and the limits."""
    event = report.event
    return [_encounter(report), _chance(event), _quality(event), _caution(event)]


def _encounter(report: Report) -> str:
    event, angle = report.event, report.geometry.approach_angle_deg
    altitude_km = report.geometry.place[2]
    way = (
        "head-on"
        if angle > 150
        else ("flying nearly the same way" if angle < 30 else f"crossing at {number(angle, 0)}°")
    )
    miss = distance(event.miss_distance_m)
    return (
        f"At {instant(event.tca)} UTC the two pass {miss} apart, {way}, with "
        f"{speed(event.relative_speed_m_s)} between them, "
        f"{number(altitude_km, 0)} km above the Earth."
    )


def _chance(event: StoredEvent) -> str:
    chance, decided = event.probability_2d, _level(event)
    if chance is None:
        flags = [_FLAGS[flag] for flag in (event.probability_flag or "").split()]
        why = f": {', and '.join(flags)}" if flags else ": the event has not been rated"
        return f"There is no collision probability in a plane{why}. {decided}"
    said = f" ({odds(chance)})" if odds(chance) else ""
    return f"The collision probability is {probability(chance)}{said}. {decided}"


def _level(event: StoredEvent) -> str:
    level, by_probability = event.levels
    if level == NOT_COMPUTED:
        return f"The risk level is {level}: the miss alone is beyond the limits, and there is no probability."
    basis = {"distance": "distance", "probability": "probability", "monte_carlo": "Monte Carlo value"}
    decided = f"The risk level is {level}, decided by the {basis[event.risk_basis]}"
    alone = "" if by_probability == NOT_KNOWN else f"; by the probability alone: {by_probability}"
    return f"{decided}{alone}."


def _quality(event: StoredEvent) -> str:
    ages = " and ".join(f"{number(age, 0)} h" for age in event.ages_hours)
    said = [f"The element sets are then {ages} old."]
    if event.diluted:
        said.append(
            "The probability is diluted: it is small because little is known, and better data could raise "
            f"it. It peaks at {probability(event.probability_max)}, at another size of the same ellipse."
        )
    elif event.diluted is not None:
        said.append(
            "The probability is not diluted: the errors are small enough compared with the miss for the "
            "number to be meaningful."
        )
    return " ".join(said)


def _caution(event: StoredEvent) -> str:
    advice = (
        "No number here alone justifies a manoeuvre: ask the object's operator, the 18th and 19th Space "
        "Defense Squadrons (through Space-Track), TraCSS or EU SST for a message with measured covariances."
    )
    if "default" not in {side.covariance_source for side in event.sides} or event.probability_2d is None:
        return advice
    guessed = event.hard_body_source in GUESSED_RADII
    sizes = " and on radii guessed from the kind of object" if guessed else ""
    thrusting = [side.name.strip() for side in event.sides if side.manoeuvring]
    where = (
        f" The element set of {' and of '.join(thrusting)}, which thrusts often or lately, may be tens of "
        "kilometres off."
        if thrusting
        else ""
    )
    return f"The probability rests on measured errors of other element sets{sizes}.{where} {advice}"
