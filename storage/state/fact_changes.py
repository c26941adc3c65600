"""What an import of facts changes: how many objects are new, and which of the known ones differ."""

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

SHOWN_CHANGES = 5
_SAME = 1e-6  # relative; the table of the package has seven digits

_NAME = "name"  # a catalogue has several of an object, and none matters to a run

Fact = Sequence[object]  # the catalogue number, then the values


class FactChanges(NamedTuple):
    """What differs from what was known before."""

    new: int  # objects of which nothing was known
    changed: int
    shown: list[str]  # the first SHOWN_CHANGES of the changed ones, in words


def fact_changes(before: Mapping[int, Fact], facts: Iterable[Fact], names: Sequence[str]) -> FactChanges:
    """Compare facts with those known before by number; `names` are those of their values, as in both."""
    new = changed = 0
    shown: list[str] = []
    for fact in facts:
        number = fact[0]
        assert isinstance(number, int)
        old = before.get(number)
        if old is None:
            new += 1
            continue
        differing = [
            f"{name} {_word(one)} -> {_word(other)}"
            for name, one, other in zip(names[1:], old[1:], fact[1:], strict=True)
            if name != _NAME and not _same(one, other)
        ]
        if differing:
            changed += 1
            if len(shown) < SHOWN_CHANGES:
                shown.append(f"{number}: {', '.join(differing)}")
    return FactChanges(new, changed, shown)


def _same(one: object, other: object) -> bool:
    one, other = _plain(one), _plain(other)
    if isinstance(one, float) and isinstance(other, float):
        return math.isclose(one, other, rel_tol=_SAME)
    return one == other


def _plain(value: object) -> object:
    """Return NaN, as arrays have it, and an empty text as None."""
    return None if value == "" or value != value else value


def _word(value: object) -> str:
    value = _plain(value)
    if value is None:
        return "none"
    return f"{value:.4g}" if isinstance(value, float) else str(value)
