"""Read a snapshot's element sets and rated events as record arrays."""

import numpy as np
import numpy.typing as npt

from screening.orbits.elements import ELEMENT_DTYPE, ElementArray
from screening.risk.conjunctions import HARD_BODY_SOURCES, NO_CODE
from screening.risk.objects.burn_rates import burns_of
from screening.risk.objects.error_classes import KnownOf, aged, error_classes
from screening.risk.objects.hard_body import HardBodies
from screening.risk.objects.knowledge import ObjectKnowledge
from screening.vocabulary import OBJECT_TYPES, RISK_LEVELS
from storage.in_memory.snapshot import Snapshot
from storage.rows.elements import sets_of_rows
from storage.vocabulary import FLEET, RESTRICTED_MESSAGE

RatedEventArray = npt.NDArray[np.void]

RATED_EVENT_DTYPE = np.dtype(
    [
        ("primary_norad_id", "i8"),
        ("secondary_norad_id", "i8"),
        ("until", "M8[us]"),  # UTC: TCA, or for slow events the end of the time inside the threshold
        ("risk_level", "i1"),  # position in RISK_LEVELS
    ]
)


def element_sets(snapshot: Snapshot) -> ElementArray:
    """Return the element sets (n,) of the snapshot's run, exactly as screened, sorted by norad_id."""
    columns = snapshot.columns(sets_of_rows("FROM elements", "ORDER BY norad_id"))
    return _records(columns, ELEMENT_DTYPE)


def rated_events(snapshot: Snapshot) -> RatedEventArray:
    """Return the objects, end and risk of the snapshot's events (m,), in any order.

    Events known only from restricted messages, or found only by searches around fleets, are left out.
    """
    events = snapshot.all_events
    origin, risk = events.words("origin"), events.words("risk_level")
    hidden = [code for code, word in enumerate(origin.values) if word in (RESTRICTED_MESSAGE, FLEET)]
    shown = np.flatnonzero(~np.isin(origin.codes, hidden))
    levels = [RISK_LEVELS.index(word) if word in RISK_LEVELS else NO_CODE for word in risk.values]
    records = np.empty(len(shown), RATED_EVENT_DTYPE)
    for who in ("primary_norad_id", "secondary_norad_id"):
        records[who] = events.numbers(who)[shown]
    records["until"] = np.fmax(events.numbers("tca"), events.numbers("inside_to"))[shown]
    records["risk_level"] = np.array(levels)[risk.codes[shown]]
    return records


def object_knowledge(snapshot: Snapshot, elements: ElementArray) -> ObjectKnowledge:
    """Return what scoring needs to know of the snapshot's objects, in the order of its element sets."""
    factors = [f"{of}_factor_{axis}" for of in ("covariance", "law") for axis in "rtn"]
    burns = ("age_factor", "burns_per_day", "burn_dv_m_s")
    codes = {
        name: f"list_position({list(words)}, {name}) - 1 AS {name}"
        for name, words in (("hard_body_source", HARD_BODY_SOURCES), ("object_type", OBJECT_TYPES))
    }
    columns = snapshot.columns(
        f"SELECT hard_body_radius_m, mass_kg, {', '.join(codes.values())}, status, "  # noqa: S608
        f"last_manoeuvre, complex_id, {', '.join((*burns, *factors))} FROM objects ORDER BY norad_id"
    )
    names = ("hard_body_radius_m", "mass_kg", *burns, *factors)
    numbers = (np.ma.filled(columns[name], np.nan) for name in names)
    radius_m, mass_kg, age_factor, per_day, dv_m_s, *each = numbers
    sources, types = (np.ma.filled(columns[name], NO_CODE).astype(np.int8) for name in codes)
    factors_rtn, law_factors_rtn = aged(np.stack(each[:3], axis=1), age_factor), np.stack(each[3:], axis=1)
    # Derived here too: a run of an earlier release did not store them.
    last_manoeuvre = np.ma.filled(columns["last_manoeuvre"], np.datetime64("NaT"))
    status = columns["status"].astype(np.str_)
    known = KnownOf(types, status, last_manoeuvre, factors_rtn, per_day, dv_m_s)
    classes = error_classes(elements, known)
    complexes = np.ma.filled(columns["complex_id"], NO_CODE).astype(np.int64)
    bodies = HardBodies(radius_m, sources, mass_kg)
    own = (factors_rtn, complexes, burns_of(classes, known))
    return ObjectKnowledge(bodies, classes, *own, law_factors_rtn=law_factors_rtn)


def _records(columns: dict[str, npt.NDArray[np.generic]], dtype: np.dtype[np.void]) -> npt.NDArray[np.void]:
    names = dtype.names or ()
    records = np.empty(len(columns[names[0]]), dtype)
    for name in names:
        records[name] = columns[name]
    return records
