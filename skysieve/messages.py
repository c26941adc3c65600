"""Conjunction data messages as records."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, fields
from datetime import datetime
from os import PathLike
from pathlib import Path

import numpy as np

from flows.files.score_messages import bytes_of
from screening.errors import InputError
from screening.orbits.timegrid import FloatArray
from screening.risk.messages.encounter import encounter, remarks
from screening.risk.messages.errors import errors_of
from screening.risk.messages.message import ConjunctionMessage
from screening.risk.messages.message import MessageObject as ReadObject
from screening.risk.messages.read import each_message
from screening.vocabulary import Manoeuvrable
from storage.times import time_text, utc_datetime

# Sigmas are no less than a ten-thousandth of the radius.
_ANY_RADIUS_M = 10.0

Vector = tuple[float, ...]
Matrix = tuple[Vector, ...]


@dataclass(frozen=True)
class MessageObject:
    """One of the two objects of a message, at TCA. None, and an empty text, mean "not given"."""

    designator: str  # as written, such as "000020580"
    catalog_name: str
    name: str
    international_designator: str
    frame: str  # of the state: EME2000, GCRF or ITRF
    position_m: Vector | None
    velocity_m_s: Vector | None
    covariance_rtn: Matrix | None  # 6 by 6, or 3 by 3 without velocities; m and s, in the object's own RTN
    covariance_method: str
    drag_error_rtn: Vector | None  # 6, from one sigma of air density; m and s, in the same axes
    hard_body_radius_m: float | None
    manoeuvrable: Manoeuvrable | None  # yes, no


@dataclass(frozen=True)
class Message:
    """A conjunction as announced in a message (CCSDS 508.0-B). None, and an empty text, mean "not given".

    Distances, speeds and the probability are as the message claims them; `remarks` say where its own states
    and covariances contradict them. A summary (Space-Track's `cdm_public`) has no states.
    """

    version: str
    message_id: str
    originator: str
    creation_date: datetime | None  # UTC
    tca: datetime  # UTC
    primary: MessageObject
    secondary: MessageObject
    hard_body_radius_m: float | None  # combined
    hard_body_source: str  # combined, operator, object, exclusion_volume
    miss_distance_m: float | None
    relative_speed_m_s: float | None
    relative_position_rtn_m: Vector | None  # secondary minus primary, in the primary's RTN
    relative_velocity_rtn_m_s: Vector | None
    probability: float | None
    probability_method: str
    remarks: tuple[str, ...]
    _read: ConjunctionMessage = field(repr=False, compare=False)

    def encounter_plane(self, *, shared_drag: bool = True) -> tuple[FloatArray, FloatArray]:
        """Return the miss (2,) in m and its covariance (2, 2) in m2, as `collision_probability` takes them.

        They are in the plane normal to the relative velocity, along the axes of the covariance. As for
        `skysieve score`, slightly indefinite covariances are repaired, and the errors that both objects share
        through the density of the air are correlated, if the message gives them; with `shared_drag=False`
        they are independent, as most senders take them.

        >>> import skysieve
        >>> message = skysieve.read_message("message.cdm")
        >>> probability = skysieve.collision_probability(*message.encounter_plane(), radius_m=7.0)
        >>> f"{probability:.1e}"
        '0.0e+00'

        Raises:
            InputError: the message has no states, or not both covariances, or these are not covariances.
        """
        return _plane(self._read, shared_drag=shared_drag)

    def to_dict(self) -> dict[str, object]:
        """Return it as JSON has it: texts, numbers, lists, dictionaries and None; times in ISO 8601, UTC."""
        return {
            each.name: _plain(getattr(self, each.name))
            for each in fields(self)
            if not each.name.startswith("_")
        }


def read_message(path: "str | PathLike[str]") -> Message:
    """Read the conjunction data message in a file: KVN, XML or JSON, also compressed with gzip.

    >>> import skysieve
    >>> message = skysieve.read_message("message.cdm")
    >>> message.tca.isoformat(), message.miss_distance_m
    ('2024-11-02T03:04:05.678000+00:00', 1000.0)

    Raises:
        InputError: the file cannot be read, or holds more than one message.
        UnreadableMessage: it holds none that can be read; an InputError with `line` and `keyword`.
    """
    found = list(_messages(path, at_most=2))
    if len(found) > 1:
        raise InputError(f"{Path(path)} holds more than one message: read_messages reads them all.")
    return found[0]


def read_messages(path: "str | PathLike[str]") -> list[Message]:
    """Read all conjunction data messages in a file, as `read_message` reads one.

    Raises what `read_message` raises, for the first message that cannot be read.
    """
    return list(_messages(path))


def _messages(path: "str | PathLike[str]", at_most: int | None = None) -> Iterator[Message]:
    file = Path(path).expanduser()
    for number, message in enumerate(each_message(bytes_of(file), source_name=str(path)), 1):
        if not isinstance(message, ConjunctionMessage):
            raise message
        yield _public(message)
        if number == at_most:
            return


def _public(message: ConjunctionMessage) -> Message:
    told = remarks(message, encounter(message)) if message.has_states else message.notes
    tca = _time(message.tca)
    assert tca is not None, "a message without TCA is not read"
    return Message(
        version=message.version,
        message_id=message.message_id,
        originator=message.originator,
        creation_date=_time(message.creation_date),
        tca=tca,
        primary=_object(message.primary),
        secondary=_object(message.secondary),
        hard_body_radius_m=_number(message.hard_body_radius_m),
        hard_body_source=message.hard_body_source,
        miss_distance_m=_number(message.miss_distance_m),
        relative_speed_m_s=_number(message.relative_speed_m_s),
        relative_position_rtn_m=_vector(message.relative_position_rtn_m),
        relative_velocity_rtn_m_s=_vector(message.relative_velocity_rtn_m_s),
        probability=_number(message.probability),
        probability_method=message.probability_method,
        remarks=tuple(remark.told for remark in told),
        _read=message,
    )


def _plane(message: ConjunctionMessage, *, shared_drag: bool) -> tuple[FloatArray, FloatArray]:
    named = f"message {message.message_id}".rstrip()
    if not message.has_states:
        raise InputError(f"The {named} has no states, so there is no encounter plane.")
    radius_m = message.hard_body_radius_m
    errors = errors_of(message, encounter(message), _ANY_RADIUS_M if np.isnan(radius_m) else radius_m)
    if errors.missing:
        whose = "either object" if errors.missing == "both" else f"the {errors.missing} object"
        raise InputError(
            f"The {named} has no covariance of {whose}: `skysieve score` bounds its probability."
        )
    plane = errors.plane if shared_drag else errors.independent
    if not plane.positive_definite[0]:
        raise InputError(f"The covariances of the {named} are not positive definite in the encounter plane.")
    miss_m = np.array([plane.miss_major_m[0], plane.miss_minor_m[0]])
    return miss_m, np.diag([plane.sigma_major_m[0] ** 2, plane.sigma_minor_m[0] ** 2])


def _object(each: ReadObject) -> MessageObject:
    covariance = each.covariance_rtn
    return MessageObject(
        designator=each.designator,
        catalog_name=each.catalog_name,
        name=each.name,
        international_designator=each.international_designator,
        frame=each.frame,
        position_m=_vector(each.r_m),
        velocity_m_s=_vector(each.v_m_s),
        covariance_rtn=None if covariance is None else tuple(map(tuple, covariance.tolist())),
        covariance_method=each.covariance_method,
        drag_error_rtn=_vector(each.drag_error_rtn),
        hard_body_radius_m=_number(each.hard_body_radius_m),
        manoeuvrable=each.manoeuvrable,
    )


def _number(value: float) -> float | None:
    return None if np.isnan(value) else float(value)


def _vector(values: FloatArray) -> Vector | None:
    """Return a vector; None if a component is not given."""
    return None if np.isnan(values).any() else tuple(values.tolist())


def _time(instant: np.datetime64) -> datetime | None:
    return None if np.isnat(instant) else utc_datetime(instant)


def _plain(value: object) -> object:
    if isinstance(value, datetime):
        return time_text(value)
    if isinstance(value, MessageObject):
        return {each.name: _plain(getattr(value, each.name)) for each in fields(value)}
    if isinstance(value, Iterable) and not isinstance(value, str):
        return [_plain(one) for one in value]
    return value
