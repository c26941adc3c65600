"""Synthetic runs for tests: every number is made up, reproducibly."""

from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import NamedTuple

import numpy as np

from screening.encounters import PROXIMITY_DTYPE, ProximityArray
from screening.orbits.elements import ELEMENT_DTYPE, ElementArray, Rejection
from screening.risk.conjunctions import CONJUNCTION_DTYPE, WORDS_OF_CODED_FIELDS, ConjunctionArray, unrated
from screening.risk.tiers import near_levels, probability_levels
from storage.rows.run_record import Run
from storage.times import datetime64_us
from storage.writing.found_events import FoundEvents
from storage.writing.objects_table import objects_of
from storage.writing.publish import publish_run
from tests import reused_store

WINDOW_START = datetime(2026, 11, 21, 6, tzinfo=UTC)
DAY_S = 86_400.0


class MadeUpRun(NamedTuple):
    """What publish_run takes."""

    run: Run
    conjunctions: ConjunctionArray
    proximities: ProximityArray
    elements: ElementArray
    rejected: list[Rejection]


def make_elements(count: int, seed: int = 1) -> ElementArray:
    """Make element sets of objects with numbers of 5 to 9 digits."""
    rng = np.random.default_rng(seed)
    elements = np.zeros(count, ELEMENT_DTYPE)
    for name in ELEMENT_DTYPE.names:
        if ELEMENT_DTYPE[name].kind == "f":
            elements[name] = rng.uniform(0, 1, count)
    elements["norad_id"] = np.sort(rng.choice(2_000_000, count, replace=False) * 499 + 10_000)
    elements["norad_id"][-1] = 999_999_999
    elements["name"] = [f"MADE UP {i}" + ("", " DEB", " R/B")[i % 3] for i in range(count)]
    elements["object_id"] = [f"2026-{i % 1000:03d}A" for i in range(count)]
    elements["epoch_jd"] = 2461365.5  # 2026-11-21
    elements["classification"] = "U"
    return elements


def make_conjunctions(elements: ElementArray, count: int, seed: int = 2) -> ConjunctionArray:
    """Make rated conjunctions of random pairs; of each optional value about a third is missing."""
    rng = np.random.default_rng(seed)
    records = unrated(count)
    first = rng.integers(0, len(elements) - 1, count)
    second = first + 1 + rng.integers(0, len(elements) - 1 - first)
    records["primary_norad_id"] = elements["norad_id"][first]
    records["secondary_norad_id"] = elements["norad_id"][second]
    start = datetime64_us(WINDOW_START)
    records["tca"] = start + rng.integers(0, int(DAY_S * 1e6), count).astype("m8[us]")
    missing = rng.random((len(CONJUNCTION_DTYPE.names), count)) < 1 / 3
    for name, absent in zip(CONJUNCTION_DTYPE.names, missing, strict=True):
        kind = CONJUNCTION_DTYPE[name].kind
        if kind == "f":
            optional = name.startswith(("probability", "formula", "hard", "fragments")) or "sigma" in name
            records[name] = np.where(absent & optional, np.nan, rng.uniform(0, 1e4, count))
            if "correlation" in name:  # of three, none beyond a half, is always one of errors
                records[name] = np.where(absent, np.nan, rng.uniform(-0.5, 0.5, count))
        elif name in WORDS_OF_CODED_FIELDS:
            optional = name.endswith("source")
            codes = rng.integers(0, len(WORDS_OF_CODED_FIELDS[name]), count)
            records[name] = np.where(absent & optional, -1, codes)
    records["probability_flag"] = rng.integers(0, 16, count)
    records["probability_method"][np.isnan(records["probability_best"])] = -1
    records["probability_level"] = probability_levels(records["probability_best"])
    records["near_level"] = near_levels(records["miss_distance_m"])
    records["diluted"] = rng.integers(-1, 2, count)
    records["mc_samples"] = np.where(missing[0], -1, 100_000)
    records["mc_hits"] = np.where(missing[0], -1, rng.integers(0, 50, count))
    records["primary_epoch"] = start - np.timedelta64(7, "h")
    records["secondary_epoch"] = start - np.timedelta64(9, "h")
    records["encounter"] = rng.random(count) < 0.01
    slow = records["encounter"] == 1
    records["inside_from"][slow] = records["tca"][slow] - np.timedelta64(90, "s")
    records["inside_to"][slow] = records["tca"][slow] + np.timedelta64(90, "s")
    for who in ("primary", "secondary"):
        records[f"{who}_manoeuvring"] = rng.integers(-1, 2, count)
        records[f"{who}_complex_id"] = np.where(rng.random(count) < 0.1, rng.integers(1, 10**9, count), -1)
    records["catastrophic"] = rng.integers(-1, 2, count)
    return records


def make_proximities(elements: ElementArray, count: int, seed: int = 3) -> ProximityArray:
    """Make proximities of neighbours in the catalogue; every other one stays within 10 km."""
    rng = np.random.default_rng(seed)
    records = np.zeros(count, PROXIMITY_DTYPE)
    records["primary_index"] = np.arange(count)
    records["secondary_index"] = np.arange(count) + 1
    records["tca_s"] = rng.uniform(0, DAY_S, count)
    records["min_distance_km"] = rng.uniform(0, 1, count)
    records["max_distance_km"] = rng.uniform(1, 20, count)
    records["same_elements"] = np.arange(count) % 3 == 0
    records["leaves_at_s"] = np.where(np.arange(count) % 2, np.nan, 3600.5)
    return records


def make_run(
    conjunctions: int = 60,
    objects: int = 30,
    seed: int = 1,
    *,
    hours_later: float = 0,
    synthetic: bool = True,
) -> MadeUpRun:
    """Make a run; `hours_later` moves its start, not its events."""
    elements = make_elements(objects, seed)
    started = WINDOW_START + timedelta(hours=hours_later)
    run = Run(
        source="made up",
        catalogue_sha256="0" * 64,
        started=started,
        finished=started + timedelta(seconds=4),
        window_start=WINDOW_START,
        window_end=WINDOW_START + timedelta(days=1),
        threshold_km=10.0,
        synthetic=synthetic,
        failed_by_code={1: 2, 6: 1},
        candidates=7,
        seconds_by_stage={"knots": 0.25, "pairs": 1.5},
        versions={"sgp4": "2.26"},
    )
    rejected = [Rejection(17, "99999", "eccentricity 1.5 is not below 1")]
    return MadeUpRun(
        run,
        make_conjunctions(elements, conjunctions, seed),
        make_proximities(elements, 4),
        elements,
        rejected,
    )


def possible(made_up: MadeUpRun) -> MadeUpRun:
    """Return a run whose speeds are those of orbits and whose probabilities lie between 0 and 1."""
    for name in CONJUNCTION_DTYPE.names:
        if name.endswith("_km_s"):
            made_up.conjunctions[name] /= 1e3
        if name.startswith("probability") and CONJUNCTION_DTYPE[name].kind == "f":
            made_up.conjunctions[name] /= 1e4
    return made_up


def publish(store: Path, made_up: MadeUpRun, **options: object) -> str:
    """Publish a made-up run and return its id; what a test before has published into `store` is copied."""
    return reused_store.published(store, made_up, partial(publish_anew, store, made_up), options)


def publish_anew(store: Path, made_up: MadeUpRun, **options: object) -> str:
    """Publish a made-up run, for tests of publishing, and return its id."""
    run, conjunctions, proximities, elements, rejected = made_up
    with FoundEvents(store) as found:
        found.add(conjunctions)
        return publish_run(store, run, found, proximities, elements, rejected=rejected, **options)


def publish_owned(store: Path, made_up: MadeUpRun) -> dict[str, list[int]]:
    """Publish a run whose objects have owners; return the numbers of each owner's."""
    objects = objects_of(made_up.elements)
    words = np.array(["SES", "SESA", "NRO/NRL", "IRIDS", ""])
    objects["owner"] = words[np.arange(len(objects)) % len(words)]
    publish(store, made_up, objects=objects)
    return {str(word): objects["norad_id"][objects["owner"] == word].tolist() for word in words}
