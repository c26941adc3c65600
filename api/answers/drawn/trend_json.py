"""How an event developed as it is sent: the names and order of its JSON."""

from datetime import timedelta

from api.answers.drawn.trend import Point, Trend
from api.answers.stored_events import StoredEvent
from screening.risk.tiers import PROBABILITY_LIMITS
from screening.vocabulary import RISK_LEVELS
from storage.times import naive_utc

Json = dict[str, object]

_AXES = ("radial", "in_track", "cross_track")


def trend_json(trend: Trend) -> Json:
    """Return what `api/models/trend.py` describes."""
    event = trend.event
    return {
        "id": event.id,
        "tca": event.tca,
        "primary_norad_id": event.primary.norad_id,
        "secondary_norad_id": event.secondary.norad_id,
        "limits": dict(zip(RISK_LEVELS, PROBABILITY_LIMITS, strict=False)),  # `low` has none
        "points": [_point(point, event) for point in trend.points],
        "restricted_messages": trend.left_out,
    }


def _point(point: Point, event: StoredEvent) -> Json:
    said, message = point.said.event, point.said.message
    tca = naive_utc(said.tca)
    ages = [None if side.on_ephemeris else age for side, age in zip(said.sides, said.ages_hours, strict=True)]
    return {
        "kind": "message" if message else said.origin,
        "run_id": None if message else said.run_id,
        "received_id": message and message["id"],
        "message_id": message and message["message_id"],
        "originator": message and (message["originator"] or None),
        "made": point.said.made,
        "hours_to_tca": (tca - point.said.made) / timedelta(hours=1),
        "tca": tca,
        "tca_shift_s": (tca - naive_utc(event.tca)).total_seconds(),
        "miss_distance_m": said.miss_distance_m,
        **{f"miss_{axis}_m": value for axis, value in zip(_AXES, point.miss_rtn_m.tolist(), strict=True)},
        **{f"sigma_{axis}_m": value for axis, value in zip(_AXES, point.sigma_rtn_m.tolist(), strict=True)},
        "miss_sigmas": point.miss_sigmas,
        "probability": said.decisive_probability,
        "probability_low": point.probability_low,
        "probability_high": point.probability_high,
        "band": point.band,
        "probability_mc": said.probability_mc,
        "probability_mc_low": said.probability_mc_low,
        "probability_mc_high": said.probability_mc_high,
        "probability_method": said.graded.method,
        "probability_level": said.levels[0],
        "near_level": said.levels[1] or None,
        "claimed_probability": message and message["claimed_probability"],
        "primary_age_hours": ages[0],
        "secondary_age_hours": ages[1],
        "risk_level": said.risk_level,
        "risk_basis": said.risk_basis,
        "probability_flag": said.probability_flag,
    }
