"""Words and limits of parameters: the same for the command line, settings and HTTP.

Imports nothing slow, since `--help` needs it.
"""

from typing import Literal, get_args

RiskLevel = Literal["critical", "high", "medium", "low"]  # most dangerous first
RISK_LEVELS: tuple[RiskLevel, ...] = get_args(RiskLevel)

# By the probability alone; unknown: none could be computed, which is not a reason to think it low.
ProbabilityLevel = Literal["critical", "high", "medium", "unknown", "low"]  # most dangerous first
PROBABILITY_LEVELS: tuple[ProbabilityLevel, ...] = get_args(ProbabilityLevel)

# By the miss alone, below 100, 500 and 1000 m; farther away there is none.
NearLevel = Literal["critical", "high", "medium"]
NEAR_LEVELS: tuple[NearLevel, ...] = get_args(NearLevel)

# How `probability_best` was found: in the encounter plane; from the likeliest orbits that meet; by sampling
# whole trajectories; or not at all, and it is the largest of what is known of it.
ProbabilityMethod = Literal["2d", "3d", "trajectory_mc", "bound"]
PROBABILITY_METHODS: tuple[ProbabilityMethod, ...] = get_args(ProbabilityMethod)

ObjectType = Literal["payload", "rocket_body", "debris", "unknown"]
OBJECT_TYPES: tuple[ObjectType, ...] = get_args(ObjectType)

# Where the rate of a decay is from: the change between two sets, what the newest set says, or both.
DecayMethod = Literal["history and set", "history", "set"]
DECAY_METHODS: tuple[DecayMethod, ...] = get_args(DecayMethod)

# Whether an object is in use, and whether it can change its path.
ObjectStatus = Literal["active", "inactive", "unknown"]
OBJECT_STATUSES: tuple[ObjectStatus, ...] = get_args(ObjectStatus)
CanManoeuvre = Literal["yes", "no", "unknown"]

# How an object can avoid another: not at all, hardly (by drag), by command, by itself, with a crew on board.
ManoeuvreClass = Literal["none", "minimal", "manual", "automated", "crewed", "unknown"]
MANOEUVRE_CLASSES: tuple[ManoeuvreClass, ...] = get_args(ManoeuvreClass)
# Who gives way: one of the two, both as they agree, neither, or unknown.
RightOfWay = Literal["primary", "secondary", "agree", "neither", "unknown"]

# By what an object's path is known: a general element set, one fitted to its operator's ephemeris
# (supplemental), or an ephemeris itself.
TrajectoryKind = Literal["gp", "supgp", "ephemeris"]
TRAJECTORY_KINDS: tuple[TrajectoryKind, ...] = get_args(TrajectoryKind)

# What the error of an object's element sets follows: its regime's law, or one of its own.
# fmt: off
ErrorLawName = Literal[
    "leo", "fragment", "meo", "geo", "gto", "heo", "geodetic",
    "starlink", "oneweb", "constellation", "geostationary", "contradictory",
]
# fmt: on
ERROR_LAWS: tuple[ErrorLawName, ...] = get_args(ErrorLawName)

# Whose the published sizes, masses and owners are: its licence asks to say so wherever they are shared.
SIZES_FROM = "J. McDowell, GCAT (planet4589.org/space/gcat), CC BY 4.0"
PUBLISHED_SIZES = ("body", "stage")  # words of hard_body_source

# Conjunction data messages that are shared, and which probability they state.
MessageForm = Literal["kvn", "xml", "json"]
MessageFrame = Literal["EME2000", "ITRF"]
ClaimMethod = Literal["best", "foster", "formula", "maximum", "monte_carlo"]

MAX_NORAD_ID = 999_999_999  # nine digits, the most allowed in an OMM

THRESHOLD_RANGE_KM = (0.1, 100.0)
DEFAULT_THRESHOLD_KM = 10.0
LOOK_AHEAD_RANGE_HOURS = (0.1, 720.0)
DEFAULT_LOOK_AHEAD_HOURS = 24.0

# Of burns: the probability that no encounter is to reach, the days after TCA that are screened too, how well
# a burn is carried out, and how large it may be: larger ones are not avoidance; 100 m/s raise a low orbit by
# 180 km.
DEFAULT_GOAL = 1e-6
SMALLEST_GOAL = 1e-30
DEFAULT_DAYS_AFTER, LONGEST_DAYS_AFTER = 3.0, 14.0
DEFAULT_SIZE_ERROR, DEFAULT_DIRECTION_ERROR_DEG = 0.01, 1.0
LARGEST_DV_M_S = 100.0
MOST_BURNS = 10
LONGEST_BEFORE_TCA_HOURS = 1000.0

# 1 cm is smaller than any catalogued object. The largest object ever in orbit, the space station, spans 109
# m; NASA CARA's table gives it 66.1 m, and the one larger value, 250 m for a satellite of 340 kg, is a
# keep-out distance, not a radius.
SMALLEST_RADIUS_M, LARGEST_RADIUS_M = 0.01, 100.0

SYNTHETIC_OBJECTS_RANGE = (200, 1_000_000)


def range_text(allowed: tuple[float, float]) -> str:
    """Return a range in the form of help texts."""
    low, high = allowed
    return f"{low:,.10g} to {high:,.10g}"


# Formats of ephemerides (MEME: Starlink's text), rules of their checks, and named sets of these.
EphemerisForm = Literal["OEM", "OCM", "MEME", "SP3"]
Severity = Literal["error", "warning", "note"]
SEVERITIES: tuple[Severity, ...] = get_args(Severity)
RuleSet = Literal["skysieve", "nasa", "sds", "tracss", "spacex"]
RULE_SETS: tuple[RuleSet, ...] = get_args(RuleSet)
RuleName = Literal[
    "readable", "object", "format", "frame", "time_system", "file_size", "states", "span", "step",
    "covariance", "covariance_definite", "covariance_size", "gap", "jump", "manoeuvre", "velocity",
    "altitude", "departure",
]  # fmt: skip
