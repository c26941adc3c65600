"""Compare forecasts of decays with the decays that came; the tables of docs/decay.md.

    .venv/bin/python tests/benchmarks/bench_decays.py

First the decays of 2016 to 2020 (snapshots of a catalogue some weeks apart), at the set whose time left is
nearest to 60, 30 and 10 days (within a third): of the half that the constants were fitted to (norad_id // 2
even) and of the other. Beside it what a constant rate of decay gives: the perigee sinks with the axis to
120 km. Then whole catalogues of January 2014 (active Sun), 2016 and 2020 (quiet), 5 to 10 days apart, with
the decays that SATCAT has: of these the temperature's scale alone was fitted. Ten seconds.
"""

import sys
from pathlib import Path

import numpy as np
import numpy.typing as npt

REPOSITORY = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(REPOSITORY))

from screening.decay.forecast import ECCENTRIC, Decays, decays  # noqa: E402
from screening.decay.life import Lives  # noqa: E402
from tests.screening.decay.real_decays import Decayed, decayed, forecasts, of_catalogues  # noqa: E402

LEADS_DAYS = (60.0, 30.0, 10.0)
NEAR = 1.33
_EARTH_KM, _LOWEST_KM, _MU = 6378.137, 120.0, 398600.4418

Mask = npt.NDArray[np.bool_]


def at_lead(sets: Decayed, some: Mask, lead_days: float) -> npt.NDArray[np.int64]:
    """Return the places of one set an object, of some, whose time left is nearest to a lead."""
    off = np.abs(np.log(sets.left_days / lead_days))
    near = np.flatnonzero(some & (off < np.log(NEAR)))
    near = near[np.lexsort((off[near], sets.norad_id[near]))]
    return near[np.append(True, np.diff(sets.norad_id[near]) != 0)[: len(near)]]


def constant_rate_days(sets: Decayed) -> npt.NDArray[np.float64]:
    """Return the days until the perigee is at 120 km if the axis sinks as fast as now."""
    motion, rate = sets.recent.mean_motion_rev_day, sets.recent.rate_rev_day2
    axis_km = np.cbrt(_MU * (86400.0 / (2.0 * np.pi * motion)) ** 2)
    with np.errstate(divide="ignore", invalid="ignore"):
        sinks_km_day = 2.0 / 3.0 * axis_km * rate / motion
        perigee_km = axis_km * (1.0 - sets.recent.eccentricity) - _EARTH_KM
        return np.where(rate > 0.0, (perigee_km - _LOWEST_KM) / sinks_km_day, np.nan)


class Shown:
    """Errors of some forecasts."""

    def __init__(self, sets: Decayed, found: Decays, places: npt.NDArray[np.int64]) -> None:
        median, left = found.median_days[places], sets.left_days[places]
        said = np.isfinite(median)
        self.sets, self.said = len(places), int(said.sum())
        if not self.said:
            return
        self.error = float(np.median(np.abs(median / left - 1.0)[said]))
        inside = (found.begin_days[places] <= left) & (left <= found.end_days[places])
        self.inside = float(inside[said].mean())
        constant = constant_rate_days(sets)[places]
        self.constant = float(np.nanmedian(np.abs(constant / left - 1.0)[said]))
        self.bias = float(np.median((median / left)[said])) - 1.0

    def line(self, *names: object) -> str:
        """Return a row of a table in Markdown."""
        numbers = (
            (
                f"{self.said} of {self.sets}",
                *(f"{100.0 * value:.0f} %" for value in (self.error, self.inside, self.bias, self.constant)),
            )
            if self.said
            else (f"0 of {self.sets}", "", "", "", "")
        )
        return "| " + " | ".join(map(str, (*names, *numbers))) + " |"


def groups(sets: Decayed) -> dict[str, Mask]:
    """Return the kinds of objects that are shown apart."""
    eccentric, payload = sets.recent.eccentricity >= ECCENTRIC, sets.recent.payload
    return {
        "all": np.ones(len(payload), np.bool_),
        "debris and stages": ~payload & ~eccentric,
        "payloads": payload & ~eccentric,
        "eccentric": eccentric,
    }


def main() -> None:
    """Print the tables."""
    sets = decayed()
    found = forecasts(sets)
    half = (sets.norad_id // 2) % 2
    head = "forecasts | median error | in 90 % window | bias | constant rate"
    print(f"| decays | objects | days left | {head} |\n|---|---|---|---|---|---|---|---|")
    for name, fitted in (("fitted", half == 0), ("not fitted", half == 1)):
        for group, some in groups(sets).items():
            for lead in LEADS_DAYS:
                print(Shown(sets, found, at_lead(sets, some & fitted, lead)).line(name, group, f"{lead:g}"))
    print(f"\n| catalogue | K | days left | {head} |\n|---|---|---|---|---|---|---|---|")
    for day, before in (("20140111", "20140101"), ("20160112", "20160103"), ("20200108", "20200103")):
        some_sets, kelvin = of_catalogues(day, before)
        some_found = decays(some_sets.recent, Lives.at(kelvin))
        for low, high in ((5, 20), (20, 45), (45, 90), (90, 200)):
            places = np.flatnonzero((some_sets.left_days > low) & (some_sets.left_days < high))
            print(Shown(some_sets, some_found, places).line(day, f"{kelvin:.0f}", f"{low} to {high}"))


if __name__ == "__main__":
    main()
