"""The verification set of TraCSS: probability, Mahalanobis distance and miss of its encounters."""

from functools import partial
from pathlib import Path

from screening.risk.messages.read import each_message
from screening.risk.messages.score import score_message
from screening.risk.messages.scores import MessageScore
from screening.risk.messages.texts.entries import UnreadableMessage
from tests.validation.comparison import About, Comparison, Measure, largest
from tests.validation.files import rows_of, understood

FILE = "pc/tracss_ivv_rows.csv"
FIVE_DIGITS = 2e-5
RADIUS_M = 1.0  # combined, of all its rows
# Of our numbers, and of the columns that are held against them, in our units.
COMPARED = {
    "probability": ("probability_2d_unchecked", "prob", 1.0),
    "Mahalanobis distance": ("mahalanobis_distance", "mdistance", 1.0),
    "miss distance": ("miss_distance_m", "min_range", 1e3),
    "relative speed": ("relative_speed_m_s", "Vrel", 1e3),
}
_AXES = tuple(f"{letter}{axis}{k}" for k in (1, 2) for letter in ("", "v") for axis in "xyz")
_TERMS = {"11": "CR_R", "12": "CT_R", "13": "CN_R", "22": "CT_T", "23": "CN_T", "33": "CN_N"}
_COLUMNS = (
    *(column for _, column, _ in COMPARED.values()),
    *_AXES,
    *(f"c{k}_{term}" for k in (1, 2) for term in _TERMS),
)

ABOUT = About(
    title="Verification set of TraCSS",
    source="Office of Space Commerce, Traffic Coordination System for Space (https://space.commerce.gov), "
    "rows of its verification set (CC0).",
    what="States in J2000 and covariances of the positions along each object's own RTN, written as a "
    "message and scored as `skysieve score` does: probability with a combined radius of 1 m, the "
    "miss in sigmas of all three dimensions, miss distance and relative speed.",
    limits="The set prints eight digits and rounds its states to 1 mm; five digits are asked for.",
    files=(FILE,),
    command='make test ARGS="tests/screening/risk/messages/test_claims.py"',
)


def compare(data: Path) -> Comparison:
    """Score every row, and take the largest relative difference of each number."""
    rows = rows_of(data, FILE, _COLUMNS)
    scores = [scored(data, row) for row in rows]
    measures = []
    for name, (field, column, factor) in COMPARED.items():
        rounding = name == "relative speed"  # which has all digits
        theirs = [factor * understood(data, FILE, partial(float, row[column])) for row in rows]
        off = (abs(getattr(score, field) / value - 1.0) for score, value in zip(scores, theirs, strict=True))
        measures.append(
            Measure(f"{name}: largest relative difference", largest(off), "", FIVE_DIGITS, rounding)
        )
    return Comparison(len(rows), "encounters", tuple(measures))


def scored(data: Path, row: dict[str, str]) -> MessageScore:
    """Score a row."""
    found = next(each_message(message_text(row), source_name=str((data / FILE).absolute())))
    if isinstance(found, UnreadableMessage):
        raise found
    return score_message(found, RADIUS_M, samples=0, seed=1)


def message_text(row: dict[str, str]) -> str:
    """Return a row as a conjunction data message, KVN; it tells no instant, so that is made up."""
    lines = ["CCSDS_CDM_VERS = 1.0", "TCA = 2024-11-02T03:04:05.678"]
    for k in (1, 2):
        lines += [
            f"OBJECT = OBJECT{k}",
            f"OBJECT_DESIGNATOR = {row.get(f'obj{k}', k)}",
            "REF_FRAME = EME2000",
            *(f"{axis.upper()} = {row[f'{axis}{k}']} [km]" for axis in "xyz"),
            *(f"{axis.upper()}_DOT = {row[f'v{axis}{k}']} [km/s]" for axis in "xyz"),
            *(f"{keyword} = {row[f'c{k}_{term}']} [km**2]" for term, keyword in _TERMS.items()),
        ]
    return "\n".join(lines) + "\n"
