"""Events to decide about: when each is, how probable a collision is, and how sure that is."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from api.answers.drawn.trend import METRES_PER_KM, PARTS
from screening.orbits.timegrid import FloatArray
from screening.risk.views.trend import Seen, certainty
from screening.vocabulary import PROBABILITY_LEVELS
from storage.rows.danger import PROBABILITIES, UNKNOWN_STANDS_AT, decisive_probability, level_codes
from storage.times import datetime64_us

Tails = Mapping[int, tuple[Sequence[float], Sequence[float]]]  # by event: hours to TCA and probability then

_HOUR_US = 3.6e9

NEEDED = (
    *("event_id", "tca", "primary_norad_id", "secondary_norad_id", "primary_name", "secondary_name"),
    *(*PROBABILITIES, "probability_level", "probability_method", "hard_body_radius_m"),
    *(f"{who}_{name}" for who in ("primary", "secondary") for part in PARTS for name in part),
)


LOWEST = 1e-10  # of probabilities that are drawn: nobody decides on less


class Decision(NamedTuple):
    """Events (n,), the most dangerous first; NaN for a probability that is not known."""

    event_id: npt.NDArray[np.int64]
    names: Sequence[str]  # of both objects
    hours_to_tca: FloatArray
    probability: FloatArray
    low: FloatArray  # the least probability with all sigmas times 1/2 to 2; NaN: not of the plane
    high: FloatArray  # the largest
    levels: Sequence[str]
    left_out: int  # events that are less dangerous, and any below LOWEST


def decision(events: pa.Table, at: datetime, most: int) -> Decision:
    """Return the most dangerous of events (n,), rows with the columns NEEDED, with a TCA from `at` on."""
    hours = (
        (events["tca"].to_numpy().astype("M8[us]") - datetime64_us(at)) / np.timedelta64(1, "us") / _HOUR_US
    )
    probability = decisive_probability(*(_numbers(events, name) for name in PROBABILITIES))
    ahead = np.flatnonzero(hours >= 0.0)
    stands_at = np.where(np.isnan(probability), UNKNOWN_STANDS_AT, probability)[ahead]
    order = np.argsort(-stands_at, kind="stable")[:most]
    kept = ahead[order[stands_at[order] >= LOWEST]]
    events, probability = events.take(pa.array(kept)), probability[kept]
    low, high = _bands(events, probability)
    codes = level_codes(events["probability_level"].cast(pa.string()).to_pylist(), probability)
    return Decision(
        event_id=events["event_id"].to_numpy(),
        names=_names(events),
        hours_to_tca=hours[kept],
        probability=probability,
        low=low,
        high=high,
        levels=[PROBABILITY_LEVELS[code] for code in codes],
        left_out=len(ahead) - len(kept),
    )


def _numbers(events: pa.Table, name: str) -> FloatArray:
    values: FloatArray = events[name].cast(pa.float64()).to_numpy()
    return values


def _names(events: pa.Table) -> list[str]:
    sides: list[list[str]] = [
        [(name or "").strip() or str(number) for name, number in zip(names, numbers, strict=True)]
        for names, numbers in (
            (events[f"{who}_name"].to_pylist(), events[f"{who}_norad_id"].to_pylist())
            for who in ("primary", "secondary")
        )
    ]
    return [f"{first}, {second}" for first, second in zip(*sides, strict=True)]


def _bands(events: pa.Table, probability: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return the ends of the band (n,) of each probability, as a trend has them."""
    if not len(events):
        return probability, probability
    columns = {
        (who, part): np.stack([_numbers(events, f"{who}_{name}") for name in names], axis=1)
        for who in ("primary", "secondary")
        for part, names in enumerate(PARTS)
    }
    in_plane = pc.fill_null(pc.equal(events["probability_method"].cast(pa.string()), "2d"), fill_value=True)
    known = np.isfinite(_numbers(events, "probability_2d")) & in_plane.to_numpy().astype(bool)
    radius_m = np.where(known, _numbers(events, "hard_body_radius_m"), np.nan)
    found = certainty(
        Seen(
            columns["primary", 0] * METRES_PER_KM,
            columns["secondary", 0] * METRES_PER_KM,
            columns["primary", 1],
            columns["secondary", 1],
            np.nan_to_num(columns["primary", 2]),
            np.nan_to_num(columns["secondary", 2]),
            radius_m,
        )
    )
    there = np.isfinite(found.probability_high)
    low, high = (
        np.where(there, ends(probability, of_band), np.nan)
        for ends, of_band in ((np.fmin, found.probability_low), (np.fmax, found.probability_high))
    )
    return low, high
