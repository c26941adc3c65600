"""What a check finds: each breach of a rule with its place, its value, and the limit."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from screening.orbits.ephemerides import Segment
from screening.orbits.texts.ephemerides.objects import AsWritten
from screening.risk.ephemeris_checks.rules import PROJECT, RULES, Limit, limit_of
from screening.vocabulary import RuleName, RuleSet, Severity

_SHOWN = 3  # of one rule: the first, and the largest; the last says how many more there are


class Finding(NamedTuple):
    """A breach of a rule, or what is worth knowing."""

    rule: RuleName
    severity: Severity
    words: str
    at: np.datetime64 | None  # M8[us] UTC
    line: int | None
    value: float | None
    unit: str
    limit: float | None
    source: str


class Place(NamedTuple):
    """Where something was found, and how large it is."""

    at: np.datetime64  # M8[us] UTC
    value: float
    words: str


class Judge:
    """Holds what is found to the limits of a set of rules."""

    def __init__(
        self, rules: RuleSet, segments: Sequence[Segment] = (), written: Sequence[AsWritten] = ()
    ) -> None:
        """Take the segments of the file, and what it says of each."""
        self.rules = rules
        self.findings: list[Finding] = []
        self._segments, self._written = segments, written

    def limit(self, rule: RuleName) -> Limit | None:
        """Return the limit of a rule; None: the set has none."""
        return limit_of(rule, self.rules)

    def number(self, rule: RuleName) -> float:
        """Return the limit of a rule for which all sets have the same number."""
        limit = self.limit(rule)
        assert limit is not None, "all sets of rules have it"
        assert not isinstance(limit.value, tuple), "it is a number"
        return limit.value

    def add(
        self,
        rule: RuleName,
        words: str,
        *,
        value: float | None = None,
        at: np.datetime64 | None = None,
        line: int | None = None,
        severity: Severity | None = None,
        limit: float | None = None,
    ) -> None:
        """Add a finding; its line follows from its time."""
        given = self.limit(rule)
        if limit is None and given is not None and not isinstance(given.value, tuple):
            limit = float(given.value)
        self.findings.append(
            Finding(
                rule,
                severity or (given.severity if given else "note"),
                words,
                at,
                self._line_of(at) if line is None and at is not None else line,
                value,
                RULES[rule].unit,
                limit,
                given.source if given else PROJECT if severity == "error" else "",
            )
        )

    def add_places(self, rule: RuleName, places: Sequence[Place]) -> None:
        """Add the first and the largest of many findings of one rule, and how many more there are."""
        in_time = sorted(places, key=lambda one: one.at)
        largest = sorted(in_time[1:], key=lambda one: -one.value)[: _SHOWN - 1]
        shown = in_time[:1] + sorted(largest, key=lambda one: one.at)
        more = len(places) - len(shown)
        for i, one in enumerate(shown, 1):
            words = f"{one.words}; {more:,} more" if more and i == len(shown) else one.words
            self.add(rule, words, value=one.value, at=one.at)

    def without_limit(self, rule: RuleName, words: str, value: float | None) -> None:
        """Note what was measured where a set of rules has no limit; the project's own has none to miss."""
        if self.rules != "skysieve":
            self.add(rule, f"{words}; no limit of {self.rules} is known", value=value, severity="note")

    def _line_of(self, at: np.datetime64) -> int | None:
        """Return the line of the state at an instant, else of the last one before it."""
        for segment, written in zip(self._segments, self._written, strict=True):
            if segment.epochs[0] <= at <= segment.epochs[-1]:
                return written.line_of(int(np.searchsorted(segment.epochs, at, side="right")) - 1)
        return None
