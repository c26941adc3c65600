"""Check an ephemeris by a set of rules."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from screening.orbits.elements import ElementArray
from screening.orbits.ephemerides import Segment
from screening.orbits.texts.ephemerides.errors import UnreadableEphemeris
from screening.orbits.texts.ephemerides.frames import frame_of
from screening.orbits.texts.ephemerides.objects import ReadEphemeris
from screening.risk.ephemeris_checks.findings import Finding, Judge
from screening.risk.ephemeris_checks.of_covariances import Sigmas, check_covariances
from screening.risk.ephemeris_checks.of_path import Cut, check_departure, check_jumps, thrusts
from screening.risk.ephemeris_checks.of_states import Measured, check_states
from screening.risk.objects.departure import Distance, Jump, distances
from screening.risk.objects.error_law import ErrorLaws
from screening.vocabulary import SEVERITIES, RuleName, RuleSet


class ElementSet(NamedTuple):
    """The element set of an object, and the law of its errors."""

    elements: ElementArray  # (1,)
    laws: ErrorLaws


class Beside(NamedTuple):
    """What is known of the object beside its file."""

    norad_id: int  # 0: not known
    element_set: ElementSet | None  # None: the catalogue has none


class Checked(NamedTuple):
    """The check of an ephemeris."""

    findings: tuple[Finding, ...]  # errors first
    states: Measured
    sigmas: Sigmas
    jumps: tuple[Jump, ...]
    thrusts: tuple[np.datetime64, ...]
    away: tuple[Distance, ...]  # from the element set


def check(read: ReadEphemeris, cut: Cut, beside: Beside, rules: RuleSet, size: int) -> Checked:
    """Check an ephemeris, whose segments are `cut` at thrusts, of a file of `size` bytes."""
    segments = read.ephemeris.segments
    judge = Judge(rules, segments, read.written)
    _of_file(judge, read, size)
    _of_object(judge, beside)
    jumped = check_jumps(judge, segments, cut)
    thrust_at = thrusts(cut, jumped)
    if thrust_at:
        words = f"{len(thrust_at)} thrusts or changes of force, the first at {thrust_at[0]}Z"
        judge.add("manoeuvre", words, value=float(len(thrust_at)), at=thrust_at[0])
    states = check_states(judge, segments, read.written, [one.at for one in jumped])
    sigmas = check_covariances(judge, segments, read.written)
    away = _away(judge, segments, cut, beside)
    if away:
        check_departure(judge, away, cut, thrust_at)
    return Checked(in_order(judge.findings), states, sigmas, tuple(jumped), tuple(thrust_at), tuple(away))


def unreadable(error: UnreadableEphemeris, rules: RuleSet) -> tuple[Finding, ...]:
    """Return the finding of a file that cannot be read."""
    judge = Judge(rules)
    rule: RuleName = error.rule  # type: ignore[assignment]
    judge.add(rule, str(error).partition("\n")[0], line=error.line, severity="error")
    return in_order(judge.findings)


def in_order(findings: Sequence[Finding]) -> tuple[Finding, ...]:
    """Return findings with the errors first, notes last."""
    return tuple(sorted(findings, key=lambda one: SEVERITIES.index(one.severity)))


def _of_file(judge: Judge, read: ReadEphemeris, size: int) -> None:
    first = read.written[0]
    states = sum(len(one.epochs) for one in read.ephemeris.segments)
    _one_of(judge, "format", first.form, first.form)
    for about, segment in zip(read.written, read.ephemeris.segments, strict=True):
        known = len(judge.findings)
        _one_of(judge, "frame", str(frame_of(about.frame) or about.frame), about.frame, segment.epochs[0])
        _one_of(judge, "time_system", about.time_system, about.time_system, segment.epochs[0])
        if len(judge.findings) > known:
            break  # all others say the same
    for rule, value, words in (
        ("file_size", size, f"the file has {size:,} bytes"),
        ("states", states, f"it has {states:,} states"),
    ):
        limit = judge.limit(rule)  # type: ignore[arg-type]
        if limit is None:
            judge.without_limit(rule, words, float(value))  # type: ignore[arg-type]
        elif not isinstance(limit.value, tuple) and (
            value > limit.value if rule == "file_size" else value < limit.value
        ):
            at = "at most" if rule == "file_size" else "at least"
            judge.add(rule, f"{words}; {at} {limit.value:,g}", value=float(value))  # type: ignore[arg-type]


def _one_of(judge: Judge, rule: RuleName, value: str, words: str, at: np.datetime64 | None = None) -> None:
    limit = judge.limit(rule)
    if limit is None:
        judge.without_limit(rule, f"the {rule.replace('_', ' ')} is {words}", None)
    elif isinstance(limit.value, tuple) and value not in limit.value:
        allowed = " or ".join(limit.value)
        judge.add(rule, f"the {rule.replace('_', ' ')} is {words}; {allowed} is wanted", at=at)


def _of_object(judge: Judge, beside: Beside) -> None:
    if not beside.norad_id:
        judge.add("object", "the file does not say the catalogue number of its object", severity="error")
    elif beside.element_set is None:
        words = f"the catalogue has no object {beside.norad_id}, so its path is not compared"
        judge.add("object", words, value=float(beside.norad_id))


def _away(judge: Judge, segments: Sequence[Segment], cut: Cut, beside: Beside) -> list[Distance]:
    if beside.element_set is None:
        return []
    away = distances([part for parts in cut for part in parts], *beside.element_set)
    if not away:
        words = "it is not compared: its element set is of another week"
        judge.add("departure", words, at=segments[0].epochs[0], severity="note")
    return away
