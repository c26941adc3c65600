"""The table of a report: every number of an event with its unit and meaning."""

from collections.abc import Iterable
from itertools import zip_longest
from textwrap import wrap
from typing import NamedTuple

from api.answers.stored_events import StoredEvent
from api.report.contents import Report
from screening.vocabulary import SIZES_FROM
from storage.rows.graded import METHOD_MEANINGS, UNKNOWN
from storage.rows.trajectory_words import trajectory_words
from storage.rows.words.numbers import (
    NOT_KNOWN,
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

COVARIANCE_WORDS = {
    "default": "error law, as measured",
    "differenced": "own element history",
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
        _row(
            "Miss distance",
            metres(event.miss_distance_m),
            "m",
            "at TCA; exact for the paths used, not for the satellites",
        ),
        _row(
            "  radial",
            metres(event.miss_radial_m),
            "m",
            "secondary minus primary: up, away from the Earth",
        ),
        _row("  in-track", metres(event.miss_in_track_m), "m", "along the primary's flight"),
        _row("  cross-track", metres(event.miss_cross_track_m), "m", "along its orbit's normal"),
        _row(
            "  in sigmas",
            number(geometry.plane.miss_sigmas if geometry.plane else None, 2),
            "σ",
            "Mahalanobis distance in the encounter plane",
        ),
        _row("Relative speed", metres(event.relative_speed_m_s), "m/s", "at TCA"),
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


def _probability(report: Report) -> Section:
    event = report.event
    plane, curve, curve_m = report.geometry.plane, report.geometry.dilution, report.geometry.radius
    combined = plane.combined if plane else None
    by_probability, near = event.levels
    rows = [
        _row("Level by probability", by_probability, "", "limits 1e-4, 1e-5, 1e-6"),
        _row("Near", near or "no", "", "by the miss alone; limits 100, 500, 1000 m"),
        _row(
            "Risk level",
            event.risk_level,
            "",
            f"the worse of both, by {BASIS_WORDS.get(event.risk_basis, event.risk_basis)}",
        ),
        _row(
            "Probability",
            UNKNOWN if event.decisive_probability is None else probability(event.decisive_probability),
            odds(event.decisive_probability),
            METHOD_MEANINGS.get(event.graded.method or "", "the one that counts"),
        ),
        _row(
            "Probability, 3-D",
            probability(event.probability_3d),
            odds(event.probability_3d),
            "of the likeliest orbits that meet",
        ),
        _row(
            "Probability, exact 2-D",
            probability(event.probability_2d),
            odds(event.probability_2d),
            "Gaussian integrated over the hard-body circle (Foster)",
        ),
        *_checked(event),
        _row(
            "Probability, formula",
            probability(event.probability),
            odds(event.probability),
            "closed formula",
        ),
        _row(
            "Probability, largest",
            probability(event.probability_max),
            odds(event.probability_max),
            "at another size of the same ellipse",
        ),
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
        _row(
            "Hard-body radius",
            metres(event.hard_body_radius_m),
            "m",
            f"of both together; {HARD_BODY_WORDS.get(event.hard_body_source or '', 'not rated')}",
        ),
        _row(
            "  around both",
            metres(curve_m.bounding_radius_m if curve_m else None),
            "m",
            "by published dimensions"
            + (f": at most {probability(curve_m.at_most)}" if curve_m and curve_m.at_most else ""),
        ),
        _row("Shatters both", YES_NO[event.catastrophic], "", "energy above 40 J per gram of the larger"),
        _row("  Pieces", number(event.fragments_10cm, 0), "", "of 10 cm or more, if they met"),
        _row(
            "Larger sigma",
            metres(combined.sigma_major_m if combined else None),
            "m",
            "1-sigma of the relative position in the plane, long axis",
        ),
        _row("Smaller sigma", metres(combined.sigma_minor_m if combined else None), "m", "and short axis"),
    ]
    return Section("Probability", ("",), rows)


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
    tracks = report.geometry.primary, report.geometry.secondary

    def row(label: str, unit: str, meaning: str, values: Iterable[str]) -> Row:
        return Row(label, tuple(values), unit, meaning)

    def each(values: Iterable[float | None], decimals: int = 1) -> Iterable[str]:
        return (number(value, decimals) for value in values)

    def word(values: Iterable[str | None]) -> Iterable[str]:
        return ((value or NOT_KNOWN).replace("_", " ") for value in values)

    def source(values: Iterable[str | None], words: dict[str, str]) -> Iterable[str]:
        return (words.get(value or "", NOT_KNOWN) for value in values)

    perigees_km, apogees_km = ([track and track.apsides_km[i] for track in tracks] for i in (0, 1))
    inclinations_deg = (track and track.inclination_deg for track in tracks)
    covariances_from = source((side.covariance_source for side in sides), COVARIANCE_WORDS)
    # An ephemeris has no age of elements.
    epochs = [None if side.on_ephemeris else side.epoch for side in sides]
    ages_hours = [age if epoch else None for epoch, age in zip(epochs, report.event.ages_hours, strict=True)]
    thrusting = (_THRUSTS.get(side.manoeuvring, NOT_KNOWN) for side in sides)
    radii_from = source((found.hard_body_source for found in objects), HARD_BODY_WORDS)
    rows = [
        row("Catalogue number", "", "NORAD number", (str(side.norad_id) for side in sides)),
        row("Designator", "", "year of launch, number, piece", word(found.object_id for found in objects)),
        row("Type", "", "from the SATCAT, else from the name", word(found.object_type for found in objects)),
        row("Status", "", "whether it is in use", word(found.status for found in objects)),
        row("On its", "", "source of its path", (trajectory_words(side.trajectory) for side in sides)),
        *_ephemerides(report),
        *_contacts(report),
        row("Element epoch", "UTC", "time of the element set used", (second(epoch) for epoch in epochs)),
        row("Element age", "h", "at TCA; errors grow with it", each(ages_hours)),
        row("Sigma radial", "m", "1-sigma error of position at TCA", each((s.sigma_r_m for s in sides), 0)),
        row("Sigma in-track", "m", "in the object's own frame", each((s.sigma_t_m for s in sides), 0)),
        row("Sigma cross-track", "m", "in the object's own frame", each((s.sigma_n_m for s in sides), 0)),
        row("Sigmas from", "", "element sets carry no covariance", covariances_from),
        row("Manoeuvring", "", "if so, its element set may be tens of km off", thrusting),
        row(
            "Hard-body radius",
            "m",
            "of the sphere that stands for it",
            each(o.hard_body_radius_m for o in objects),
        ),
        row("  from", "", "`skysieve objects` shows and sets it", radii_from),
        row("Mean-shadow radius", "m", "by published dimensions", each(o.radius_m for o in objects)),
        row("Bounding radius", "m", "of the sphere around it", each(o.bounding_radius_m for o in objects)),
        row("Mass", "kg", "published; for debris, from its radius", each((o.mass_kg for o in objects), 0)),
        row("Period", "min", "of one revolution", each(track and track.period_s / 60 for track in tracks)),
        row("Perigee", "km", "altitude; on an ephemeris, at TCA", each(perigees_km, 0)),
        row("Apogee", "km", "altitude; on an ephemeris, at TCA", each(apogees_km, 0)),
        row("Inclination", "°", "of the orbit", each(inclinations_deg, 2)),
    ]
    return Section("Objects", ("Primary", "Secondary"), rows)


def _ephemerides(report: Report) -> list[Row]:
    """Return which ephemerides the event rests on, if it does on any."""
    if not any(side.on_ephemeris for side in report.event.sides):
        return []
    ids = tuple(one.id if one else NOT_KNOWN for one in report.trajectories)
    return [Row("  ephemeris", ids, "", "id; `skysieve trajectories show` has more")]


def _contacts(report: Report) -> list[Row]:
    """Return whom to ask about the objects, on as many lines as the table needs; none if unknown."""
    lines = [wrap(contact, _LONGEST_CONTACT) for contact in report.contacts]
    rows = [Row("", values, "", "") for values in zip_longest(*lines, fillvalue="")]
    return (
        [rows[0]._replace(label="Contact", meaning="of the operator, as its fleet has it"), *rows[1:]]
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
