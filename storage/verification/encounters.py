"""Predicted encounters: which runs could list each, which run stands how many days ahead, what changed."""

from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from screening.orbits.timegrid import FloatArray
from storage.rows.over_runs.event_ids import SAME_ENCOUNTER
from storage.rows.over_runs.screened import screened
from storage.verification.predictions import Instants, Runs

Mask = npt.NDArray[np.bool_]
Places = npt.NDArray[np.intp]

LAST_DAYS_AHEAD = 30
NONE = -1
_HALF_A_DAY = 0.5
_DAY = np.timedelta64(1, "D")


class Encounters(NamedTuple):
    """Encounters (e,), and what the runs (r,) said of them."""

    store: Path
    runs: Runs
    norad_ids: npt.NDArray[np.int64]  # (e, 2)
    prediction: Places  # (e,) place of the last prediction
    row: Places  # (e, r) place of the run's prediction; NONE: it has none
    lead_days: FloatArray  # (e, r) from the start of the run's window to the TCA last predicted
    has_it: Mask  # (e, r) the window holds the TCA, also if that moves, or the run has predicted it
    last: Places  # (e,) the last run before TCA

    def standing(self) -> Places:
        """Return the run (e, d) that stands for each whole number of days ahead; NONE: none. 0: the last."""
        lead = np.where(self.has_it, self.lead_days, -np.inf)
        farthest = min(int(lead.max() + _HALF_A_DAY), LAST_DAYS_AHEAD)
        stands = np.full((len(self.row), farthest + 1), NONE)
        stands[:, 0] = self.last
        for days in range(1, farthest + 1):
            off = np.abs(lead - days)
            stands[:, days] = np.where(off.min(axis=1) <= _HALF_A_DAY, off.argmin(axis=1), NONE)
        return stands

    def screened_both(self, encounter: Places, run: Places) -> Mask:
        """Return whether runs (k,) have predicted encounters (k,), or at least screened both objects."""
        known: Mask = self.row[encounter, run] != NONE
        for one in np.unique(run[~known]):
            here = np.flatnonzero(~known & (run == one))
            ids = screened(self.store, self.runs.run_id[one])
            if ids is not None:
                known[here] = np.isin(self.norad_ids[encounter[here]], ids).all(axis=1)
        return known

    def warned(self, is_red: Mask) -> tuple[Places, FloatArray, FloatArray]:
        """Return the encounters (k,) with predictions (n,) that are red; when they became so, and settled.

        That is, in days before TCA, the first run that said so, and the first from which on all said the
        same, red or not, until the last.
        """
        red = (self.row != NONE) & is_red[self.row]
        some = np.flatnonzero(red.any(axis=1))
        red, lead = red[some], self.lead_days[some]
        knows = self.has_it[some]
        place, run = np.nonzero(knows)
        knows[place, run] = self.screened_both(some[place], run)
        every = np.arange(len(some))
        at_end = red[every, _last(knows)]
        changes = knows & (red != at_end[:, np.newaxis])
        settled = (knows & (np.arange(knows.shape[1]) > _last(changes)[:, np.newaxis])).argmax(axis=1)
        return some, lead[every, red.argmax(axis=1)], lead[every, settled]


def encounters(
    store: Path, runs: Runs, event: Places, run: Places, tca: Instants, norad_ids: npt.NDArray[np.int64]
) -> Encounters:
    """Return the encounters of predictions (n,) by event 0, 1, ..., then by run, of objects (n, 2), UTC.

    A run whose window begins or ends within SAME_ENCOUNTER of the TCA may have had it outside.
    """
    last = np.flatnonzero(np.diff(event, append=NONE))
    row = np.full((len(last), len(runs.run_id)), NONE)
    row[event, run] = np.arange(len(event))
    ends = tca[last, np.newaxis]
    lead = ends - runs.begins
    has_it = (lead >= SAME_ENCOUNTER) & (runs.ends > ends + SAME_ENCOUNTER) | (row != NONE)
    return Encounters(store, runs, norad_ids[last], last, row, lead / _DAY, has_it, _last(has_it))


def _last(true: Mask) -> Places:
    """Return the last place (e,) that is true in each row (e, r); NONE: none is."""
    last: Places = np.where(true, np.arange(true.shape[1]), NONE).max(axis=1)
    return last
