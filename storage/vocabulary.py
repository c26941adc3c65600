"""Words and limits of the store's parameters; like `screening.vocabulary`, quick to import."""

from datetime import timedelta
from typing import Literal, get_args

AnalysisMode = Literal["quick", "full"]
# What found an event, besides runs and analyses on demand:
SECOND_LOOK = "second_look"  # operators' ephemerides, after the run
MESSAGE = "message"  # a received message, of an encounter that no run has
RESTRICTED_MESSAGE = "restricted_message"  # the same, where its source does not allow sharing it
FLEET = "fleet"  # the search around objects of fleets after a run: beyond its threshold, or its window
TOLD = (MESSAGE, RESTRICTED_MESSAGE)
# What was decided about the catalogue of a run; last_good: what came was of no use.
Decision = Literal["downloaded", "unchanged", "too_soon", "last_good", "file", "generated", "history"]
DECISIONS: tuple[Decision, ...] = get_args(Decision)
EventOrder = Literal["risk", "tca", "miss_distance", "probability", "fragments"]
CredentialKind = Literal["bearer", "api-key"]
CREDENTIAL_KINDS: tuple[CredentialKind, ...] = get_args(CredentialKind)
# What a credential permits; each role permits what those before it do.
Role = Literal["viewer", "operator", "flight", "admin"]
ROLES: tuple[Role, ...] = get_args(Role)
ALL_OBJECTS = "all"  # instead of catalogue numbers: whose paths a credential may state
NOBODY = -1  # in its place: whose a credential is that is not recognised
EVERYBODY = 0  # in place of an organisation: what a run receives is seen by all
FIRST_ORGANISATION = 1  # every store has it, and all that was there before organisations is its own

# What the operator of an object intends at an event.
Intent = Literal["will_move", "will_not_move", "waiting"]
INTENTS: tuple[Intent, ...] = get_args(Intent)

# How an alert reaches its reader, and how many a credential may have.
Channel = Literal["webhook", "slack", "email"]
CHANNELS: tuple[Channel, ...] = get_args(Channel)
MOST_ALERTS_OF_A_CREDENTIAL = 100
DIGEST_RANGE_HOURS = (0.25, 168.0)
NEAR_M = 500.0  # alerts and feeds tell of a nearer miss whatever its probability, unless told otherwise
NEAR_RANGE_M = (1.0, 200_000.0)  # up to the largest volume around an object

EVENTS_FILE_SUFFIXES = (".csv", ".parquet", ".duckdb")

# The hard-body radius of a fleet's objects, besides a number of metres: that of the mean shadow, as runs have
# it, or that of the sphere around.
SHADOW, BOUNDING = "shadow", "bounding"

FLEET_HOURS_RANGE = (1.0, 240.0)  # look-ahead of a fleet: element sets are of no use for longer

LONGEST_DAYS = 36_500  # a century
LARGEST_PER_MINUTE = 1_000_000  # requests

# Where the hard-body radius of an object is from.
HARD_BODY_WORDS = {
    "override": "set by hand",
    "body": "its published dimensions",
    "table": "published table",
    "stage": "its type of stage",
    "rcs": "radar cross-section",
    "class": "its class of spacecraft",
    "type": "assumed from the type",
    "cdm": "from the message",
}

# SGP4 integrates resonant orbits in steps of 12 hours from the epoch: the distance from the window of a run
# decides what a position costs, and by then it is off by tens of kilometres.
LONGEST_FROM_WINDOW = timedelta(days=30)

# Ephemerides that are shared.
PathForm = Literal["oem-kvn", "oem-xml", "opm-kvn", "csv"]
OemPathForm = Literal["oem-kvn", "oem-xml"]
PathFrame = Literal["EME2000", "TEME", "ITRF"]
PATH_STEP_RANGE_S = (1.0, 3600.0)
PATH_RANGE_HOURS = (0.01, 720.0)
MAX_PATH_STATES = 20_000  # two weeks by the minute; as OEM 12 MB, of which the covariances are three quarters
