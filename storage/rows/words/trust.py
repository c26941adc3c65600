"""Which of several predictions of one encounter to trust, in a sentence with the reason."""

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple


class Claim(NamedTuple):
    """One prediction: whose it is, and what it rests on."""

    who: str
    made_at: datetime  # UTC
    measured: bool  # both objects' covariances come from measurements or an operator, not from a law
    on_ephemerides_of: tuple[str, ...] = ()  # objects whose operator's ephemeris it rests on


def which_to_trust(claims: Sequence[Claim]) -> str:
    """Return which to trust, and why; that it is unknown, where nothing decides.

    Measured covariances beat a law or none. Among those the operator's ephemeris of its own object decides,
    since it knows the object's burns, and then what is newer.
    """
    measured = [claim for claim in claims if claim.measured]
    if not measured:
        return (
            "Which to trust is unknown: none rests on measured covariances. Ask an operator or a screening "
            "centre for a message with them."
        )
    newest = max(measured, key=lambda claim: claim.made_at)
    if len(measured) == 1:
        return f"Trust {newest.who}: it alone has measured covariances of both objects."
    with_ephemerides = [claim for claim in measured if claim.on_ephemerides_of]
    if not with_ephemerides:
        return _newest(newest, measured)
    most = max(len(claim.on_ephemerides_of) for claim in with_ephemerides)
    best = max(
        (claim for claim in with_ephemerides if len(claim.on_ephemerides_of) == most),
        key=lambda claim: claim.made_at,
    )
    of = " and ".join(best.on_ephemerides_of)
    if best.made_at < newest.made_at and len(newest.on_ephemerides_of) < most:
        return (
            f"Which to trust is unknown: {best.who} rests on the operator's ephemeris of {of}, but "
            f"{newest.who} is newer; both have measured covariances."
        )
    if len(with_ephemerides) == len(measured):
        return _newest(best, [claim for claim in measured if len(claim.on_ephemerides_of) == most])
    return (
        f"Trust {best.who}: it rests on the operator's ephemeris of {of}, which knows planned burns, and "
        "none with measured covariances is newer."
    )


def _newest(newest: Claim, measured: Sequence[Claim]) -> str:
    if len(measured) > 1 and sum(claim.made_at == newest.made_at for claim in measured) > 1:
        return "Which to trust is unknown: several have measured covariances and were made at the same time."
    return f"Trust {newest.who}: of those with measured covariances of both objects it is the newest."
