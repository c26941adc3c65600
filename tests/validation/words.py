"""Outcomes in words, and in rows for the page."""

import math
from collections.abc import Iterator, Sequence

from storage.shell.output import counted
from tests.validation.comparison import Measure, Outcome

AGREES, DIFFERS = "agrees", "DIFFERS"


def rows(outcome: Outcome) -> Iterator[tuple[str, ...]]:
    """Yield the rows of an outcome that was compared: measure, value, allowed, result."""
    if outcome.comparison is None:
        return
    yield f"{outcome.comparison.things} compared", f"{outcome.comparison.number:,}", "", ""
    for measure in outcome.comparison.measures:
        yield measure.name, value_text(measure), limit_text(measure), verdict(measure)


def said(outcome: Outcome) -> str:
    """Return the result of a whole comparison."""
    if outcome.missing:
        return f"not run: {outcome.missing}"
    if outcome.error:
        return f"FAILED: {outcome.error}"
    return DIFFERS if outcome.failed else AGREES


def summary(outcomes: Sequence[Outcome]) -> str:
    """Return how many comparisons agree."""
    failed = sum(outcome.failed for outcome in outcomes)
    missing = sum(bool(outcome.missing) for outcome in outcomes)
    told = [f"{len(outcomes) - failed - missing} agree"]
    told += [f"{failed} do not"] if failed else []
    told += [f"{missing} not run"] if missing else []
    return f"{counted(len(outcomes), 'comparison')}: {', '.join(told)}"


def verdict(measure: Measure) -> str:
    """Return whether a measure agrees; nothing if it is not judged."""
    if measure.limit is None:
        return ""
    return AGREES if measure.agrees else DIFFERS


def value_text(measure: Measure) -> str:
    """Return a value with its unit: whole numbers as they are, rounding to its order, others to 3 digits."""
    if measure.rounding:
        return _with_unit(f"{measure.value:.0e}", measure.unit)
    return _with_unit(_number(measure.value), measure.unit)


def limit_text(measure: Measure) -> str:
    """Return the limit of a measure with its unit; nothing if there is none."""
    return "" if measure.limit is None else _with_unit(_number(measure.limit), measure.unit)


def _number(value: float) -> str:
    if not math.isfinite(value):
        return str(value)
    if value == round(value):
        return f"{value:,.0f}"
    return f"{value:,.0f}" if abs(value) >= 1000.0 else f"{value:.3g}"


def _with_unit(number: str, unit: str) -> str:
    return f"{number}{unit}" if unit == "%" else f"{number} {unit}".rstrip()
