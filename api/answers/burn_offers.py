"""What a search offers to whoever must decide when to burn: the cheapest, and what waiting costs."""

from typing import TYPE_CHECKING, Literal

import numpy as np

from api.answers.manoeuvres import WhatIf
from api.models.manoeuvres import BurnOffer, Offers
from storage.rows.words.numbers import distance, instant, number, probability, significant
from storage.times import time_text, utc_datetime

if TYPE_CHECKING:
    from screening.manoeuvre.search import Found


def offers(made: WhatIf, found: "Found") -> Offers:
    """Return what a search offers."""
    waiting: list[BurnOffer] = []
    smallest_m_s = np.inf
    for one in found.by_time:  # the latest first
        if one.size_m_s < smallest_m_s:
            smallest_m_s = one.size_m_s
            waiting.append(
                _offer(made, one.before_tca_s, one.dv_rtn_m_s[1], (one.miss_distance_m, one.probability))
            )
    return Offers(cheapest=_cheapest(made, found), waiting=waiting[::-1])


def _cheapest(made: WhatIf, found: "Found") -> BurnOffer | None:
    from screening.manoeuvre.rescreen import probabilities_of

    best = found.best
    if best is None:
        return None
    (burn,) = best.burns
    before_s = float((made.encounter["tca"][0] - burn.at) / np.timedelta64(1, "us")) / 1e6
    left: tuple[float | None, float] = None, 0.0
    if best.encounter is not None:
        left = float(best.encounter["miss_distance_m"][0]), float(probabilities_of(best.encounter)[0])
    return _offer(made, before_s, burn.dv_rtn_m_s[1], left, screened=True)


def _offer(
    made: WhatIf,
    before_s: float,
    dv_t_m_s: float,
    left: tuple[float | None, float],
    *,
    screened: bool = False,
) -> BurnOffer:
    """Return an offer; `left` are miss, m (None: they no longer meet), and probability after it."""
    at = utc_datetime(made.encounter["tca"][0] - np.timedelta64(round(before_s * 1e6), "us"))
    direction: Literal["along flight", "against flight"] = (
        "along flight" if dv_t_m_s > 0 else "against flight"
    )
    miss_m, chance = left
    after = (
        "Then they no longer meet."
        if miss_m is None
        else f"Then the miss is {distance(miss_m)}, the probability {probability(chance)}."
    )
    words = (
        f"{instant(at)} UTC, {number(before_s / 3600.0)} h before TCA: {significant(abs(dv_t_m_s))} m/s "
        f"{direction}. {after} The fuel that it takes is not known."
    )
    return BurnOffer(
        time_text(at), before_s / 3600.0, dv_t_m_s, direction, miss_m, chance, screened, words
    )  # fmt: skip
