"""Which prediction to trust: decided by what each rests on, or said to be unknown."""

from datetime import UTC, datetime, timedelta

import pytest

from storage.rows.words.trust import Claim, which_to_trust

NOON = datetime(2024, 11, 1, 12, tzinfo=UTC)
LATER = NOON + timedelta(hours=8)
OURS = Claim("skysieve", LATER, measured=False)


@pytest.mark.parametrize(
    ("claims", "begins"),
    [
        ([OURS], "Which to trust is unknown: none rests on measured covariances."),
        ([OURS, Claim("CSPOC", NOON, False)], "Which to trust is unknown: none rests on measured"),
        ([OURS, Claim("CSPOC", NOON, True)], "Trust CSPOC: it alone has measured covariances"),
        ([OURS, Claim("CSPOC", NOON, True), Claim("TRACSS", LATER, True)], "Trust TRACSS: of those with"),
        ([Claim("CSPOC", NOON, True), Claim("TRACSS", NOON, True)], "Which to trust is unknown: several"),
        (
            [Claim("CSPOC", NOON, True), Claim("TRACSS", LATER, True, ("ISS",))],
            "Trust TRACSS: it rests on the operator's ephemeris of ISS",
        ),
        (
            [Claim("CSPOC", LATER, True), Claim("TRACSS", NOON, True, ("ISS",))],
            "Which to trust is unknown: TRACSS rests on the operator's ephemeris of ISS, but CSPOC is newer",
        ),
        (
            [Claim("skysieve", LATER, True, ("ISS",)), Claim("TRACSS", NOON, True, ("ISS",))],
            "Trust skysieve: of those with measured covariances of both objects it is the newest.",
        ),
        (
            [Claim("A", LATER, True, ("ISS", "TUG")), Claim("B", NOON, True, ("ISS",))],
            "Trust A: of those with measured covariances",
        ),
        # A law of element sets never decides, however new it is and whatever it rests on.
        ([Claim("skysieve", LATER, False, ("ISS",)), Claim("B", NOON, True)], "Trust B: it alone"),
    ],
)
def test_what_decides(claims: list[Claim], begins: str) -> None:
    assert which_to_trust(claims).startswith(begins)
    assert which_to_trust(claims[::-1]).startswith(begins)
