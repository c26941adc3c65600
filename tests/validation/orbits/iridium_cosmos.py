"""The search: the collision of Iridium 33 and Cosmos 2251."""

from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from screening.orbits.elements import ElementArray
from screening.orbits.texts.catalogue import parse_catalogue
from screening.orbits.timegrid import utc, window
from screening.search.all_pairs.assemble import screen_catalogue
from tests.validation.comparison import About, Comparison, Measure
from tests.validation.files import json_of, understood

FILE = "historic/iridium_cosmos.json"
START, HOURS, THRESHOLD_KM = np.datetime64("2009-02-10T00:00:00", "us"), 24.0, 1.0
ABOUT = About(
    title="Search: Iridium 33 and Cosmos 2251",
    source="The report of SOCRATES of 2009-02-10, 15:02 UTC: 584 m, in Kelso (2009), AAS 09-368; the "
    "collision was at 16:55:59.806 UTC. With later element sets: Bennett, Sang, Zhang and Smith (2012), "
    "698.72 m at 16:55:59.80.",
    what="The approach of the two on the day of their collision, within 1 km, from the element sets that "
    "SOCRATES had that morning, and from the last ones before the collision.",
    limits="What is printed, to half a digit. From which version of SGP4 the later miss distance comes is "
    "not known to us: that difference is reported, not judged.",
    files=(FILE,),
    command='make test ARGS="tests/screening/search/all_pairs/test_screen_real.py"',
)


class Known(NamedTuple):
    """What is published of the approach from two element sets."""

    elements: ElementArray
    tca: np.datetime64
    miss_m: float


class Found(NamedTuple):
    """How our approach differs."""

    approaches: int
    tca_ms: float
    miss_m: float


def read_morning(data: Path) -> Known:
    """Read the element sets of SOCRATES' report, and what it said."""
    content = json_of(data, FILE)
    return understood(data, FILE, lambda: _morning(content))


def read_later(data: Path) -> Known:
    """Read the last element sets before the collision, and what was published of them."""
    content = json_of(data, FILE)
    return understood(data, FILE, lambda: _later(content))


def _morning(content: dict[str, Any]) -> Known:
    lines = [line for pair in content["SOCRATES_584m_tles"].values() for line in pair]
    (report,) = (one for one in content["published"] if one["who"].startswith("SOCRATES"))
    tca = np.datetime64(content["SOCRATES_584m_reproduced"]["tca_utc"], "us")
    return Known(_elements(lines), tca, float(report["miss_m"]))


def _later(content: dict[str, Any]) -> Known:
    (paper,) = (one for one in content["published"] if one["who"].startswith("Bennett"))
    tca = np.datetime64(f"2009-02-10T{paper['sgp4_tca']}", "us")
    lines = [*content["tle_iridium_33"], *content["tle_cosmos_2251"]]
    return Known(_elements(lines), tca, float(paper["sgp4_miss_m"]))


def _elements(lines: list[str]) -> ElementArray:
    elements = parse_catalogue("\n".join(lines)).elements
    if len(elements) != 2:
        raise ValueError(f"{len(elements)} element sets, expected 2")
    return elements


def compare(data: Path) -> Comparison:
    """Search both pairs of element sets."""
    morning, later = _found(read_morning(data)), _found(read_later(data))
    return Comparison(
        2,
        "pairs of element sets",
        (
            Measure("approaches found, more or fewer than 1", abs(morning.approaches - 1), limit=0),
            Measure("difference of the TCA, sets of the morning", morning.tca_ms, "ms", 1.0),
            Measure("difference of the miss distance, sets of the morning", morning.miss_m, "m", 0.5),
            Measure("approaches found, later sets, more or fewer than 1", abs(later.approaches - 1), limit=0),
            Measure("difference of the TCA, later sets", later.tca_ms, "ms", 5.0),
            Measure("difference of the miss distance, later sets", later.miss_m, "m"),
        ),
    )


def _found(known: Known) -> Found:
    span = window(START, HOURS)
    encounters = screen_catalogue(known.elements, span, THRESHOLD_KM).encounters
    if len(encounters) != 1:
        return Found(len(encounters), np.nan, np.nan)
    off = utc(span, encounters["tca_s"])[0] - known.tca
    miss_m = 1e3 * float(encounters["miss_distance_km"][0])
    return Found(1, abs(float(off / np.timedelta64(1, "us"))) / 1e3, abs(miss_m - known.miss_m))
