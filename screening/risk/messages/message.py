"""A conjunction data message as a record, in metres and seconds."""

from typing import NamedTuple

import numpy as np

from screening.orbits.timegrid import FloatArray
from screening.vocabulary import Manoeuvrable


class MessageObject(NamedTuple):
    """One of the two objects, at TCA."""

    designator: str  # as written, such as "000020580"
    catalog_name: str
    name: str
    international_designator: str
    frame: str  # EME2000, GCRF or ITRF; empty without a state
    r_m: FloatArray  # (3,)
    v_m_s: FloatArray  # (3,)
    covariance_rtn: FloatArray | None  # (6, 6), or (3, 3) without velocities; m, s, own RTN
    covariance_line: int  # line of the text where it begins
    covariance_method: str
    ephemeris_name: str
    drag_error_rtn: FloatArray  # (6,) from one sigma of air density; m, s, own RTN; NaN: not given
    hard_body_radius_m: float  # NaN: not given for the object
    manoeuvrable: Manoeuvrable | None  # None: not given, or N/A


class Remark(NamedTuple):
    """A contradiction in a message."""

    line: int
    keyword: str
    text: str

    @property
    def told(self) -> str:
        """The remark as printed."""
        return f"line {self.line}, {self.keyword}: {self.text}"


class ConjunctionMessage(NamedTuple):
    """A conjunction as announced in a message. NaN, NaT and empty texts mean "not given".

    A summary (Space-Track's `cdm_public`) has no states.
    """

    version: str
    message_id: str
    originator: str
    creation_date: np.datetime64  # UTC, M8[us]
    tca: np.datetime64  # UTC, M8[us]
    primary: MessageObject
    secondary: MessageObject
    hard_body_radius_m: float  # combined
    hard_body_source: str  # of radii.SOURCES
    # As claimed: secondary minus primary in the primary's RTN.
    miss_distance_m: float
    relative_speed_m_s: float
    relative_position_rtn_m: FloatArray  # (3,)
    relative_velocity_rtn_m_s: FloatArray  # (3,)
    probability: float
    probability_method: str
    lines: dict[str, int]  # lines of the header's keywords, for remarks
    notes: list[Remark]  # found while reading

    @property
    def has_states(self) -> bool:
        """Whether the message has states, so that something can be computed."""
        return bool(self.primary.frame)
