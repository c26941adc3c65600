"""Faults put into sound ephemerides are found where they are, each by its rule and by no other."""

import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from screening.orbits.burns import cut_at_burns
from screening.orbits.elements import ElementArray
from screening.orbits.texts.ephemerides.errors import UnreadableEphemeris
from screening.orbits.texts.ephemerides.read import read_ephemerides
from screening.orbits.timegrid import instants
from screening.risk.ephemeris_checks.check import Beside, ElementSet, check, unreadable
from screening.risk.ephemeris_checks.findings import Finding
from screening.risk.ephemeris_checks.rules import PROJECT, RULES
from screening.risk.objects.error_classes import ERROR_CLASSES
from screening.risk.objects.error_law import error_laws
from screening.vocabulary import RULE_SETS, RuleSet
from tests.screening.risk.ephemeris_checks import faulted
from tests.screening.risk.ephemeris_checks.faulted import Base, Fault, SharedFile
from tests.validation.messages.plain_ephemerides import STARLINK, STATION

# Forty: which faults each gets.
FAULTS: dict[str, list[Callable[[list[str]], Fault]]] = {
    "station": [faulted.gap, faulted.stray, faulted.late, faulted.torn],
    "starlink": [faulted.jump, faulted.velocity, faulted.time_system, faulted.impossible],
    "gp 3": [faulted.jump, faulted.coarse, faulted.half_covered, faulted.in_square_metres],
    "gp 7": [faulted.stray, faulted.frame, faulted.late, faulted.low],
    "sup 1": [faulted.gap, faulted.velocity, faulted.martian, faulted.half_covered],
    "sup 5": [faulted.time_system, faulted.coarse, faulted.in_square_metres, faulted.low],
    "geo": [faulted.jump, faulted.gap, faulted.frame, faulted.impossible],
    "gps": [faulted.stray, faulted.velocity, faulted.half_covered, faulted.torn],
    "molniya": [faulted.in_square_metres, faulted.velocity, faulted.late, faulted.impossible],
    "polar": [faulted.jump, faulted.stray, faulted.coarse, faulted.late],
}
NO_SET, BARE = ("object", "warning"), ("covariance", "warning")
CASES = [(base, fault) for base, faults in FAULTS.items() for fault in faults]


@pytest.fixture(scope="module")
def sound(shared_file: SharedFile) -> dict[str, Base]:
    """Give the ten sound ephemerides."""
    return faulted.bases(shared_file)


def found_in(lines: list[str], elements: ElementArray | None, rules: RuleSet = "skysieve") -> list[Finding]:
    """Return what a check finds in a text, except notes."""
    data = "\n".join(lines).encode()
    try:
        (read,) = read_ephemerides(data, "path.oem")
    except UnreadableEphemeris as error:
        return list(unreadable(error, rules))
    cut = [cut_at_burns(one) for one in read.ephemeris.segments]
    known = None
    if elements is not None:
        laws = error_laws(elements, np.array([ERROR_CLASSES.index("ballistic")], np.int8), np.ones((1, 3)))
        known = ElementSet(elements, laws)
    beside = Beside(read.ephemeris.norad_id, known)
    return [one for one in check(read, cut, beside, rules, len(data)).findings if one.severity != "note"]


@pytest.mark.parametrize("name", FAULTS)
def test_a_sound_ephemeris_has_nothing(name: str, sound: dict[str, Base]) -> None:
    assert found_in(*sound[name]) == []


@pytest.mark.sampled(7)
@pytest.mark.parametrize(
    ("name", "fault"), CASES, ids=[f"{fault.__name__} in {name}" for name, fault in CASES]
)
def test_a_fault_is_found_by_its_rule_at_its_line_and_by_no_other(
    name: str, fault: Callable[[list[str]], Fault], sound: dict[str, Base]
) -> None:
    lines, elements = sound[name]
    spoilt = fault(lines)
    found = found_in(spoilt.lines, None if fault is faulted.low else elements)
    assert {one.rule for one in found} == {spoilt.rule, *spoilt.also}, found
    first = next(one for one in found if one.rule == spoilt.rule)
    if spoilt.line is not None:
        assert first.line is not None
        assert abs(first.line - spoilt.line) <= (1 if spoilt.rule == "jump" else 0), (first, spoilt.line)
        if first.at is not None and spoilt.rule not in ("covariance_definite", "departure"):
            assert str(first.at)[:19] in spoilt.lines[first.line - 1]
    assert first.source == PROJECT


def test_sets_of_rules_have_their_own_limits(sound: dict[str, Base]) -> None:
    """Two days of a low orbit, a state each minute, a covariance each eight."""
    found = {
        rules: {one.rule: one.severity for one in found_in(*sound["gp 3"], rules)} for rules in RULE_SETS
    }
    assert found == {
        "skysieve": {},
        "nasa": {"span": "error", "covariance": "error"},
        "sds": {"covariance": "warning"},
        "tracss": {"format": "warning"},
        "spacex": {"covariance": "error"},
    }
    coarser = {one.rule for one in found_in(*sound["station"], "nasa")}  # 240 s, five days
    assert coarser == {"span", "step", "covariance"}


@pytest.mark.parametrize(("name", "least"), [("gp 3", 7.0), ("geo", 14.0)])
def test_the_span_that_nasa_asks_for_depends_on_the_orbit(
    name: str, least: float, sound: dict[str, Base]
) -> None:
    spoilt = faulted.short(sound[name].lines)
    (span,) = [one for one in found_in(spoilt.lines, None, "nasa") if one.rule == "span"]
    assert (span.limit, span.unit, span.line) == (least, "days", spoilt.line)
    assert span.value == pytest.approx(1.0, abs=0.01)


def test_an_object_that_the_catalogue_does_not_have(sound: dict[str, Base]) -> None:
    (one,) = found_in(sound["polar"].lines, None)
    assert (one.rule, one.severity, one.value) == ("object", "warning", 39084.0)


def test_published_files_as_they_are(shared_file: SharedFile) -> None:
    expected = {
        STATION: [NO_SET, BARE, ("manoeuvre", "note")],
        # From 48 h on its velocities are those of another forecast than its positions.
        STARLINK: [NO_SET, *[("velocity", "warning")] * 3],
        "ndm/oem/ISS.resampled.truncated.txt": [NO_SET, ("step", "warning"), BARE],
        "ndm/oem/OEMExample5.txt": [NO_SET, ("step", "warning"), BARE],
        "ndm/oem/test_cov.oem": [("states", "error"), NO_SET, BARE],
        "ndm/ocm/golden_ocm.ocm": [
            ("states", "error"), NO_SET, *[("velocity", "warning")] * 3, BARE,
        ],
        "ndm/oem/OEMExample2.txt": [("time_system", "error")],
        "ndm/oem/OEMExample1.txt": [("readable", "error")],
        "ndm/oem/OEM-wrong-keyword.txt": [("readable", "error")],
    }  # fmt: skip
    found = {name: _as_it_is(shared_file(name)) for name in expected}
    assert {name: [(one.rule, one.severity) for one in those] for name, those in found.items()} == expected
    assert found[STARLINK][1].at == np.datetime64("2023-01-31T12:19:42")
    assert found["ndm/oem/OEMExample2.txt"][0].line == 13


def _as_it_is(path: Path) -> list[Finding]:
    data = path.read_bytes()
    try:
        (read,) = read_ephemerides(data, path.name)
    except UnreadableEphemeris as error:
        return list(unreadable(error, "skysieve"))
    cut = [cut_at_burns(one) for one in read.ephemeris.segments]
    return list(check(read, cut, Beside(1, None), "skysieve", len(data)).findings)


@pytest.mark.parametrize(("drift", "severity"), [(5e-4, "error"), (4.2e-5, "warning")])
def test_a_path_that_drifts_away_is_no_longer_the_objects(
    drift: float, severity: str, sound: dict[str, Base]
) -> None:
    """A mean motion 0.05 % faster leads 100 km ahead within hours; 0.004 % only beyond what was measured."""
    elements = sound["gp 3"].elements
    faster = elements.copy()
    faster["mean_motion_rev_day"] *= 1.0 + drift
    drifting = faulted.path_of_set(faster, days=5.0, step_s=120.0)
    (one,) = found_in(drifting.lines, elements)
    assert (one.rule, one.severity) == ("departure", severity)
    (begin,) = instants(elements["epoch_jd"], elements["epoch_day_fraction"])
    days = (one.at - begin) / np.timedelta64(1, "D")
    ahead_km = drift * 15.06 * days * 2.0 * np.pi * 6925.0  # turns a day, along its circle
    assert one.value == pytest.approx(ahead_km, rel=0.1)
    assert (days < 3.0) == (severity == "error")


@pytest.mark.slow
def test_a_week_with_covariances_is_checked_in_half_a_second(sound: dict[str, Base]) -> None:
    elements = sound["gp 3"].elements
    week = faulted.path_of_set(elements, days=7.0, step_s=60.0, every=1)
    found_in(week.lines, elements, "nasa")
    began = time.process_time()
    assert found_in(week.lines, elements, "nasa") == []
    assert time.process_time() - began < 0.5


def test_each_source_of_a_limit_is_cited_and_none_is_one_that_was_not_read(repository: Path) -> None:
    cited = (repository / "docs" / "trajectories.md").read_text()
    sources = {limit.source for rule in RULES.values() for limit in rule.limits.values()} - {PROJECT}
    for source in sources:
        host, _, path = source[source.rindex("(") + 1 : -1].partition("/")
        assert f"https://{host}/{path}" in cited, source
        assert "Handbook" not in source
    assert len(sources) == 4
