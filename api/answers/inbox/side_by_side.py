"""The same encounter as each sender and our own runs tell it, in one table, and which of them to trust."""

from collections.abc import Mapping, Sequence
from datetime import timedelta
from math import isnan
from pathlib import Path
from typing import Any, NamedTuple

from api.answers.event_messages import when_made
from api.answers.stored_events import StoredEvent, StoredSide, told_by, typed
from api.models.messages import SideBySide, SideRow
from screening.risk.geometry.apart import RARE_SIGMAS, Prediction, miss_sigma_m, sigmas_apart
from screening.risk.messages.message import ConjunctionMessage
from screening.risk.messages.read import each_message
from storage.in_memory.seen_from import NotOfTheEvent, seen_from
from storage.messages.apart import prediction
from storage.messages.as_events import as_events
from storage.messages.kept import text_of
from storage.rows.graded import graded
from storage.rows.words.event import name_of
from storage.rows.words.trust import Claim, which_to_trust

OURS = "skysieve"
_MEASURED = ("trajectory", "cdm")  # sources of covariances; the others are laws of element sets
_BY_A_TABLE = "DEFAULT"  # COVARIANCE_METHOD of the standard
_NO_EPHEMERIS = ("", "NONE", "UNKNOWN", "N/A")


class _Told(NamedTuple):
    """One prediction, and what is known of its origin."""

    claim: Claim
    message_id: str | None
    event: StoredEvent
    miss_m: float | None
    probability: float | None
    has_covariances: bool


def side_by_side(
    store: Path, told: Sequence[dict[str, Any]], event: StoredEvent | None, first: int
) -> SideBySide | None:
    """Return ours and the newest message of each sender, compared with each other; None: no message.

    `told`, `event` and `first` as for `compared`.
    """
    newest = {one["originator"] or one["source"]: one for one in told}  # oldest first: the last one stays
    rows = as_events(store, [one["id"] for one in newest.values()])
    theirs = [_theirs(store, who, one, rows.get(one["id"], {}), first) for who, one in newest.items()]
    found = sorted(filter(None, theirs), key=lambda one: one.claim.made_at, reverse=True)
    if not found:
        return None
    everything = ([] if event is None else [_ours(event)]) + found
    predictions = [prediction(one.event.row) for one in everything]
    apart = [
        [_apart(everything, predictions, i, k) for k in range(len(found) + (event is not None))]
        for i in range(len(everything))
    ]
    latest = max(one.claim.made_at for one in everything)
    made = [
        SideRow(
            who=one.claim.who,
            message_id=one.message_id,
            made_at=one.claim.made_at,
            newest=one.claim.made_at == latest,
            tca=one.event.tca,
            miss_distance_m=one.miss_m,
            probability=one.probability,
            miss_sigma_m=_or_none(miss_sigma_m(predictions[i])),
            covariance="none" if not one.has_covariances else "measured" if one.claim.measured else "law",
            on_ephemerides_of=list(one.claim.on_ephemerides_of),
            sigmas_apart=apart[i],
        )
        for i, one in enumerate(everything)
    ]
    return SideBySide(rows=made, words=_words(everything, apart))


def _ours(event: StoredEvent) -> _Told:
    measured = all(side.covariance_source in _MEASURED for side in event.sides)
    of = tuple(_name(event, side) for side in event.sides if side.on_ephemeris)
    claim = Claim(OURS, event.computed_at, measured, of)
    return _Told(claim, None, event, event.miss_distance_m, event.graded.probability, _has_covariances(event))


def _theirs(
    store: Path, who: str, message: dict[str, Any], row: Mapping[str, Any], first: int
) -> _Told | None:
    try:
        event = typed(seen_from(told_by(message, row), first))
    except NotOfTheEvent:  # a number of its own for the same object
        return None
    read = next(iter(each_message(text_of(store, message["id"]))))
    assert isinstance(read, ConjunctionMessage), "only readable messages are stored"
    objects = (read.primary, read.secondary)
    has = _has_covariances(event)
    measured = has and all(one.covariance_method.upper() != _BY_A_TABLE for one in objects)
    of = tuple(
        one.name or one.designator for one in objects if one.ephemeris_name.upper() not in _NO_EPHEMERIS
    )
    probability = graded(message).probability
    return _Told(
        Claim(who, when_made(message), measured, of),
        message["id"],
        event,
        message["miss_distance_m"],
        message["claimed_probability"] if probability is None else probability,
        has,
    )


def _has_covariances(event: StoredEvent) -> bool:
    return all(None not in (side.sigma_r_m, side.x_km) for side in event.sides)


def _name(event: StoredEvent, side: StoredSide) -> str:
    return name_of(event.row, "primary" if side is event.primary else "secondary")


def _apart(told: Sequence[_Told], predictions: Sequence[Prediction], i: int, k: int) -> float | None:
    if i == k:
        return None
    first, second = min(i, k), max(i, k)  # the same number both ways
    later_s = (told[second].event.tca - told[first].event.tca) / timedelta(seconds=1)
    return _or_none(sigmas_apart(predictions[first], predictions[second], later_s))


def _or_none(value: float) -> float | None:
    return None if isnan(value) else value


def _words(told: Sequence[_Told], apart: Sequence[Sequence[float | None]]) -> str:
    """Return which to trust, and whether two that have covariances contradict each other."""
    sentence = which_to_trust([one.claim for one in told])
    pairs = ((value, i, k) for i, row in enumerate(apart) for k, value in enumerate(row[:i]))
    worst = max(((value, i, k) for value, i, k in pairs if value is not None), default=None)
    if worst is None or worst[0] <= RARE_SIGMAS:
        return sentence
    sigmas, i, k = worst
    return (
        f"{sentence} {told[k].claim.who} and {told[i].claim.who} are {sigmas:.1f} sigmas apart: an orbit or "
        "a covariance of at least one of them is wrong."
    )
