"""What became of earlier encounters of a level: sentences."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from functools import lru_cache
from pathlib import Path

from storage.disk.layout import FORECAST_TALLIES
from storage.verification.tallies import Fate, fates, tallies

FEWEST = 20  # encounters from which a share says something
_DAY = timedelta(days=1)
_GROUPS = {"critical": "critical or high", "high": "critical or high", "medium": "medium", "low": "low"}

Fates = Mapping[tuple[int, str], Fate]  # by whole days ahead, and levels

# Of element sets published from 24 to 30 May 2026, half of all numbers, mostly Starlink: 27 runs of
# `make demo`.
SHIPPED: Fates = {
    (1, "medium"): Fate(1512.0, 0.0, 216.0, 40.0, 1256.0),
    (1, "low"): Fate(29592.0, 0.0, 10.0, 4586.0, 24996.0),
    (2, "medium"): Fate(1227.0, 0.0, 6.0, 7.0, 1214.0),
    (2, "low"): Fate(47757.0, 0.0, 13.0, 1209.0, 46535.0),
    (3, "medium"): Fate(48.0, 0.0, 2.0, 0.0, 46.0),
    (3, "low"): Fate(46945.0, 0.0, 6.0, 629.0, 46310.0),
}


def of_groups(of_levels: Fates) -> Fates:
    """Return what became of encounters of groups of levels; `not listed` is in none."""
    found: dict[tuple[int, str], Fate] = {}
    for (ahead, level), fate in of_levels.items():
        if level in _GROUPS:
            key = ahead, _GROUPS[level]
            found[key] = found.get(key, Fate()).and_others(fate)
    return found


@lru_cache(maxsize=2)
def _of_store(store: Path, _written_ns: int) -> Fates:
    return of_groups(fates(tallies(store)))


def outlook(store: Path, level: str | None, tca: datetime, begins: datetime) -> str:
    """Say what became of encounters of a level as many days ahead; empty: too few are known.

    Those that the store has judged count, and if they are too few those of the published week. `begins`: the
    start of the window (UTC) of the run that says the level.

    Raises:
        StoreError: the counts of the store are damaged or cannot be read.
    """
    group, days = _GROUPS.get(level or ""), round((tca - begins) / _DAY)
    if group is None or days < 1:
        return ""
    path = store / FORECAST_TALLIES
    judged = _of_store(store, path.stat().st_mtime_ns) if path.is_file() else {}
    for known, where in ((judged, "here"), (SHIPPED, "in a week of May 2026, mostly Starlink")):
        fate = known.get((days, group), Fate())
        if fate.encounters >= FEWEST:
            return became(fate, group, days, f" ({where})")
    return ""


def became(fate: Fate, group: str, days: int, where: str = "") -> str:
    """Say what became of encounters of a group of levels so many whole days ahead."""
    red, medium, low, beyond = (
        _share(count, fate.encounters) for count in (fate.red, fate.medium, fate.low, fate.vanished)
    )
    count = f"{fate.encounters:,.0f} encounter{'' if fate.encounters == 1 else 's'}"
    return (
        f"Of {count} rated {group} {whole_days(days)} ahead{where}, the last run before TCA rated {red} "
        f"critical or high, {medium} medium, {low} low, and found {beyond} beyond its threshold."
    )


def whole_days(days: int) -> str:
    """Return a number of days in words."""
    return "less than a day" if days == 0 else "one day" if days == 1 else f"{days} days"


def _share(part: float, whole: float) -> str:
    if part == 0.0:
        return "none"
    percent = 100.0 * part / whole
    return f"{percent:.0f} %" if percent >= 1.0 else f"{percent:.1g} %"
