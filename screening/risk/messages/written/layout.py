"""Where each keyword of CDM 1.0 stands: its place in the order, its unit, and the element of XML around it.

Tables 3-1 to 3-4 of CCSDS 508.0-B-1, and the schemas of NDM/XML (CCSDS 505.0-B).
"""

from collections.abc import Iterable

from screening.risk.messages.texts.entries import COMMENT
from screening.risk.messages.written.lines import Line

HEADER, RELATIVE, RELATIVE_STATE = "header", "relativeMetadataData", "relativeStateVector"
METADATA = "metadata"
DATA = ("odParameters", "additionalParameters", "stateVector", "covarianceMatrix")

_STATE = ("R", "T", "N", "RDOT", "TDOT", "NDOT")
COVARIANCE = tuple(
    (row, column, f"C{first}_{second}", ("m**2", "m**2/s", "m**2/s**2")[(row > 2) + (column > 2)])
    for row, first in enumerate(_STATE)
    for column, second in enumerate(_STATE[: row + 1])
)
_FORCES = """\
covarianceMatrix CDRG_R:m**3/kg CDRG_T:m**3/kg CDRG_N:m**3/kg CDRG_RDOT:m**3/(kg*s) CDRG_TDOT:m**3/(kg*s)
covarianceMatrix CDRG_NDOT:m**3/(kg*s) CDRG_DRG:m**4/kg**2 CSRP_R:m**3/kg CSRP_T:m**3/kg CSRP_N:m**3/kg
covarianceMatrix CSRP_RDOT:m**3/(kg*s) CSRP_TDOT:m**3/(kg*s) CSRP_NDOT:m**3/(kg*s) CSRP_DRG:m**4/kg**2
covarianceMatrix CSRP_SRP:m**4/kg**2
covarianceMatrix CTHR_R:m**2/s**2 CTHR_T:m**2/s**2 CTHR_N:m**2/s**2 CTHR_RDOT:m**2/s**3 CTHR_TDOT:m**2/s**3
covarianceMatrix CTHR_NDOT:m**2/s**3 CTHR_DRG:m**3/(kg*s**2) CTHR_SRP:m**3/(kg*s**2) CTHR_THR:m**2/s**4
"""
_BLOCKS = f"""
{HEADER} CREATION_DATE ORIGINATOR MESSAGE_FOR MESSAGE_ID
{RELATIVE} TCA MISS_DISTANCE:m RELATIVE_SPEED:m/s
{RELATIVE_STATE} RELATIVE_POSITION_R:m RELATIVE_POSITION_T:m RELATIVE_POSITION_N:m
{RELATIVE_STATE} RELATIVE_VELOCITY_R:m/s RELATIVE_VELOCITY_T:m/s RELATIVE_VELOCITY_N:m/s
{RELATIVE} START_SCREEN_PERIOD STOP_SCREEN_PERIOD SCREEN_VOLUME_FRAME SCREEN_VOLUME_SHAPE
{RELATIVE} SCREEN_VOLUME_X:m SCREEN_VOLUME_Y:m SCREEN_VOLUME_Z:m SCREEN_ENTRY_TIME SCREEN_EXIT_TIME
{RELATIVE} COLLISION_PROBABILITY COLLISION_PROBABILITY_METHOD
{METADATA} OBJECT OBJECT_DESIGNATOR CATALOG_NAME OBJECT_NAME INTERNATIONAL_DESIGNATOR OBJECT_TYPE
{METADATA} OPERATOR_CONTACT_POSITION OPERATOR_ORGANIZATION OPERATOR_PHONE OPERATOR_EMAIL EPHEMERIS_NAME
{METADATA} COVARIANCE_METHOD MANEUVERABLE ORBIT_CENTER REF_FRAME GRAVITY_MODEL ATMOSPHERIC_MODEL
{METADATA} N_BODY_PERTURBATIONS SOLAR_RAD_PRESSURE EARTH_TIDES INTRACK_THRUST
odParameters TIME_LASTOB_START TIME_LASTOB_END RECOMMENDED_OD_SPAN:d ACTUAL_OD_SPAN:d OBS_AVAILABLE
odParameters OBS_USED TRACKS_AVAILABLE TRACKS_USED RESIDUALS_ACCEPTED:% WEIGHTED_RMS
additionalParameters AREA_PC:m**2 AREA_DRG:m**2 AREA_SRP:m**2 MASS:kg CD_AREA_OVER_MASS:m**2/kg
additionalParameters CR_AREA_OVER_MASS:m**2/kg THRUST_ACCELERATION:m/s**2 SEDR:W/kg
stateVector X:km Y:km Z:km X_DOT:km/s Y_DOT:km/s Z_DOT:km/s
covarianceMatrix {" ".join(f"{keyword}:{unit}" for *_, keyword, unit in COVARIANCE)}
{_FORCES}
"""
_WORDS = [
    (element, *word.partition(":")[::2])
    for element, *words in map(str.split, _BLOCKS.strip().splitlines())
    for word in words
]
_PLACES = {keyword: place for place, (_, keyword, _) in enumerate(_WORDS)}
UNITS = {keyword: unit for _, keyword, unit in _WORDS if unit}
# Numbers without a unit; other values without one are texts, also where they look like numbers.
BARE_NUMBERS = frozenset(
    {
        "COLLISION_PROBABILITY",
        "OBS_AVAILABLE",
        "OBS_USED",
        "TRACKS_AVAILABLE",
        "TRACKS_USED",
        "WEIGHTED_RMS",
    }
)


def in_order(lines: Iterable[Line]) -> list[tuple[str, Line]]:
    """Return lines of one part in the order of the standard, each with the element of XML around it.

    A comment stays before the line that follows it, and a keyword that the standard does not have behind the
    one before it.
    """
    units: list[tuple[int, list[Line]]] = []
    place, waiting = 0, list[Line]()
    for line in lines:
        waiting.append(line)
        if line.keyword != COMMENT:
            place = _PLACES.get(line.keyword, place)
            units.append((place, waiting))
            waiting = []
    units.append((place, waiting))
    units.sort(key=lambda unit: unit[0])
    return [(_WORDS[place][0], line) for place, together in units for line in together]
