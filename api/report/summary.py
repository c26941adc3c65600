"""The words of a report on one event: those of the service, `storage/rows/words`, and its main numbers."""

from typing import NamedTuple

from api.answers.geometry import named
from api.answers.stored_events import StoredEvent
from api.report.contents import Report
from storage.rows.words.event import EventWords, event_words
from storage.rows.words.geometry import GeometryWords, geometry_words
from storage.rows.words.numbers import chance_words, chances, distance, number, speed


class Words(NamedTuple):
    """What a report says of its event."""

    event: EventWords
    geometry: GeometryWords


def words(report: Report) -> Words:
    """Return the words of a report's event and of its geometry."""
    row = report.event.row
    history = [found.row for found in report.history]
    said = event_words(row, history, report.manoeuvred, report.outlook)
    return Words(said, geometry_words(row, report.geometry, named(report.trajectories)))


def title(event: StoredEvent) -> str:
    """Return the names of both objects, or their numbers."""
    first, second = (side.name.strip() or str(side.norad_id) for side in event.sides)
    return f"{first} and {second}"


def main_numbers(report: Report) -> list[tuple[str, str]]:
    """Return the most important numbers, each with its name."""
    event = report.event
    return [
        ("miss distance", distance(event.miss_distance_m)),
        ("relative speed", speed(event.relative_speed_m_s)),
        ("collision probability", chance_words(event.graded)),
        ("which is", chances(event.decisive_probability)),
        _ages(event),
    ]


def sentences(report: Report) -> list[str]:
    """Return what happens, how likely a collision is, how good the data are, and the limits."""
    event, geometry = words(report)
    paragraphs = (
        (report.had,),
        report.intents,
        (event.encounter,),
        (event.probability, report.at_own_radius),
        (geometry.bound, event.consequence),
        (geometry.paths, event.dilution),
        (event.change,),
        (event.manoeuvred,),
        (report.side_by_side.words if report.side_by_side else "",),
        (event.outlook,),
        (report.trend.better_data.words,),
        (report.gives_way.words, report.gives_way.source),
        (event.caution, event.advice),
    )
    return [said for paragraph in paragraphs if (said := " ".join(filter(None, paragraph)))]


def in_short(report: Report) -> tuple[str, str]:
    """Return what must be said, and what else there is to say, without the advice."""
    event, _ = words(report)
    first = (
        report.had,
        *report.intents,
        event.probability,
        report.at_own_radius,
        report.event.graded.consequence,
        event.caution,
    )
    rest = event.encounter, event.dilution if report.event.diluted else "", event.change
    return " ".join(filter(None, first)), " ".join(filter(None, rest))


def _ages(event: StoredEvent) -> tuple[str, str]:
    """Return the ages of the element sets; an ephemeris has none."""
    if all(side.on_ephemeris for side in event.sides):
        return "paths from", "ephemerides"
    if event.told:
        return "reported by", "a message"
    ages = (
        "ephemeris" if side.on_ephemeris else f"{number(age, 0)} h"
        for side, age in zip(event.sides, event.ages_hours, strict=True)
    )
    return "age of the element sets", ", ".join(ages)
