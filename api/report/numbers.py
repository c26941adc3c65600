"""The table of a report: every number of an event with its unit and meaning."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict
from itertools import zip_longest
from textwrap import wrap
from types import MappingProxyType
from typing import Any, NamedTuple

from api.answers.geometry_answer import event_objects
from api.answers.stored_events import StoredEvent
from api.models.shown_numbers import shown_numbers
from api.report.contents import Report
from screening.fields import Part
from screening.vocabulary import SIZES_FROM
from storage.rows.graded import METHOD_MEANINGS, UNKNOWN
from storage.rows.trajectory_words import trajectory_words
from storage.rows.words.numbers import (
    NOT_KNOWN,
    WRITTEN,
    YES_NO,
    instant,
    metres,
    minute,
    number,
    odds,
    place,
    probability,
    second,
    span,
)
from storage.rows.words.whom import whom_briefly
from storage.vocabulary import HARD_BODY_WORDS


class Row(NamedTuple):
    """One line of the table."""

    label: str
    values: tuple[str, ...]  # one for each column of its section
    unit: str
    meaning: str


class Section(NamedTuple):
    """A part of the table."""

    title: str
    columns: tuple[str, ...]  # headings of the values; a single empty one if rows have one value
    rows: list[Row]


_LONGEST_NAME, _LONGEST_CONTACT = 26, 22
_NOTHING: Mapping[str, Any] = MappingProxyType({})

COVARIANCE_WORDS = {
    "default": "error law, as measured",
    "differenced": "own element history",
    "own": "own element history",
    "constellation": "law of its constellation",
    "trajectory": "its operator",
    "cdm": "from the message",
}
BASIS_WORDS = {"monte_carlo": "sampled trajectories"}
_THRUSTS: dict[bool | None, str] = {True: "often or lately", False: "not seen to"}


def sections(report: Report) -> list[Section]:
    """Return the whole table."""
    return [_encounter(report), _probability(report), _objects(report), _run(report)]


def _encounter(report: Report) -> Section:
    event, geometry = report.event, report.geometry
    rows = [
        _row("Closest approach (TCA)", instant(event.tca), "UTC", "when the distance is smallest"),
        *_declared("approach", [event.row]),
        _row(
            "Miss in sigmas",
            number(geometry.plane.miss_sigmas if geometry.plane else None, 2),
            "σ",
            "Mahalanobis distance in the encounter plane",
        ),
        _row(
            "Approach angle",
            number(geometry.approach_angle_deg),
            "°",
            "between both velocities: 0 overtaking, 180 head-on",
        ),
        _row("Above", place(*geometry.place[:2]) if geometry.place else NOT_KNOWN, "", "the primary at TCA"),
        _row(
            "Altitude",
            number(geometry.place and geometry.place[2]),
            "km",
            "of the primary at TCA, above WGS-84",
        ),
        _row("Encounter", event.encounter, "", "slow: a visit below 10 m/s, one row from entry to exit"),
    ]
    if event.inside_from is not None:
        threshold = number(report.run.threshold_km, 0)
        rows += [
            _row("Inside from", instant(event.inside_from), "UTC", f"nearer than {threshold} km from here"),
            _row("Inside to", instant(event.inside_to), "UTC", "to here, or to the edge of the window"),
        ]
    return Section("Encounter", ("",), rows)


def _declared(
    part: Part,
    records: Sequence[Mapping[str, Any]],
    after: Mapping[str, Iterable[Row]] = _NOTHING,
    instead: Mapping[str, Mapping[str, Any]] = _NOTHING,
) -> Iterator[Row]:
    """Return the numbers declared for a part of the table, a value for each record.

    `after` has further rows that follow a number, `instead` what is special of its own here.
    """
    for field, shown in shown_numbers(part):
        values = [record[field] for record in records]
        written = tuple(map(WRITTEN[shown.format], values))
        unit = odds(values[0]) if shown.format == "probability" else shown.unit
        yield Row(shown.label, written, unit, shown.note)._replace(**instead.get(field, {}))
        yield from after.get(field, ())


def _probability(report: Report) -> Section:
    event = report.event
    plane = report.geometry.plane
    combined = plane.combined if plane else None
    by_probability, near = event.levels
    radius_from = HARD_BODY_WORDS.get(event.hard_body_source or "", "not rated")
    decisive = event.decisive_probability
    method = METHOD_MEANINGS.get(event.graded.method or "", "the deciding probability")
    rows = [
        _row("Level by probability", by_probability, "", "limits 1e-4, 1e-5, 1e-6"),
        _row("Near", near or "no", "", "by the miss alone; limits 100, 500, 1,000 m"),
        _row(
            "Risk level",
            event.risk_level,
            "",
            f"the worse of the two, by {BASIS_WORDS.get(event.risk_basis, event.risk_basis)}",
        ),
        *_declared(
            "probability",
            [event.row | {"probability_best": decisive}],
            {
                "probability_2d": _checked(event),
                "probability_max": _diluted(report),
                "hard_body_radius_m": _around_both(report),
                "fragments_10cm": [
                    _row(
                        "Shatters both",
                        YES_NO[event.catastrophic],
                        "",
                        "energy above 40 J per gram of the larger",
                    )
                ],
            },
            {
                "probability_best": {"meaning": method}
                | ({"values": (UNKNOWN,)} if decisive is None else {}),
                "hard_body_radius_m": {"meaning": f"of both together; {radius_from}"},
            },
        ),
        _row(
            "Larger sigma",
            metres(combined.sigma_major_m if combined else None),
            "m",
            "1-sigma of the relative position in the plane, long axis",
        ),
        _row("Smaller sigma", metres(combined.sigma_minor_m if combined else None), "m", "and short axis"),
    ]
    return Section("Probability", ("",), rows)


def _diluted(report: Report) -> list[Row]:
    """Return what follows the largest probability: where it is, and what doubts the plane's."""
    event, curve = report.event, report.geometry.dilution
    return [
        _row(
            "  at scale",
            number(curve.peak_scale if curve else None, 3),
            "k",
            "factor on all sigmas at which it is largest",
        ),
        _row(
            "Diluted",
            YES_NO[event.diluted],
            "",
            "yes: past that peak, small only as positions are poorly known",
        ),
        _row(
            "Flags",
            event.probability_flag or "none",
            "",
            "why the integral in the plane is doubtful or impossible",
        ),
    ]


def _around_both(report: Report) -> list[Row]:
    curve_m = report.geometry.radius
    at_most = f": at most {probability(curve_m.at_most)}" if curve_m and curve_m.at_most else ""
    return [
        _row(
            "  around both",
            metres(curve_m.bounding_radius_m if curve_m else None),
            "m",
            f"by published dimensions{at_most}",
        )
    ]


def _checked(event: StoredEvent) -> list[Row]:
    """Say how far samples in the plane confirm the integral there: by the farther end of their interval."""
    low, high = event.probability_mc_low, event.probability_mc_high
    if low is None or high is None or not event.probability_2d:
        return []
    apart = 100.0 * max(abs(end / event.probability_2d - 1.0) for end in (low, high))
    return [
        _row(
            "  checked",
            f"to {apart:.2g} %",
            "",
            f"the exact 2-D one, by {number(event.mc_samples, 0)} samples (95 %); not the data",
        )
    ]


def _objects(report: Report) -> Section:
    sides, objects = report.event.sides, report.objects

    def row(label: str, unit: str, meaning: str, values: Iterable[str]) -> Row:
        return Row(label, tuple(values), unit, meaning)

    def word(values: Iterable[str | None]) -> Iterable[str]:
        return ((value or NOT_KNOWN).replace("_", " ") for value in values)

    def source(values: Iterable[str | None], words: dict[str, str]) -> Iterable[str]:
        return (words.get(value or "", NOT_KNOWN) for value in values)

    covariances_from = source((side.covariance_source for side in sides), COVARIANCE_WORDS)
    # An ephemeris has no age of elements.
    epochs = [None if side.on_ephemeris else side.epoch for side in sides]
    thrusting = (_THRUSTS.get(side.manoeuvring, NOT_KNOWN) for side in sides)
    radii_from = source((found.hard_body_source for found in objects), HARD_BODY_WORDS)
    rows = [
        row("Catalogue number", "", "NORAD number", (str(side.norad_id) for side in sides)),
        row("Designator", "", "year of launch, number, piece", word(found.object_id for found in objects)),
        row(
            "Type",
            "",
            "from the SATCAT, otherwise from the name",
            word(found.object_type for found in objects),
        ),
        row("Status", "", "whether it is in use", word(found.status for found in objects)),
        row("On its", "", "source of its path", (trajectory_words(side.trajectory) for side in sides)),
        *_ephemerides(report),
        *_whom(report),
        row("Element epoch", "UTC", "time of the element set used", (second(epoch) for epoch in epochs)),
        *_declared(
            "object",
            _records(report),
            {
                "sigma_n_m": [
                    row("Sigmas from", "", "element sets carry no covariance", covariances_from),
                    row("Manoeuvring", "", "if so, its element set may be tens of km off", thrusting),
                ],
                "hard_body_radius_m": [
                    row("  from", "", "`skysieve objects` shows and sets it", radii_from),
                ],
            },
        ),
    ]
    return Section("Objects", ("Primary", "Secondary"), rows)


def _records(report: Report) -> list[dict[str, Any]]:
    """Return the numbers of each object: its columns of the event, and what else is known about it."""
    found = event_objects(report.details)
    records = []
    for side, known in zip(report.event.sides, (found.primary, found.secondary), strict=True):
        record = side._asdict() | side.others | asdict(known)
        records.append(record | ({"age_hours": None} if side.on_ephemeris else {}))
    return records


def _ephemerides(report: Report) -> list[Row]:
    """Return which ephemerides the event rests on, if it does on any."""
    if not any(side.on_ephemeris for side in report.event.sides):
        return []
    ids = tuple(one.id if one else NOT_KNOWN for one in report.trajectories)
    return [Row("  ephemeris", ids, "", "id; `skysieve trajectories show` has more")]


def _whom(report: Report) -> list[Row]:
    """Return whom to ask about the objects, on as many lines as the table needs; none if unknown."""
    both = report.whom.primary, report.whom.secondary
    lines = [wrap(whom_briefly(one), _LONGEST_CONTACT) for one in both]
    rows = [Row("", values, "", "") for values in zip_longest(*lines, fillvalue="")]
    return (
        [rows[0]._replace(label="Whom to ask", meaning="by fleet, directory or GCAT"), *rows[1:]]
        if rows
        else []
    )


def _run(report: Report) -> Section:
    event, run = report.event, report.run
    age = report.made_at - run.finished
    rows = [
        _row("Event", str(event.id), "", "the same in all runs; `skysieve cdm ID` writes a message"),
        _row("Found by", f"{event.origin} {event.run_id}", "", "run, a search after it, analysis or message"),
        _row("Computed", instant(event.computed_at), "UTC", _runs(len(report.history))),
        _row("Newest run", run.run_id, "", f"ended {span(age)} before this report"),
        _row("Source", _end_of(run.source), "", f"SHA-256 {run.catalogue_sha256[:16]}…"),
        _row(
            "Window",
            minute(run.window_start),
            "UTC",
            f"to {minute(run.window_end)}; {run.objects:,} objects, nearer than "
            f"{number(run.threshold_km, 0)} km",
        ),
        *_sizes_from(report),
        _row("Report made", instant(report.made_at), "UTC", "by skysieve"),
    ]
    return Section("Run", ("",), rows)


def _sizes_from(report: Report) -> list[Row]:
    published = any(one.radius_m is not None for one in report.objects)
    return [_row("Sizes, masses", "published", "", SIZES_FROM)] if published else []


def _row(label: str, value: str, unit: str, meaning: str) -> Row:
    return Row(label, (value,), unit, meaning)


def _runs(count: int) -> str:
    return {0: "no run has found this event yet", 1: "one run has found this event"}.get(
        count, f"{count} runs have found this event"
    )


def _end_of(source: str) -> str:
    """Return the file name of a path or an address, only its end if it is long."""
    name = source.rstrip("/").rsplit("/", 1)[-1]
    return name if len(name) <= _LONGEST_NAME else f"…{name[1 - _LONGEST_NAME :]}"
