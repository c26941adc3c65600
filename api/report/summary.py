"""An event in a few sentences, for somebody who has never seen one."""

from typing import Any

from api.report.contents import Report
from api.report.words import distance, instant, number, odds, probability, speed

_FLAGS = {
    "slow": "their relative motion turns while they pass",
    "long": "they take too large a part of a revolution to pass",
    "curved": "their errors follow the curve of the orbits",
    "non_positive_definite": "a covariance is not positive definite",
}


def title(event: dict[str, Any]) -> str:
    """Return both names."""
    return f"{event['primary_name'].strip()} and {event['secondary_name'].strip()}"


def main_numbers(report: Report) -> list[tuple[str, str]]:
    """Return the few numbers that decide, each with its name."""
    event = report.event
    ages = [number(report.geometry["objects"][who]["age_hours"], 0) for who in ("primary", "secondary")]
    chance = event["probability_2d"]
    return [
        ("miss distance", distance(event["miss_distance_m"])),
        ("relative speed", speed(event["relative_speed_m_s"])),
        ("collision probability", probability(chance)),
        ("which is", odds(chance) or ("not defined" if chance is None else "next to none")),
        ("age of the element sets", f"{ages[0]} h, {ages[1]} h"),
    ]


def sentences(report: Report) -> list[str]:
    """Return what happens, how likely a collision is, how good the data are, and what is not said."""
    event, geometry = report.event, report.geometry
    return [_encounter(event, geometry), _chance(event), *_quality(report), _caution(event)]


def _encounter(event: dict[str, Any], geometry: dict[str, Any]) -> str:
    angle = geometry["approach_angle_deg"]
    way = (
        "head-on"
        if angle > 150
        else ("flying nearly the same way" if angle < 30 else f"crossing at {number(angle, 0)}°")
    )
    miss = distance(event["miss_distance_m"])
    return (
        f"At {instant(event['tca'])} UTC the two pass {miss} apart, {way}, with "
        f"{speed(event['relative_speed_m_s'])} between them, "
        f"{number(geometry['place']['altitude_km'], 0)} km above the Earth."
    )


def _chance(event: dict[str, Any]) -> str:
    chance, level = event["probability_2d"], event["risk_level"]
    basis = {"distance": "distance", "probability": "probability", "monte_carlo": "Monte Carlo value"}
    decided = f"The risk level is {level}, decided by the {basis[event['risk_basis']]}."
    if chance is None:
        flags = [_FLAGS[flag] for flag in (event["probability_flag"] or "").split()]
        why = f": {', and '.join(flags)}" if flags else ": the event has not been rated"
        return f"There is no collision probability in a plane{why}. {decided}"
    said = f" ({odds(chance)})" if odds(chance) else ""
    return f"The collision probability is {probability(chance)}{said}. {decided}"


def _quality(report: Report) -> list[str]:
    event = report.event
    ages = [report.geometry["objects"][who]["age_hours"] for who in ("primary", "secondary")]
    said = [f"At that time the element sets are {number(ages[0], 0)} h and {number(ages[1], 0)} h old."]
    if event["diluted"]:
        said.append(
            "The probability is diluted: it is small because little is known, and with better data it could "
            f"come out as high as {probability(event['probability_max'])}."
        )
    elif event["diluted"] is not None:
        said.append(
            "The probability is not diluted: the errors are small enough against the miss for the number to "
            "speak for itself."
        )
    return [" ".join(said)]


def _caution(event: dict[str, Any]) -> str:
    advice = "Before anybody manoeuvres, ask for a conjunction data message with measured covariances."
    sources = [event[f"{who}_covariance_source"] for who in ("primary", "secondary")]
    if "default" not in sources or event["probability_2d"] is None:
        return advice
    sizes = " and on sizes assumed from the type of object" if event["hard_body_source"] == "type" else ""
    return f"The probability rests on published error laws for element sets{sizes}. {advice}"
