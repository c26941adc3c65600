"""What changed from one run to another: the one rule for overview, fleets and feeds.

Alerts use only `would_find`, for absence: what is new to a receiver is decided in `flows/alerts/changes.py`.

What a run does not have is gone, or new in the next one, only if the run would have found it. A level is that
by the probability; one that becomes unknown has not eased.
"""

from typing import Any, NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt

from screening.risk.tiers import UNKNOWN

Ids = npt.NDArray[np.int64]
Mask = npt.NDArray[np.bool_]
Instants = npt.NDArray[np.datetime64]
OneOrMany = TypeVar("OneOrMany", bool, Mask)
OF_NEWEST = ("new", "first_looked_for", "raised", "eased")  # events of the newer run
OF_BEFORE = ("gone", "not_looked_for")  # of the earlier one


class Side(NamedTuple):
    """The events of one run (n,), each once, against what the other run has searched."""

    event_id: Ids
    level: npt.NDArray[np.int8]  # place in PROBABILITY_LEVELS
    other_finds: Mask  # the other run would have found it
    ahead: Mask  # it had not passed when the search of the other run began


class Compared(NamedTuple):
    """Masks of the events of the newer run (n,), then of the earlier one (m,)."""

    new: Mask  # the run before would have found them
    first_looked_for: Mask  # nor had the run before these, but it could not find them
    raised: Mask
    eased: Mask
    gone: Mask  # (m,) the newer run would have found them
    not_looked_for: Mask  # (m,) nor has the newer run these, but it could not find them
    level_before: npt.NDArray[np.int8]  # (n,) -1: the run before had it not


def compare(before: Side, now: Side) -> Compared:
    """Return what changed from one run to a newer one."""
    both = np.intersect1d(now.event_id, before.event_id, assume_unique=True, return_indices=True)
    at_now, at_then = both[1:]
    is_new, is_lost = np.ones(len(now.event_id), np.bool_), before.ahead.copy()
    is_new[at_now] = is_lost[at_then] = False
    was = np.full(len(now.event_id), -1, np.int8)
    was[at_now] = before.level[at_then]
    return Compared(
        new=is_new & now.other_finds,
        first_looked_for=is_new & ~now.other_finds,
        raised=now.level < was,
        eased=~is_new & (now.level > was) & (now.level != UNKNOWN),
        gone=is_lost & before.other_finds,
        not_looked_for=is_lost & ~before.other_finds,
        level_before=was,
    )


def would_find(
    begins: Any, ends: Any, since: Any, until: Any, *, screened: OneOrMany, near: OneOrMany
) -> OneOrMany:
    """Return whether a run would have found an encounter, or which of several (n,). Times are of one kind.

    Args:
        begins: TCA, or when a visit comes inside the threshold.
        ends: TCA, or when it leaves.
        since: what had passed by then is no longer searched for.
        until: end of what the run has searched, exclusive.
        screened: the run has screened both objects, and could propagate them.
        near: it passes inside the run's threshold, or volume.
    """
    found: OneOrMany = screened & near & (ends > since) & (begins < until)
    return found
