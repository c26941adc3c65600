"""Turn read messages into rows of the table `messages`: scored by our own engine, radii included."""

import hashlib
import math
import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime

import numpy as np
import pyarrow as pa

from screening.risk.conjunctions import CONJUNCTION_DTYPE, HARD_BODY_SOURCES
from screening.risk.messages.as_conjunction import as_conjunction
from screening.risk.messages.message import ConjunctionMessage, MessageObject
from screening.risk.messages.read import ReadMessage
from screening.risk.messages.score import score_message
from screening.risk.messages.scores import MessageScore, summary_score
from screening.risk.messages.texts.entries import Entry
from storage.message_schema import AS_EVENT, MESSAGES, STORED
from storage.messages.known_objects import KnownObjects
from storage.rows.over_runs.event_ids import joined
from storage.rows.records import columns_of
from storage.times import utc_datetime
from storage.vocabulary import FIRST_ORGANISATION

# Recognise messages that must not be shared by their content.

# Space-Track's user agreement forbids sharing its data without approval. Its rows have an id of their own
# and whether they count as an emergency; neither keyword is in the standard.
_SPACE_TRACK = re.compile(r"(COMMENT_)?EMERGENCY_REPORTABLE|CDM_ID|SAT_?[12]_(ID|EXCL_VOL)|SAT[12]_RCS")
_WRITTEN = re.compile(r'"(\w+)":')
# The centre whose messages Space-Track gives out, under its names over the years.
_US_CENTRE = re.compile(r"(JSPOC|CSPOC|18 ?SPCS|18 ?SDS|19 ?SDS)\b", re.IGNORECASE)


def is_restricted(entries: Iterable[Entry], originator: str) -> bool:
    """Return whether a message is Space-Track's: a row of `cdm_public` or `cdm`, or from the US centre."""
    if _US_CENTRE.match(originator):
        return True
    return any(_SPACE_TRACK.fullmatch(_as_written(entry)) for entry in entries)


def _as_written(entry: Entry) -> str:
    """Return the keyword as its sender writes it: the reader gives Space-Track's the standard's names."""
    written = _WRITTEN.match(entry.written)
    return written[1].upper() if written else entry.keyword


_NO_RADIUS = "neither the message nor the newest run gives the radius of both objects: not scored"
_ID_DIGITS = 16
SEED = 1  # that of `skysieve score`, so that both sample the same trajectories
_COMPUTED = (
    "probability",
    "probability_2d",
    "probability_2d_unchecked",
    "probability_3d",
    "probability_best",
    "probability_max",
    "hard_body_radius_m",
)
_WORDS = (
    "probability_method",
    "probability_level",
    "near_level",
    "probability_flag",
    "missing_covariance",
    "hard_body_source",
    "claimed_method",
    "claimed_as",
)

Row = Mapping[str, object]


def content_id(entries: Iterable[Entry], organisation_id: int = FIRST_ORGANISATION) -> str:
    """Return 16 hexadecimal digits that follow from every keyword and value, however they are laid out.

    Each organisation has a copy of its own, with its own id; earlier releases knew only the first's.
    """
    digest = hashlib.sha256()
    if organisation_id != FIRST_ORGANISATION:
        digest.update(f"organisation={organisation_id}\n".encode())
    for entry in entries:
        value = " ".join(entry.value.split())
        if value:  # XML has elements without any
            digest.update(f"{entry.keyword}={value}\n".encode())
    return digest.hexdigest()[:_ID_DIGITS]


def row_of(
    read: ReadMessage,
    known: KnownObjects,
    source: str,
    received: datetime,
    organisation_id: int,
    *,
    restricted: bool | None,
) -> Row:
    """Return the row of a message; what depends on the store's other messages is still NULL or 0.

    `restricted` None: as the message says.
    """
    message, score = read.message, _scored(read.message, known)
    return {
        "id": content_id(read.entries, organisation_id),
        "message_id": message.message_id,
        "originator": message.originator,
        "creation_date": _time(message.creation_date),
        "tca": _time(message.tca),
        **_objects(message, known),
        "miss_distance_m": _or(message.miss_distance_m, score.miss_distance_m),
        "relative_speed_m_s": _or(message.relative_speed_m_s, score.relative_speed_m_s),
        "claimed_probability": score.claimed_probability,
        "computed_miss_distance_m": score.miss_distance_m if message.has_states else math.nan,
        **{name: getattr(score, name) for name in _COMPUTED},
        **{name: getattr(score, name) or None for name in _WORDS},
        "diluted": None if math.isnan(score.probability_max) else score.diluted,
        "risk_level": score.risk_level,
        "risk_basis": score.risk_basis,
        "remarks": "\n".join(score.remarks),
        "conflicts_with": None,
        "own_encounter_id": 0,
        "received_at": received,
        "source": source,
        "restricted": is_restricted(read.entries, message.originator) if restricted is None else restricted,
        "sha256": hashlib.sha256(read.text.encode()).hexdigest(),
        "text": read.text,
        AS_EVENT: as_conjunction(message, score, _radius_source(score)),
    }


def table_of(rows: Iterable[Row]) -> pa.Table:
    """Return rows as a table of STORED; NaN is NULL."""
    given = list(rows)
    columns: list[pa.Array] = [
        pa.array(
            [row[field.name] for row in given], field.type.value_type, from_pandas=True
        ).dictionary_encode()
        if pa.types.is_dictionary(field.type)
        else pa.array([row[field.name] for row in given], field.type, from_pandas=True)
        for field in MESSAGES.arrow
    ]
    return pa.table([*columns, _as_events([row[AS_EVENT] for row in given])], schema=STORED)


def _as_events(records: Sequence[object]) -> pa.Array:
    """Return rated conjunctions, each CONJUNCTION_DTYPE (1,), as a column of records."""
    columns = columns_of(joined([np.asarray(record) for record in records], CONJUNCTION_DTYPE))
    kind = STORED.field(AS_EVENT).type
    return pa.StructArray.from_arrays(
        [columns[field.name].cast(field.type) for field in kind.fields], fields=list(kind.fields)
    )


def _radius_source(score: MessageScore) -> str:
    """Return where the radius is from: the store, or whatever a message says of it."""
    return score.hard_body_source if score.hard_body_source in HARD_BODY_SOURCES else "cdm"


def _scored(message: ConjunctionMessage, known: KnownObjects) -> MessageScore:
    """Score a message with its own radius, else with that of both objects in the store."""
    radius_m = message.hard_body_radius_m
    if not math.isnan(radius_m) or not message.has_states:
        return score_message(message, radius_m, samples=0, seed=SEED)
    of_both = known.radius_of(message)
    if of_both is None:
        return summary_score(message, radius_m)._replace(remarks=[_NO_RADIUS])
    score = score_message(message, of_both.metres, samples=0, seed=SEED)
    return score._replace(hard_body_source=of_both.source)


def _objects(message: ConjunctionMessage, known: KnownObjects) -> Row:
    columns: dict[str, object] = {}
    for who, each in (("primary", message.primary), ("secondary", message.secondary)):
        columns[f"{who}_norad_id"] = known.number_of(each)
        columns[f"{who}_designator"] = each.designator
        columns[f"{who}_name"] = each.name
        columns[f"{who}_manoeuvrable"] = each.manoeuvrable
        for axis, sigma_m in zip("rtn", _sigmas(each), strict=True):
            columns[f"{who}_sigma_{axis}_m"] = sigma_m
    return columns


def _sigmas(each: MessageObject) -> list[float]:
    if each.covariance_rtn is None:
        return [math.nan] * 3
    sigmas: list[float] = np.sqrt(np.maximum(np.diag(each.covariance_rtn)[:3], 0.0)).tolist()
    return sigmas


def _time(instant: np.datetime64) -> datetime | None:
    return None if np.isnat(instant) else utc_datetime(instant)


def _or(claimed: float, computed: float) -> float:
    return computed if math.isnan(claimed) else claimed
