"""What a run must know about objects to rate events: their sizes, and the errors of their element sets."""

import logging
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from screening.errors import StoreError
from screening.histories.burns import FEWEST_SETS, MANOEUVRE_DTYPE, ManoeuvreArray
from screening.histories.suspects import manoeuvres_lately
from screening.orbits.elements import ElementArray
from screening.orbits.timegrid import UtcArray, instants
from screening.risk.conjunctions import NO_CODE
from screening.risk.objects.burn_rates import burns_of, own_rates
from screening.risk.objects.differenced import differenced_factors
from screening.risk.objects.error_classes import age_factors
from screening.risk.objects.hard_body import HardBodies
from screening.risk.objects.knowledge import FactorArray, ObjectKnowledge
from storage.bodies.table import bodies_with
from storage.disk.current import Expiry, expiry_of, read_current
from storage.disk.layout import RUN_MANOEUVRE_FILES
from storage.histories.fitted_laws import SHIPPED_LAWS, LawsInUse, laws_in_use
from storage.manoeuvres.kept import last_manoeuvres, stored_manoeuvres
from storage.reading.element_history import carried_factors, element_history
from storage.state.object_facts import NO_FACTS, read_facts
from storage.state.tables import ServiceStateError
from storage.writing.objects_table import (
    ObjectArray,
    known_of,
    named,
    objects_of,
    set_factors,
    set_law_factors,
)

IntArray = npt.NDArray[np.int64]

_OF_A_BURN = ["norad_id", "at", "dv_m_s"]

log = logging.getLogger("skysieve")


class LookedUp(NamedTuple):
    """What is known of the objects of a run, and what their histories show."""

    elements: ElementArray  # all with a name
    objects: ObjectArray
    manoeuvres: ManoeuvreArray  # MANOEUVRE_DTYPE, also such as the store has
    error_laws: str  # which, for the record of the run


def known_objects(
    store: Path,
    catalogue: ElementArray,
    places: npt.NDArray[np.integer] | None = None,
    as_of: datetime | None = None,
) -> ObjectArray:
    """Return the facts about the objects of a run, as `look_up` does."""
    return look_up(store, catalogue, places, as_of).objects


def look_up(
    store: Path,
    catalogue: ElementArray,
    places: npt.NDArray[np.integer] | None = None,
    as_of: datetime | None = None,
) -> LookedUp:
    """Return the facts about the objects of a run, or of some at these places of its catalogue.

    Unreadable data are logged and left out. Of a replay `as_of` a time (UTC) no element set counts that was
    not known then.
    """
    facts, found = NO_FACTS, np.zeros(0, MANOEUVRE_DTYPE)
    try:
        facts = read_facts(store)
    except ServiceStateError as error:
        log.warning("Facts about objects are not used: %s", error)
    some = slice(None) if places is None else places
    bodies = bodies_with(facts.bodies)
    elements = named(catalogue[some], bodies)
    objects = objects_of(elements, facts._replace(bodies=bodies))
    objects["age_factor"] = age_factors(catalogue)[some]
    laws = laws_in_use(store, as_of)
    try:
        factors, found = from_histories(store, elements, as_of, laws)
        set_factors(objects, factors, elements)
    except StoreError as error:
        log.warning("All covariances are the default ones: %s", error)
    if laws.factors_rtn is not None:
        set_law_factors(objects, elements, laws.factors_rtn)
    return LookedUp(elements, objects, found, laws.words)


def from_histories(
    store: Path, elements: ElementArray, as_of: datetime | None = None, laws: LawsInUse = SHIPPED_LAWS
) -> tuple[FactorArray, ManoeuvreArray]:
    """Return how well the element sets of each object agree, and the manoeuvres that new sets show.

    FACTOR_DTYPE (n,), one per element set, and MANOEUVRE_DTYPE. The factors of objects with the same set as
    in the store's last run are taken from there, if it had the same error laws. `last_manoeuvre` is from the
    manoeuvres, stored ones too.

    Raises:
        StoreError: the store's history cannot be read.
    """
    factors = carried_factors(store, elements, laws.words)
    if as_of is not None:
        factors["element_sets"] = NO_CODE
    changed = np.flatnonzero(factors["element_sets"] < 0)
    history = element_history(store, elements.take(changed), as_of)
    compared = differenced_factors(history, law_factors_rtn=laws.factors_rtn)
    factors["element_sets"][changed] = 0
    factors[changed[np.searchsorted(elements["norad_id"][changed], compared["norad_id"])]] = compared
    factors["last_manoeuvre"][changed] = np.datetime64("NaT")
    expiry = expiry_of(read_current(store))
    stored, found = _lately(store, history, expiry)
    _set_burns(factors, history, np.concatenate([one[_OF_A_BURN] for one in (stored, found)]))
    _set_last_manoeuvres(factors, *last_manoeuvres(store, expiry, as_of))
    _set_last_manoeuvres(factors, found["norad_id"], found["to"])
    return factors, found


def _lately(store: Path, history: ElementArray, expiry: Expiry) -> tuple[ManoeuvreArray, ManoeuvreArray]:
    """Return the stored manoeuvres of the time of histories, and those that their newest steps show.

    The first run searches all steps.
    """
    if not len(history):
        return np.zeros(0, MANOEUVRE_DTYPE), np.zeros(0, MANOEUVRE_DTYPE)
    began = instants(history["epoch_jd"], history["epoch_day_fraction"]).min()
    stored = stored_manoeuvres(store, expiry, f"\"to\" >= TIMESTAMP '{began}'")
    found = manoeuvres_lately(history, stored, first_look=not any(store.glob(RUN_MANOEUVRE_FILES)))
    return stored, found


def _set_burns(factors: FactorArray, history: ElementArray, manoeuvres: ManoeuvreArray) -> None:
    """Set how often the objects of histories burn; one with few sets does not show it."""
    numbers, first, sizes = np.unique(history["norad_id"], return_index=True, return_counts=True)
    day = history["epoch_jd"] + history["epoch_day_fraction"]
    days = day[first + sizes - 1] - day[first]
    own = np.isin(manoeuvres["norad_id"], numbers)
    found = own_rates(np.searchsorted(numbers, manoeuvres["norad_id"][own]), manoeuvres[own], days)
    shown = sizes >= FEWEST_SETS
    rows = np.searchsorted(factors["norad_id"], numbers[shown])
    factors["burns_per_day"][rows], factors["burn_dv_m_s"][rows] = found.per_day[shown], found.dv_m_s[shown]


def _set_last_manoeuvres(factors: FactorArray, numbers: IntArray, first_after: UtcArray) -> None:
    """Set when objects manoeuvred last, ascending by number and time, where that is news of them."""
    last = np.append(np.diff(numbers) != 0, True)[: len(numbers)]
    order = np.argsort(factors["norad_id"], kind="stable")
    place = np.searchsorted(factors["norad_id"], numbers[last], sorter=order)
    here = place < len(factors)
    here[here] = factors["norad_id"][order[place[here]]] == numbers[last][here]
    rows = order[place[here]]
    factors["last_manoeuvre"][rows] = np.fmax(factors["last_manoeuvre"][rows], first_after[last][here])


def knowledge_of(objects: ObjectArray) -> ObjectKnowledge:
    """Return the parts of the records of objects that scoring needs."""
    bodies = HardBodies(*(objects[name] for name in ("hard_body_radius_m", "hard_body_source", "mass_kg")))
    known, classes = known_of(objects), objects["error_class"]
    burns = burns_of(classes, known)
    own = (known.factors_rtn, objects["complex_id"], burns)
    return ObjectKnowledge(bodies, classes, *own, law_factors_rtn=known.law_factors_rtn)
