"""Manoeuvres detected in histories of element sets, against those that operators published."""

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import yaml
from scipy.optimize import linear_sum_assignment

from screening.histories.burns import manoeuvres
from screening.orbits.elements import ElementArray
from screening.orbits.reference.leap_seconds import utc_from_tai
from screening.orbits.texts.catalogue import parse_every_set
from screening.orbits.timegrid import UtcArray, instants
from tests.validation.comparison import About, Comparison, Measure
from tests.validation.files import bytes_of, understood, unpacked

LOW_SATELLITES = ("CryoSat-2", "Haiyang-2A", "Jason-1", "Jason-2")
GEOSTATIONARY = "Fengyun-2F"
NAMES = (*LOW_SATELLITES, GEOSTATIONARY)
FILES = tuple(f"manoeuvres/{name}.{end}" for name in LOW_SATELLITES for end in ("tle.gz", "yaml"))
TOLERANCES_H = (12, 24)
# The data set makes a date of the day of the year by adding it to the 1 January, which is day 1 and not day 0
# (`dataset_formatting/convert_man_files_to_yaml.py`). The sets agree: those around a burn meet 24.0 h before
# the time in the file, to an hour (test_burns.py).
DATED_LATE = np.timedelta64(1, "D")
CHINA_STANDARD_TIME = np.timedelta64(8, "h")  # of Fengyun's, which come with dates
# In campaigns, after launch and before the end, burns follow each other as fast as element sets do.
ALONE_DAYS = 3.0

ABOUT = About(
    title="Manoeuvres: found in element sets",
    source="Published manoeuvres and histories of element sets of CryoSat-2, Haiyang-2A, Jason-1 and Jason-2 "
    "from the open benchmark data set of Shorten and others (2023, Wide-scale monitoring of satellite "
    "lifetimes: pitfalls and a benchmark dataset). Its times are a day late, which is corrected: it adds the "
    "day of the year to 1 January.",
    what="Every published manoeuvre between the first and the last element set counts, and may be matched "
    "once. A detection that matches none is false. Alone are manoeuvres with no other within three days.",
    limits="What is reached, rounded up: they guard against losing it. Most missed ones are daily burns of "
    "campaigns, many of them pairs across the motion that cancel each other.",
    files=FILES,
    command='make test ARGS="tests/screening/histories"',
)
_FALSE_LIMITS = {12: 0.21, 24: 0.13}
_MISSED_LIMITS = {12: 0.38, 24: 0.32}
_MISSED_ALONE_LIMIT = 0.19


class Case(NamedTuple):
    """A satellite's history and what its operator published."""

    name: str
    sets: ElementArray
    published: UtcArray  # between its first and last set


class Found(NamedTuple):
    """How many detections and published manoeuvres there are, and how many are the same."""

    matched: int
    detected: int
    published: int

    @property
    def precision(self) -> float:
        """Return the share of the detections that are published."""
        return self.matched / self.detected if self.detected else float("nan")

    @property
    def recall(self) -> float:
        """Return the share of the published that are detected."""
        return self.matched / self.published

    @property
    def f1(self) -> float:
        """Return the harmonic mean of both."""
        return 2.0 * self.matched / (self.detected + self.published)


def read_case(data: Path, name: str) -> Case:
    """Read the history of one satellite and its published manoeuvres, in UTC."""
    file_name = f"manoeuvres/{name}.tle.gz"
    packed, listed_in = bytes_of(data, file_name), f"manoeuvres/{name}.yaml"
    sets = parse_every_set(
        understood(data, file_name, lambda: unpacked(packed)), source_name=file_name
    ).elements
    text = bytes_of(data, listed_in)
    times = understood(data, listed_in, lambda: np.unique(np.array(_listed(text), "M8[us]")))
    utc = times - CHINA_STANDARD_TIME if name == GEOSTATIONARY else utc_from_tai(times - DATED_LATE)
    epoch = instants(sets["epoch_jd"], sets["epoch_day_fraction"])
    return Case(name, sets, utc[(utc > epoch.min()) & (utc < epoch.max())])


def _listed(text: bytes) -> list[str]:
    try:
        return yaml.safe_load(text)["manoeuvre_timestamps"]  # type: ignore[no-any-return]
    except yaml.YAMLError as error:
        raise ValueError(str(error)) from error


def matches(detected: UtcArray, published: UtcArray, hours: float) -> npt.NDArray[np.bool_]:
    """Return which of the published are matched, each by one detection, so that as many as possible are."""
    apart = np.abs(detected[:, None] - published[None, :]) / np.timedelta64(1, "h")
    # As many as possible: a pair beyond the tolerance costs more than all pairs within it.
    rows, columns = linear_sum_assignment(np.where(apart <= hours, apart, 1e6))
    matched = np.zeros(len(published), np.bool_)
    matched[columns[apart[rows, columns] <= hours]] = True
    return matched


def found(detected: Sequence[UtcArray], published: Sequence[UtcArray], hours: float) -> Found:
    """Count over several satellites."""
    matched = sum(
        int(matches(ours, theirs, hours).sum()) for ours, theirs in zip(detected, published, strict=True)
    )
    return Found(matched, sum(map(len, detected)), sum(map(len, published)))


def alone(published: UtcArray) -> npt.NDArray[np.bool_]:
    """Return which manoeuvres have no other within ALONE_DAYS."""
    apart = np.abs(published[:, None] - published[None, :]) / np.timedelta64(1, "D")
    np.fill_diagonal(apart, np.inf)
    return apart.min(axis=1, initial=np.inf) > ALONE_DAYS


def compare(data: Path) -> Comparison:
    """Detect all manoeuvres of the four low satellites."""
    cases = [read_case(data, name) for name in LOW_SATELLITES]
    detected = [manoeuvres(case.sets)["at"] for case in cases]
    published = [case.published for case in cases]
    measures = []
    for hours in TOLERANCES_H:
        counts = found(detected, published, hours)
        measures.append(
            Measure(
                f"detections with none published within {hours} h",
                1.0 - counts.precision,
                limit=_FALSE_LIMITS[hours],
            )
        )
        measures.append(
            Measure(f"published, none within {hours} h", 1.0 - counts.recall, limit=_MISSED_LIMITS[hours])
        )
    lone = [alone(times) for times in published]
    hits = sum(
        int((matches(d, p, 24) & one).sum()) for d, p, one in zip(detected, published, lone, strict=True)
    )
    missed = 1.0 - hits / sum(int(one.sum()) for one in lone)
    measures.append(Measure("published and alone, none within 24 h", missed, limit=_MISSED_ALONE_LIMIT))
    return Comparison(sum(map(len, published)), "published manoeuvres", tuple(measures))
