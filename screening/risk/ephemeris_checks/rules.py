"""The rules of checks, and the limits that each set of rules gives them, with their sources.

A set without a limit for one of the rules of delivery makes a note of what was measured. Rules of the path
itself have one limit, for all sets.
"""

from collections.abc import Mapping
from typing import NamedTuple

from screening.orbits.interpolated import POINTS
from screening.risk.objects.departure import FAR_KM, FAR_SIGMAS, JUMP_KM
from screening.vocabulary import RuleName, RuleSet, Severity

PROJECT = "skysieve, docs/trajectories.md"
_NASA = "NASA NPR 8079.1 (2023), table 5-1 (nodis3.gsfc.nasa.gov)"
_SPACEX = "SpaceX, Upload a trajectory (docs.space-safety.starlink.com/docs/api/upload-a-trajectory)"
_SDS = "brahe, documentation of the format Modified ITC (github.com/duncaneddy/brahe)"
_TRACSS = (
    "OpenAPI document of TraCSS's Metadata API, /metadata/v2/ocm/upload "
    "(github.com/open-space-collective/tracss-sdk-python)"
)

EACH_STATE = "at each state"
ALL_OR_NONE = "at each state or at none"
BETWEEN = "around each state"  # in between they are interpolated


class Limit(NamedTuple):
    """What a set of rules asks for."""

    value: float | tuple[str, ...]  # a number, or the words of which one is allowed
    severity: Severity  # of a breach
    source: str
    elsewhere: float | None = None  # in its place beyond low orbits


class Rule(NamedTuple):
    """What is checked."""

    meaning: str
    unit: str
    limits: Mapping[RuleSet, Limit]
    of_delivery: bool = False  # each set has its own limit, or none


# A step of the NPR is "~ 1/100th of an orbit in either time or true anomaly": 60 s in the lowest orbits are
# 1/90, which its "~" is taken to allow.
_ABOUT_A_HUNDREDTH = 1.0 / 90.0
# 240 s in a low orbit leave up to 0.4 m between states, and every doubling 4,000 times as much.
_TWENTIETH = 1.0 / 20.0
LARGEST_FILE = 20_971_520

# fmt: off
RULES: Mapping[RuleName, Rule] = {
    "readable": Rule("the file can be read", "", {"skysieve": Limit((), "error", PROJECT)}),
    "object": Rule("the catalogue has its object", "", {"skysieve": Limit((), "warning", PROJECT)}),
    "format": Rule("the format", "", {
        "nasa": Limit(("OEM",), "error", _NASA),
        "tracss": Limit(("OCM",), "warning", _TRACSS),
        "spacex": Limit(("OEM", "MEME"), "error", _SPACEX),
    }, of_delivery=True),
    "frame": Rule("the frame of the states", "", {
        "sds": Limit(("EME2000", "TEME", "ITRF"), "warning", _SDS),
        "spacex": Limit(("ITRF", "EME2000"), "error", _SPACEX),
    }, of_delivery=True),
    "time_system": Rule("the time system", "", {
        "sds": Limit(("UTC",), "warning", _SDS),
    }, of_delivery=True),
    "file_size": Rule("the size of the file, at most", "bytes", {
        "spacex": Limit(LARGEST_FILE, "error", _SPACEX),
    }, of_delivery=True),
    "states": Rule("the number of states, at least", "states", {
        "skysieve": Limit(POINTS, "error", PROJECT),
        "spacex": Limit(6, "error", _SPACEX),
    }, of_delivery=True),
    "span": Rule("the time from the first to the last state, at least", "days", {
        "nasa": Limit(7.0, "error", _NASA, elsewhere=14.0),
    }, of_delivery=True),
    "step": Rule("the longest step, in time or in angle, at most", "revolutions", {
        "skysieve": Limit(_TWENTIETH, "warning", PROJECT),
        "nasa": Limit(_ABOUT_A_HUNDREDTH, "error", _NASA),
    }, of_delivery=True),
    "covariance": Rule("states with a covariance", "", {
        "skysieve": Limit((BETWEEN,), "warning", PROJECT),
        "nasa": Limit((EACH_STATE,), "error", _NASA),
        "sds": Limit((ALL_OR_NONE,), "warning", _SDS),
        "spacex": Limit((EACH_STATE,), "error", _SPACEX),
    }, of_delivery=True),
    "covariance_definite": Rule("each covariance is positive definite", "", {
        "skysieve": Limit(0.0, "warning", PROJECT)}),
    "covariance_size": Rule("the 1-sigma error of the position, between 1 cm and 100 km", "m", {
        "skysieve": Limit(FAR_KM * 1e3, "warning", PROJECT)}),
    "gap": Rule("a step beside the usual ones around it, at most", "steps", {
        "skysieve": Limit(2.5, "warning", PROJECT)}),
    "jump": Rule("the distance to where the states before lead, more than a thrust explains, at most", "m", {
        "skysieve": Limit(JUMP_KM * 1e3, "error", PROJECT)}),
    "manoeuvre": Rule("thrusts inside", "", {"skysieve": Limit((), "note", PROJECT)}),
    "velocity": Rule("the velocities beside the differences of positions, at most", "m/s", {
        "skysieve": Limit(1.0, "warning", PROJECT)}),
    "altitude": Rule("the altitude above the Earth, at least", "km", {
        "skysieve": Limit(100.0, "warning", PROJECT)}),
    "departure": Rule(
        f"the distance from the newest element set, at most, where it is {FAR_SIGMAS:g} sigmas as well",
        "km", {"skysieve": Limit(FAR_KM, "error", PROJECT)}),
}
# fmt: on
SMALLEST_SIGMA_M = 0.01


def limit_of(rule: RuleName, rules: RuleSet) -> Limit | None:
    """Return the limit of a rule in a set; None: the set has none."""
    limits = RULES[rule].limits
    return limits.get(rules) if RULES[rule].of_delivery else limits["skysieve"]
