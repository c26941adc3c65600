"""A made-up verification, with counts that make whole hits."""

from dataclasses import replace
from datetime import UTC, datetime

from scipy.stats import binomtest

from storage.verification.record import (
    ErrorsOfLaw,
    ProbabilitiesSaid,
    RegionsHeld,
    Verification,
    WarningsFate,
)
from storage.verification.suspects import Suspect


def _regions(kind: str, days_ahead: int, count: float, *held: float) -> RegionsHeld:
    wilson = [binomtest(round(count * one), int(count)).proportion_ci(0.9, method="wilson") for one in held]
    return RegionsHeld(kind, days_ahead, count, *held, [[one.low, one.high] for one in wilson])


VERIFIED = Verification(
    since="2026-11-01",
    until="2026-11-07",
    encounters=5210.0,
    warned=34.0,
    first_warned_days=2.3,
    settled_days=0.9,
    regions=[
        _regions("neither thrusts", 1, 200.0, 0.52, 0.795, 0.94, 0.985),
        _regions("starlink", 0, 16.0, 0.25, 0.75, 1.0, 1.0),
        _regions("starlink", 1, 40.0, 0.0, 0.8, 0.975, 1.0),
        _regions("starlink", 3, 1204.0, 0.25, 0.5, 0.75, 1.0),
        _regions("starlink", 5, 99.0, 1.0, 1.0, 1.0, 1.0),
    ],
    errors=[
        ErrorsOfLaw("leo", "2026-11-00", 0, 1000.0, 0.91, 0.7, 0.81),
        ErrorsOfLaw("leo", "2026-11-01", 1, 2408.0, 0.92, 1.1, 0.82),
        ErrorsOfLaw("starlink", "2026-11-01", 1, 60.0, 0.93, 0.0, 0.83),
    ],
    probabilities=[
        ProbabilitiesSaid(1, 1e-5, 300.0, 3.1e-5, 2.7e-5),
        ProbabilitiesSaid(1, 1e-6, 10.0, 2.5e-6, 0.0),
        ProbabilitiesSaid(2, 1e-4, 41.0, 1.5e-4, 4.5e-4),
    ],
    warnings=[
        WarningsFate(1, "critical", 4.0, 4.0, 0.0, 0.0, 0.0, 0.0),
        WarningsFate(1, "high", 6.0, 1.0, 2.0, 1.0, 2.0, 1.0),
        WarningsFate(1, "medium", 777.0, 7.0, 70.0, 300.0, 400.0, 9.0),
        WarningsFate(3, "high", 1250.0, 100.0, 300.0, 500.0, 350.0, 8.0),
    ],
    suspects=[
        Suspect(
            norad_id=33591,
            error_law="leo",
            sets=1,
            encounters=7,
            in_track_sigmas=12.4,
            usual_sigmas=1.1,
            epoch=datetime(2026, 11, 3, tzinfo=UTC),
            manoeuvred=False,
            words="Object 33591 <NOAA & 19> was 12 sigmas ahead.",
        )
    ],
    words=["Of 10 critical or high warnings one day ahead, 50% were still so."],
)
EMPTY = Verification(
    since=None, until=None, encounters=0.0, warned=0.0, first_warned_days=None, settled_days=None,
    regions=[], errors=[], probabilities=[], warnings=[], suspects=[],
    words=["No encounter has passed since the first run: there is nothing to compare yet."],
)  # fmt: skip


def with_rows(**rows: list[object]) -> Verification:
    """Return the verification with other tables."""
    return replace(VERIFIED, **rows)  # type: ignore[arg-type]
