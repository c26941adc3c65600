"""Impulses: sudden changes of an object's velocity."""

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from screening.errors import InputError, UsageError
from screening.orbits.timegrid import FloatArray
from screening.risk.geometry.two_body import orbital_period_s
from screening.vocabulary import LARGEST_DV_M_S


class Impulse(NamedTuple):
    """A change of velocity at an instant."""

    at: np.datetime64  # UTC, M8[us]
    dv_rtn_m_s: tuple[float, float, float]  # radial, in-track, cross-track of the path just before it

    @property
    def size_m_s(self) -> float:
        """The size of the change, m/s."""
        return float(np.linalg.norm(self.dv_rtn_m_s))


def latest_s(state_teme_m: FloatArray) -> float:
    """Return how long before TCA, s, a burn must be at the latest: half a revolution, in which it acts.

    `state_teme_m` (6,): of the object at TCA, m and m/s. Infinite if its orbit is unbound.
    """
    return 0.5 * orbital_period_s(state_teme_m)


def file_name(norad_id: int, burns: Sequence[Impulse]) -> str:
    """Return a name for files of an object's burns, without an ending: 25544_burn_20241101T1215Z_0.12mps.

    The time is the first burn's; the size is that of all, negative for one burn straight against the flight.
    """
    first = min(one.at for one in burns)
    at = str(np.datetime_as_string(first, unit="m")).replace("-", "").replace(":", "")
    size_m_s = sum(one.size_m_s for one in burns)
    if len(burns) == 1 and burns[0].dv_rtn_m_s[1] == -size_m_s:
        size_m_s = -size_m_s
    dv = np.format_float_positional(float(f"{size_m_s:.4g}"), trim="-")
    return f"{norad_id}_{'burn' if len(burns) == 1 else f'{len(burns)}_burns'}_{at}Z_{dv}mps"


def checked(impulses: Sequence[Impulse]) -> list[Impulse]:
    """Return impulses in order of time, without those of size 0.

    Raises InputError if one is not a number or larger than LARGEST_DV_M_S, or two are at the same instant.
    """
    ordered = sorted(impulses, key=lambda one: one.at)
    for one in ordered:
        if np.isnat(one.at) or not np.isfinite(one.dv_rtn_m_s).all():
            raise InputError("A burn needs an instant and three finite components of its delta-v, in m/s.")
        if one.size_m_s > LARGEST_DV_M_S:
            raise InputError(
                f"A burn of {one.size_m_s:,.6g} m/s is too large: at most {LARGEST_DV_M_S:g} m/s is allowed."
            )
    burns = [one for one in ordered if one.size_m_s > 0.0]
    for first, second in pairwise(burns):
        if first.at == second.at:
            raise InputError(f"Two burns are at {first.at}Z; give one with the sum of the two.")
    return burns


def when_and_parts(text: str) -> tuple[str, tuple[float, float, float]]:
    """Return when, as it is written, and the delta-v along R, T and N in m/s, of a burn `WHEN,R,T,N`.

    Raises UsageError.
    """
    when, *parts = (part.strip() for part in text.split(","))
    try:
        r, t, n = map(float, parts)
    except ValueError:
        raise UsageError(
            f"The burn {text!r}: expected WHEN,R,T,N, such as 2026-01-01T03:00:00Z,0,0.05,0 (m/s)."
        ) from None
    return when, (r, t, n)


def kilometres(dv_rtn_m_s: Sequence[float]) -> FloatArray:
    """Return a change of velocity (3,) in km/s."""
    return np.array(dv_rtn_m_s, float) / 1000.0
