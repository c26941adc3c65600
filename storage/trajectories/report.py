"""The report of a check of an ephemeris, as it is stored, shown and answered."""

from dataclasses import asdict
from typing import Any

from screening.answers import TimeText, answer
from screening.vocabulary import EphemerisForm, RuleName, RuleSet, Severity


@answer(
    rule="velocity", severity="warning", words="its velocity is 4.55 m/s off", at="2023-01-31T20:44:42Z",
    line=13765, value=4.55, unit="m/s", limit=1.0, source="skysieve, docs/trajectories.md",
)  # fmt: skip
class TrajectoryFinding:
    """A breach of a rule, or what is worth knowing."""

    rule: RuleName
    """The rule; docs/trajectories.md lists all."""
    severity: Severity
    """`error`, `warning` or `note`."""
    words: str
    """What is found."""
    at: TimeText | None
    """UTC, the state it is about; null: the whole file."""
    line: int | None
    """Line of the file; null: not known."""
    value: float | None
    """What was measured, in `unit`; null: nothing that is a number."""
    unit: str
    """Unit of `value` and `limit`."""
    limit: float | None
    """What the rule allows; null: no number."""
    source: str
    """Where the limit is from; empty: the set of rules has none."""


@answer(
    format="OEM", frame="EME2000", time_system="UTC", states=10081, covariances=10081,
    begins="2026-11-21T12:00:00Z", ends="2026-11-28T12:00:00Z", span_days=7.0, longest_step_s=60.0,
    longest_step_revolutions=0.0108, lowest_altitude_km=413.2, largest_velocity_difference_m_s=0.05,
    least_sigma_m=12.0, largest_sigma_m=4100.0, thrusts=0,
)  # fmt: skip
class TrajectoryMeasured:
    """What was measured of an ephemeris."""

    format: EphemerisForm
    """`OEM`, `OCM`, `MEME` (Starlink's text) or `SP3`."""
    frame: str
    """Frame of the states, as the file names it."""
    time_system: str
    """Time system, as the file names it."""
    states: int
    """States in all."""
    covariances: int
    """Covariances in all."""
    begins: TimeText
    """UTC, first usable instant."""
    ends: TimeText
    """UTC, last usable instant."""
    span_days: float
    """Days from the first to the last."""
    longest_step_s: float
    """s, the longest step that is no gap."""
    longest_step_revolutions: float
    """The same in revolutions, by time or by angle, whichever is less."""
    lowest_altitude_km: float
    """km above the Earth's ellipsoid."""
    largest_velocity_difference_m_s: float | None
    """m/s between its velocities and those that lead from position to position; null: not compared."""
    least_sigma_m: float | None
    """m, 1-sigma error of the position (root of the sum of the variances) where it is least; null: no
    covariance."""
    largest_sigma_m: float | None
    """m, where it is largest."""
    thrusts: int
    """Thrusts or other changes of force."""


@answer(rules="skysieve", errors=0, warnings=1)
class TrajectoryReport:
    """The check of an ephemeris by a set of rules."""

    rules: RuleSet
    """The set of rules."""
    errors: int
    """Findings that are errors."""
    warnings: int
    """Findings that are warnings."""
    measured: TrajectoryMeasured | None
    """What was measured; null: the file cannot be read."""
    findings: list[TrajectoryFinding]
    """Errors first, then warnings and notes; of many of one rule the first and the largest two."""


def plain(report: TrajectoryReport | None) -> dict[str, Any] | None:
    """Return a report for a file."""
    return None if report is None else asdict(report)


def report_in(told: dict[str, Any] | None) -> TrajectoryReport | None:
    """Return a report from a file; None: it has none."""
    if told is None:
        return None
    measured = told["measured"] and TrajectoryMeasured(**told["measured"])
    findings = [TrajectoryFinding(**one) for one in told["findings"]]
    return TrajectoryReport(**told | {"measured": measured, "findings": findings})


def finding_words(one: TrajectoryFinding) -> str:
    """Return a finding as one line: its severity, its place, what it is."""
    place = f"line {one.line:,}, " if one.line is not None else ""
    time = f"{one.at}: " if one.at is not None else ""
    return f"{one.severity} ({one.rule}): {place}{time}{one.words}"
