"""Burns as HTTP asks about them, and what they change and a search offers, as sent."""

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

import numpy as np

from api.answers.manoeuvres import Asked, Before, WhatIf
from api.models.manoeuvres import (
    Burn,
    BurnOffer,
    BurnsResult,
    BurnTerms,
    ComparedBurn,
    ComputedBurn,
    ComputedEncounter,
    EncounterChange,
    Offers,
    SearchResult,
    TradeSpace,
    WhatIfResult,
)
from screening.vocabulary import PROBABILITY_LEVELS, PROBABILITY_METHODS, RISK_LEVELS
from storage.rows.words.numbers import distance, instant, number, probability, significant
from storage.times import datetime64_us, time_text, utc_datetime

if TYPE_CHECKING:
    from screening.manoeuvre.cheapest import SufficientBurn
    from screening.manoeuvre.search import Found, Verified
    from screening.risk.conjunctions import ConjunctionArray

_METRES = (
    *("miss_distance_m", "miss_radial_m", "miss_in_track_m", "miss_cross_track_m"), "relative_speed_m_s"
)  # fmt: skip


def asked_of(event_id: int, terms: BurnTerms, burns: Sequence[Burn]) -> Asked:
    """Return what is asked about an event; without burns, a search."""
    from screening.manoeuvre.execution import Execution  # numba, which an idle service does not need
    from screening.manoeuvre.impulse import Impulse

    given = [
        Impulse(datetime64_us(one.at), one.dv_rtn_m_s)
        if "at" in one.model_fields_set
        else Before(one.before_hours, one.dv_rtn_m_s)
        for one in burns
    ]
    execution = Execution(terms.size_error, math.radians(terms.direction_error_deg))
    return Asked(event_id, terms.object, given, terms.goal, terms.days, terms.threshold_km, execution)


def what_if_answer(made: WhatIf) -> WhatIfResult:
    """Return a what-if as it is sent."""
    return WhatIfResult(
        event_id=made.event.id,
        object=made.who,
        norad_id=made.side.norad_id,
        name=made.side.name,
        goal=made.goal,
        threshold_km=made.threshold_km,
        window_start=time_text(made.window_start),
        window_end=time_text(made.window_end),
        rests_on=made.rests_on,
        encounter=computed_encounter(made, made.encounter, 0),
        probability_sum=_sum(made.before),
        burns=None if made.verified is None else _verified(made, made.verified),
        search=None if made.found is None else _found(made, made.found),
    )


def offers(made: WhatIf, found: "Found") -> Offers:
    """Return what a search offers: burns that have half a revolution to act, and others only without them.

    The cheapest, the last and the smallest are screened.
    """
    from screening.manoeuvre.search import instant_before

    # At one instant several sizes are screened.
    known_of = {(one.burns[0].at, one.burns[0].dv_rtn_m_s): one for one in found.candidates}
    waiting: list[BurnOffer] = []
    smallest_m_s = np.inf
    in_time = [one for one in found.by_time if one.before_tca_s >= found.latest_s]
    for one in in_time or found.by_time:  # the latest first
        if one.size_m_s < smallest_m_s:
            smallest_m_s = one.size_m_s
            at = instant_before(made.encounter["tca"][0], one.before_tca_s)
            known = known_of.get((at, one.dv_rtn_m_s))
            left = one.miss_distance_m, one.probability
            waiting.append(
                _screened_offer(made, known)
                if known is not None and not known.problem
                else _offer(made, one.before_tca_s, one.dv_rtn_m_s[1], left)
            )
    cheapest = None if found.best is None else _screened_offer(made, found.best)
    return Offers(cheapest=cheapest, waiting=waiting[::-1])


def _screened_offer(made: WhatIf, one: "Verified") -> BurnOffer:
    from screening.manoeuvre.rescreen import probabilities_of

    (burn,) = one.burns
    before_s = float((made.encounter["tca"][0] - burn.at) / np.timedelta64(1, "us")) / 1e6
    left: tuple[float | None, float] = None, 0.0
    if one.encounter is not None:
        left = float(one.encounter["miss_distance_m"][0]), float(probabilities_of(one.encounter)[0])
    return _offer(made, before_s, burn.dv_rtn_m_s[1], left, len(one.raised(made.before, made.goal)))


def _offer(
    made: WhatIf,
    before_s: float,
    dv_t_m_s: float,
    left: tuple[float | None, float],
    raised: int | None = None,
) -> BurnOffer:
    """Return an offer.

    `left` are miss, m (None: they no longer meet), and probability after it; `raised` counts other
    encounters that it brings to the goal or above, None: it is not screened.
    """
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
    if raised is None:
        screens = "Not yet screened against other objects: it may raise another encounter."
    else:
        others = f"{raised} other encounter{'' if raised == 1 else 's'}" if raised else "no other encounter"
        screens = f"Screened against all other objects: it raises {others}."
    words = (
        f"Burn at {instant(at)} UTC, {number(before_s / 3600.0)} h before TCA: "
        f"{significant(abs(dv_t_m_s))} m/s {direction}. {after} {screens}"
    )
    return BurnOffer(
        time_text(at), before_s / 3600.0, dv_t_m_s, direction, miss_m, chance, raised, words
    )  # fmt: skip


def _found(made: WhatIf, found: "Found") -> SearchResult:
    space, tca = found.space, made.encounter["tca"][0]
    return SearchResult(
        best=None if found.best is None else found.candidates.index(found.best),
        candidates=[_verified(made, one) for one in found.candidates],
        candidate_miss_m=np.round(found.candidate_miss_m, 1),
        radial=_cheap(found.radial),
        cross_track=_cheap(found.cross_track),
        steered=_cheap(found.steered),
        offers=offers(made, found),
        trade_space=TradeSpace(
            before_tca_hours=space.before_tca_s / 3600.0,
            at=[_time(tca - np.timedelta64(round(before_s * 1e6), "us")) for before_s in space.before_tca_s],
            dv_t_m_s=space.dv_rtn_m_s[0, :, 1],
            miss_distance_m=space.miss_distance_m,
            miss_x_m=np.round(space.miss_plane_m[:, :, 0], 1),
            miss_y_m=np.round(space.miss_plane_m[:, :, 1], 1),
            probability=space.probability,
            revolution_hours=found.period_s / 3600.0,
        ),
    )


def _cheap(one: "SufficientBurn | None") -> ComparedBurn | None:
    if one is None:
        return None
    return ComparedBurn(
        one.before_tca_s / 3600.0, one.size_m_s, *one.dv_rtn_m_s, one.miss_distance_m, one.probability
    )


def _verified(made: WhatIf, one: "Verified") -> BurnsResult:
    from screening.manoeuvre.impulse import file_name

    tca = made.encounter["tca"][0]
    return BurnsResult(
        burns=[
            ComputedBurn(
                _time(burn.at), float((tca - burn.at) / np.timedelta64(1, "us")) / 3.6e9, *burn.dv_rtn_m_s
            )
            for burn in one.burns
        ],
        dv_m_s=sum(burn.size_m_s for burn in one.burns),
        semi_major_axis_change_m=one.axis_change_m,
        problem=one.problem or None,
        encounter=None if one.encounter is None else computed_encounter(made, one.encounter, 0),
        probability_sum=None if one.problem else _sum(one.others),
        raised=len(one.raised(made.before, made.goal)),
        changes=[
            EncounterChange(
                before=None if change.before < 0 else computed_encounter(made, made.before, change.before),
                after=None if change.after < 0 else computed_encounter(made, one.others, change.after),
            )
            for change in one.changes
        ],
        file_name=file_name(made.side.norad_id, one.burns) if one.burns else str(made.side.norad_id),
    )


def computed_encounter(made: WhatIf, rows: "ConjunctionArray", index: int) -> ComputedEncounter:
    """Return an encounter out of rows (n,) of a what-if as it is sent."""
    from screening.manoeuvre.rescreen import probabilities_of
    from screening.risk.conjunctions import NO_CODE

    row = rows[index]
    method = row["probability_method"]
    return ComputedEncounter(
        other_norad_id=(other := int(row["secondary_norad_id"])),
        other_name=made.name_of(other),
        tca=_time(row["tca"]),
        **{name: float(row[name]) for name in _METRES},
        probability=float(probabilities_of(rows[[index]])[0]),
        probability_method=None if method == NO_CODE else PROBABILITY_METHODS[method],
        probability_level=PROBABILITY_LEVELS[row["probability_level"]],
        risk_level=RISK_LEVELS[row["risk_level"]],
    )


def _sum(rows: "ConjunctionArray") -> float:
    from screening.manoeuvre.rescreen import probabilities_of

    return float(np.nansum(probabilities_of(rows)))


def _time(instant: np.datetime64) -> str:
    return time_text(utc_datetime(instant))
