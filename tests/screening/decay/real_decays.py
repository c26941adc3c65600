"""Objects that have decayed: their sets before, and when they did; whole catalogues and what SATCAT says."""

import csv
import gzip
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import pytest

from screening.decay.forecast import Decays, Recent, decays
from screening.decay.life import Lives, Orbits
from screening.decay.temperature import temperature_kelvin
from screening.orbits.elements import ElementArray
from screening.orbits.texts.catalogue import parse_catalogue

DATA = Path(__file__).resolve().parents[4] / "shared" / "data"
DECAYS = DATA / "decays" / "decays_even.csv.gz"
CATALOGUES = DATA / "history" / "catalogues"
SATCAT = DATA / "satcat" / "spacetrack_satcat_20210119.csv.gz"
_JD_OF_1970 = 2440587.5
_MIDDAY = 0.5  # a decay is published with its day only

Floats = npt.NDArray[np.float64]


class Decayed(NamedTuple):
    """Sets (n,) of objects that have decayed, and the days they had left."""

    norad_id: npt.NDArray[np.int64]
    kind: npt.NDArray[np.str_]  # DEBRIS, PAYLOAD, ROCKET BODY, TBA
    epoch: npt.NDArray[np.datetime64]
    left_days: Floats
    recent: Recent


def needed(path: Path) -> Path:
    """Return a path of the test data; skip the test where it is missing."""
    if not path.exists():
        pytest.skip(f"{path} is missing")
    return path


def decayed() -> Decayed:
    """Return the sets of the decays of 2016 to 2020, by object and epoch, each with the one before it."""
    with gzip.open(needed(DECAYS), "rt", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    first, second = (np.array([row[name] for row in rows]) for name in ("line1", "line2"))
    number = np.array([int(row["norad_id"]) for row in rows])
    epoch = _epochs(_part(first, 18, 20).astype(int), _part(first, 20, 32).astype(float))
    order = np.lexsort((epoch, number))
    order = order[
        np.append(True, (np.diff(number[order]) != 0) | (np.diff(epoch[order]) > np.timedelta64(0)))
    ]
    number, epoch = number[order], epoch[order]
    kind = np.array([row["type"] for row in rows])[order]
    decay = np.array([row["decay"] for row in rows], "M8[us]")[order]
    motion = _part(second, 52, 63).astype(float)[order]
    e = np.char.add("0.", np.char.replace(_part(second, 26, 33), " ", "0")).astype(float)[order]
    rate = 2.0 * np.char.replace(_part(first, 33, 43), " ", "").astype(float)[order]
    same = np.append(False, number[1:] == number[:-1])
    before = np.where(same, np.arange(len(number)) - 1, 0)
    recent = Recent(
        motion,
        e,
        rate,
        day_of_year(epoch),
        kind == "PAYLOAD",
        np.where(same, motion[before], np.nan),
        np.where(same, e[before], np.nan),
        np.where(same, (epoch - epoch[before]) / np.timedelta64(1, "D"), np.nan),
    )
    left = (decay - epoch) / np.timedelta64(1, "D") + _MIDDAY
    return Decayed(number, kind, epoch, left, recent)


def forecasts(sets: Decayed) -> Decays:
    """Return their forecasts, each at the temperature between those of the catalogues of 2016 and 2020."""
    known = {name: catalogue_kelvin(catalogue(name)) for name in ("20160112", "20200108")}
    days = (sets.epoch - np.datetime64("2016-01-12")) / np.timedelta64(1, "D")
    kelvin = np.round(np.interp(days, [0.0, 1457.0], list(known.values())) / 20.0) * 20.0
    parts = []
    for one in np.unique(kelvin):
        here = np.flatnonzero(kelvin == one)
        part = decays(Recent(*(values[here] for values in sets.recent)), Lives.at(float(one)))
        parts.append((here, part))
    order = np.argsort(np.concatenate([here for here, _ in parts]))
    columns = zip(*(part for _, part in parts), strict=True)
    return Decays(*(np.concatenate(column)[order] for column in columns))


@cache
def catalogue(day: str) -> ElementArray:
    """Return the catalogue of a day, as 20160112."""
    path = needed(CATALOGUES / f"{day}.tle.gz")
    return parse_catalogue(gzip.decompress(path.read_bytes()).decode("utf-8", "replace")).elements


def catalogue_kelvin(elements: ElementArray) -> float:
    """Return the temperature by the stages of a catalogue."""
    stages = elements[np.char.find(elements["name"], " R/B") >= 0]
    motion = stages["mean_motion_rev_day"]
    orbits = Orbits.of(motion, stages["eccentricity"])
    rate = 2.0 * stages["mean_motion_dot_rev_day2"]
    return temperature_kelvin(orbits, motion, rate, day_of_year(_instants(stages)))


def of_catalogues(day: str, before: str) -> tuple[Decayed, float]:
    """Return the objects of a catalogue that SATCAT says to have decayed, and the temperature of that day.

    Each with its set in a catalogue some days before.
    """
    newest, earlier = catalogue(day), catalogue(before)
    with gzip.open(needed(SATCAT), "rt", encoding="utf-8") as file:
        told = {int(row["NORAD_CAT_ID"]): row for row in csv.DictReader(file) if row["DECAY"]}
    newest = newest[
        np.isin(newest["norad_id"], list(told)) & np.isin(newest["norad_id"], earlier["norad_id"])
    ]
    earlier = earlier[np.searchsorted(earlier["norad_id"], newest["norad_id"])]
    epoch = _instants(newest)
    kind = np.array([told[number]["OBJECT_TYPE"] for number in newest["norad_id"].tolist()])
    decay = np.array([told[number]["DECAY"] for number in newest["norad_id"].tolist()], "M8[us]")
    between = (epoch - _instants(earlier)) / np.timedelta64(1, "D")
    recent = Recent(
        newest["mean_motion_rev_day"],
        newest["eccentricity"],
        2.0 * newest["mean_motion_dot_rev_day2"],
        day_of_year(epoch),
        kind == "PAYLOAD",
        np.where(between > 0.0, earlier["mean_motion_rev_day"], np.nan),
        np.where(between > 0.0, earlier["eccentricity"], np.nan),
        np.where(between > 0.0, between, np.nan),
    )
    left = (decay - epoch) / np.timedelta64(1, "D") + _MIDDAY
    return Decayed(newest["norad_id"], kind, epoch, left, recent), catalogue_kelvin(catalogue(day))


def day_of_year(epoch: npt.NDArray[np.datetime64]) -> Floats:
    """Return the days since the beginning of the year."""
    days: Floats = (epoch - epoch.astype("M8[Y]").astype("M8[us]")) / np.timedelta64(1, "D")
    return days


def _part(lines: npt.NDArray[np.str_], begin: int, end: int) -> npt.NDArray[np.str_]:
    return np.array([line[begin:end] for line in lines])


def _epochs(year: npt.NDArray[np.int64], day: Floats) -> npt.NDArray[np.datetime64]:
    begin = (year + 30).astype("M8[Y]").astype("M8[us]")
    return begin + ((day - 1.0) * 86400e6).astype("m8[us]")


def _instants(elements: ElementArray) -> npt.NDArray[np.datetime64]:
    days = elements["epoch_jd"] - _JD_OF_1970 + elements["epoch_day_fraction"]
    return np.datetime64("1970-01-01", "us") + (days * 86400e6).astype("m8[us]")
