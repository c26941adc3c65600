"""What a run must know about objects to rate events: their sizes, and the errors of their element sets."""

import logging
from datetime import datetime
from pathlib import Path

import numpy as np
import numpy.typing as npt

from screening.errors import StoreError
from screening.orbits.elements import ElementArray
from screening.risk.conjunctions import NO_CODE
from screening.risk.objects.burn_rates import burns_of
from screening.risk.objects.differenced import differenced_factors
from screening.risk.objects.error_classes import age_factors
from screening.risk.objects.hard_body import HardBodies
from screening.risk.objects.knowledge import FactorArray, ObjectKnowledge
from storage.bodies.table import bodies_with
from storage.reading.element_history import carried_factors, element_history
from storage.state.object_facts import NO_FACTS, read_facts
from storage.state.tables import ServiceStateError
from storage.writing.objects_table import ObjectArray, known_of, objects_of, set_factors

log = logging.getLogger("skysieve")


def known_objects(
    store: Path,
    catalogue: ElementArray,
    places: npt.NDArray[np.integer] | None = None,
    as_of: datetime | None = None,
) -> ObjectArray:
    """Return the facts about the objects of a run, or of some at these places of its catalogue.

    Unreadable data are logged and left out. Of a replay `as_of` a time (UTC) no element set counts that was
    not known then.
    """
    facts = NO_FACTS
    try:
        facts = read_facts(store)
    except ServiceStateError as error:
        log.warning("Facts about objects are not used: %s", error)
    some = slice(None) if places is None else places
    elements = catalogue[some]
    objects = objects_of(elements, facts._replace(bodies=bodies_with(facts.bodies)))
    objects["age_factor"] = age_factors(catalogue)[some]
    try:
        set_factors(objects, covariance_factors(store, elements, as_of), elements)
    except StoreError as error:
        log.warning("All covariances are the default ones: %s", error)
    return objects


def covariance_factors(store: Path, elements: ElementArray, as_of: datetime | None = None) -> FactorArray:
    """Return how well the element sets of each object agree: FACTOR_DTYPE (n,), one per element set.

    Those of objects with the same set as in the store's last run are taken from there.

    Raises:
        StoreError: the store's history cannot be read.
    """
    factors = carried_factors(store, elements)
    if as_of is not None:
        factors["element_sets"] = NO_CODE
    changed = np.flatnonzero(factors["element_sets"] < 0)
    found = differenced_factors(element_history(store, elements[changed], as_of))
    factors["element_sets"][changed] = 0
    factors[changed[np.searchsorted(elements["norad_id"][changed], found["norad_id"])]] = found
    return factors


def knowledge_of(objects: ObjectArray) -> ObjectKnowledge:
    """Return the parts of the records of objects that scoring needs."""
    bodies = HardBodies(*(objects[name] for name in ("hard_body_radius_m", "hard_body_source", "mass_kg")))
    known, classes = known_of(objects), objects["error_class"]
    burns = burns_of(classes, known)
    return ObjectKnowledge(bodies, classes, known.factors_rtn, objects["complex_id"], burns)
