"""What burns make of an event, as rows of text: for the terminal and for the page."""

from typing import NamedTuple

import numpy as np

from api.answers.manoeuvre_answer import offers
from api.answers.manoeuvres import WhatIf
from screening.manoeuvre.cheapest import SufficientBurn
from screening.manoeuvre.rescreen import Change, probabilities_of
from screening.manoeuvre.search import LARGEST_M_S, Verified

BURN_COLUMNS = (
    "", "Before TCA, h", "Delta-v R/T/N, m/s", "Miss, m", "Probability", "Raised", "Sum of all", "a, m",
)  # fmt: skip
CHANGE_COLUMNS = ("Other", "TCA", "Miss before, m", "after, m", "Probability before", "after")


class ChangeRows(NamedTuple):
    """What burns change most, the most dangerous first, and how many changes there are in all."""

    rows: list[list[str]]
    in_all: int


def burn_rows(made: WhatIf) -> list[list[str]]:
    """Return a row of BURN_COLUMNS for the event as it is, and one for every burn."""
    rows = [_burn_row("as it is", made, None)]
    if made.verified is not None:
        rows.append(_burn_row("burn", made, made.verified))
    if made.found is not None:
        for number, one in enumerate(made.found.candidates, start=1):
            rows.append(_burn_row(f"best {number}" if one is made.found.best else str(number), made, one))
    return rows


def told_of(made: WhatIf) -> Verified | None:
    """Return the burns whose changes are shown: the requested ones, else the best found; None: no burn."""
    return made.verified or (made.found and made.found.best)


def none_found(made: WhatIf) -> str:
    """Say that a search found no burn; empty if it did, or nothing was searched."""
    if made.found is None or made.found.best is not None:
        return ""
    return (
        f"No burn along the track of up to {LARGEST_M_S:g} m/s brings the event {made.event.id} under "
        f"{made.goal:g} without raising another."
    )


def offered(made: WhatIf) -> list[str]:
    """Say which burns a search offers, the cheapest of all and the last in time; empty: no search."""
    if made.found is None:
        return []
    found = offers(made, made.found)
    latest = found.waiting[-1] if found.waiting else None
    named = (("Cheapest", found.cheapest), ("Last in time", latest))
    return [f"{name}: {one.words}" for name, one in named if one is not None]


def compared(made: WhatIf) -> list[str]:
    """Say what burns along the other axes would take; empty if nothing was searched."""
    if made.found is None:
        return []
    found = made.found
    said = [_compared("Radially", found.radial), _compared("Across the orbit", found.cross_track)]
    if found.steered is not None:
        dv = "/".join(f"{value:.4g}" for value in found.steered.dv_rtn_m_s)
        said.append(
            f"The cheapest in-track one, turned into the best direction ({dv} m/s R/T/N): "
            f"{_probability(found.steered.probability)}."
        )
    return said


def change_rows(made: WhatIf, one: Verified, most: int) -> ChangeRows:
    """Return at most this many rows of CHANGE_COLUMNS."""
    was, becomes = probabilities_of(made.before), probabilities_of(one.others)

    def largest(change: Change) -> float:
        first = was[change.before] if change.before >= 0 else 0.0
        larger = float(np.fmax(first, becomes[change.after] if change.after >= 0 else 0.0))
        return -1.0 if np.isnan(larger) else larger

    rows = []
    for change in sorted(one.changes, key=largest, reverse=True)[:most]:
        before = made.before[change.before] if change.before >= 0 else None
        after = one.others[change.after] if change.after >= 0 else None
        row = after if after is not None else before
        assert row is not None
        rows.append(
            [
                f"{made.name_of(other := row['secondary_norad_id'])} ({other})",
                f"{row['tca']}Z"[:19] + "Z",
                "" if before is None else f"{before['miss_distance_m']:,.0f}",
                "" if after is None else f"{after['miss_distance_m']:,.0f}",
                "" if before is None else _probability(was[change.before]),
                "" if after is None else _probability(becomes[change.after]),
            ]
        )
    return ChangeRows(rows, len(one.changes))


def _burn_row(name: str, made: WhatIf, one: Verified | None) -> list[str]:
    encounter = made.encounter if one is None else one.encounter
    hours, dv = "", ""
    if one is not None:
        tca = made.encounter["tca"][0]
        hours = ", ".join(f"{(tca - burn.at) / np.timedelta64(1, 'us') / 3.6e9:.2f}" for burn in one.burns)
        dv = ", ".join("/".join(f"{value:.4g}" for value in burn.dv_rtn_m_s) for burn in one.burns)
        if one.problem:
            return [name, hours, dv, one.problem, "", "", "", ""]
    miss, probability = "far", "0"
    if encounter is not None:
        miss = f"{encounter['miss_distance_m'][0]:,.0f}"
        probability = _probability(probabilities_of(encounter)[0])
    everything = made.before if one is None else one.others
    return [
        name,
        hours,
        dv,
        miss,
        probability,
        "" if one is None else str(len(one.raised(made.before, made.goal))),
        f"{np.nansum(probabilities_of(everything)):.2e}",
        "" if one is None else f"{one.axis_change_m:+,.0f}",
    ]


def _compared(direction: str, one: SufficientBurn | None) -> str:
    if one is None:
        return f"{direction} no burn of up to {LARGEST_M_S:g} m/s is sufficient."
    return f"{direction} it would take {one.size_m_s:.3g} m/s, {one.before_tca_s / 3600.0:.2f} h before TCA."


def _probability(value: float) -> str:
    return "" if np.isnan(value) else f"{value:.2e}"
