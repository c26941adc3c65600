"""What is known of the objects of the real catalogue, as a run with NASA CARA's table of radii knows it."""

import csv
from pathlib import Path

import numpy as np

from screening.orbits.elements import ElementArray
from screening.orbits.timegrid import FloatArray
from screening.risk.objects.hard_body import HardBodies
from screening.risk.objects.knowledge import ObjectKnowledge
from screening.risk.probability.tails import Tails
from screening.vocabulary import LARGEST_RADIUS_M
from storage.bodies.table import shipped_bodies
from storage.writing.objects_table import ObjectArray, objects_of
from tests.validation.risk.radii import FILE, cara_facts


def known(elements: ElementArray, data: Path) -> ObjectKnowledge:
    """Return published radii, those of the table in `data`, and no factors on the covariances."""
    return knowledge(objects_of(elements, cara_facts(data)._replace(bodies=shipped_bodies())))


def knowledge(objects: ObjectArray) -> ObjectKnowledge:
    """Return what scoring needs, without factors on the covariances."""
    bodies = HardBodies(objects["hard_body_radius_m"], objects["hard_body_source"], objects["mass_kg"])
    none = np.full((len(objects), 3), np.nan)
    return ObjectKnowledge(bodies, objects["error_class"], none, objects["complex_id"])


def known_before(elements: ElementArray, data: Path) -> ObjectKnowledge:
    """Return the radii of the first release: the whole table, its defaults too, else 5 m, debris 1.5 m."""
    radius_m = np.where(np.char.find(elements["name"], " DEB") >= 0, 1.5, 5.0)
    places = {number: place for place, number in enumerate(elements["norad_id"].tolist())}
    with (data / FILE).open(newline="") as file:
        for row in csv.DictReader(file):
            place = places.get(int(row["ObjectID"]))
            if place is not None and row["HBR"] and float(row["HBR"]) <= LARGEST_RADIUS_M:
                radius_m[place] = float(row["HBR"])
    objects = objects_of(elements)
    objects["hard_body_radius_m"] = radius_m
    return knowledge(objects)


class AidaAndKirschner:
    """What was assumed before errors were measured by age: Aida & Kirschner (2013), for all regimes.

    176, 695 and 168 m at the epoch, the first two growing by 125 and 392 m a day; no tails, no burns.
    """

    def __init__(self, elements: ElementArray, *_known: object) -> None:
        self.codes = np.zeros(len(elements), np.int8)
        self.own = np.zeros(len(elements), np.bool_)

    def sigma_rtn_m(self, _index: object, age_days: FloatArray, _speed: object) -> FloatArray:
        """Return (k, 3)."""
        return np.array([176.0, 695.0, 168.0]) + np.abs(age_days)[:, None] * [125.0, 392.0, 0.0]

    def tails(self, _index: object, age_days: FloatArray) -> Tails:
        """Return none (k,)."""
        count = len(age_days)
        return Tails(np.zeros(count), np.ones((count, 3)), np.zeros(count), np.zeros(count))
