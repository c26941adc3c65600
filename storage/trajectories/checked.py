"""Check a trajectory before it replaces the element set of its object for all."""

from typing import NamedTuple, Protocol

import numpy as np

from screening.orbits.elements import ElementArray
from screening.orbits.texts.ephemerides.objects import ReadEphemeris
from screening.orbits.timegrid import instants
from screening.risk.ephemeris_checks.check import Beside, Checked, ElementSet, check
from screening.risk.ephemeris_checks.findings import Finding
from screening.risk.ephemeris_checks.of_path import Cut
from screening.risk.objects.departure import Distance
from screening.vocabulary import RuleSet
from storage.times import time_text, utc_datetime
from storage.trajectories.report import TrajectoryFinding, TrajectoryMeasured, TrajectoryReport
from storage.trajectories.trajectory_file import DistanceFromSet, TrajectoryCheck

_KEPT_EACH = np.timedelta64(6, "h")
_NOT_ITS_PATH = ("jump", "departure")  # rules whose breach says that it is not the object's path


class Catalogue(Protocol):
    """The objects that trajectories may be of."""

    def number_of(self, object_id: str) -> int:
        """Return the catalogue number of an international designator; 0: there is no such object."""

    def set_of(self, norad_id: int) -> ElementSet | None:
        """Return the element set of an object; None: there is none."""


class Judged(NamedTuple):
    """What a check says of a trajectory."""

    report: TrajectoryReport
    check: TrajectoryCheck | None  # None: no element set of that time
    wrong: tuple[str, ...]  # why it is not the path of its object


def judged(
    read: ReadEphemeris, cut: Cut, norad_id: int, catalogue: Catalogue, rules: RuleSet, size: int
) -> Judged:
    """Check an ephemeris, whose segments are `cut` at thrusts, of a file of `size` bytes."""
    known = catalogue.set_of(norad_id) if norad_id else None
    checked = check(read, cut, Beside(norad_id, known), rules, size)
    compared = None if known is None or not checked.away else _compared(known.elements, checked.away)
    wrong = tuple(
        _words(one, compared)
        for one in checked.findings
        if one.rule in _NOT_ITS_PATH and one.severity == "error"
    )
    return Judged(_report_of(read, checked, rules), compared, wrong)


def _report_of(read: ReadEphemeris, checked: Checked, rules: RuleSet) -> TrajectoryReport:
    """Return the report of a check."""
    segments, first = read.ephemeris.segments, read.written[0]
    states, sigmas = checked.states, checked.sigmas
    measured = TrajectoryMeasured(
        format=first.form,
        frame=first.frame,
        time_system=first.time_system,
        states=sum(len(one.epochs) for one in segments),
        covariances=sum(len(one.covariance_epochs) for one in segments),
        begins=time_text(utc_datetime(segments[0].usable_from)),
        ends=time_text(utc_datetime(segments[-1].usable_to)),
        span_days=_brief(states.span_days),
        longest_step_s=_brief(states.step_s),
        longest_step_revolutions=_brief(states.step_revolutions),
        lowest_altitude_km=_brief(states.lowest_km),
        largest_velocity_difference_m_s=_brief_or_none(states.velocity_m_s),
        least_sigma_m=_brief_or_none(sigmas.smallest_m),
        largest_sigma_m=_brief_or_none(sigmas.largest_m),
        thrusts=len(checked.thrusts),
    )
    return with_findings(checked.findings, rules, measured)


def with_findings(
    findings: tuple[Finding, ...], rules: RuleSet, measured: TrajectoryMeasured | None = None
) -> TrajectoryReport:
    """Return a report of these findings."""
    severities = [one.severity for one in findings]
    shown = [
        TrajectoryFinding(
            **one._asdict()
            | {"at": None if one.at is None else time_text(utc_datetime(one.at))}
            | {"value": _brief_or_none(one.value)}
        )
        for one in findings
    ]
    return TrajectoryReport(rules, severities.count("error"), severities.count("warning"), measured, shown)


def _words(one: Finding, compared: TrajectoryCheck | None) -> str:
    at = "" if one.at is None else f"at {_text(one.at)} "
    if one.rule == "jump" or compared is None:
        return f"{at}{one.words}"
    words = one.words.replace("element set", f"element set of {compared.element_epoch}")
    return f"{at}{words}: it belongs to another object, or has wrong times"


def _compared(elements: ElementArray, away: tuple[Distance, ...]) -> TrajectoryCheck:
    """Return how far a path is from an element set (1,)."""
    (epoch,) = instants(elements["epoch_jd"], elements["epoch_day_fraction"])
    far = next((one for one in away if one.is_far), None)
    largest = max(away, key=lambda one: one.km)
    return TrajectoryCheck(_text(epoch), _kept(away), _plain(largest), far and _text(far.at))


def _kept(away: tuple[Distance, ...]) -> list[DistanceFromSet]:
    """Return the distance at the beginning, and then every few hours."""
    kept = [away[0]]
    for one in away:
        if one.at >= kept[-1].at + _KEPT_EACH:
            kept.append(one)
    return [_plain(one) for one in kept]


def _plain(one: Distance) -> DistanceFromSet:
    return DistanceFromSet(_text(one.at), round(one.km, 3), round(one.sigmas, 3))


def _text(instant: np.datetime64) -> str:
    return time_text(utc_datetime(instant))


def _brief(value: float) -> float:
    return float(f"{value:.6g}")


def _brief_or_none(value: float | None) -> float | None:
    return None if value is None else _brief(value)
