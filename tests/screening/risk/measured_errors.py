"""The error law beside the tables of measured errors of public element sets."""

import csv
from pathlib import Path
from typing import NamedTuple

import numpy as np

from screening.orbits.elements import ElementArray
from screening.orbits.timegrid import FloatArray
from screening.risk.objects.error_law import ErrorLaws, error_laws
from storage.writing.objects_table import objects_of

# Who was measured: catalogue numbers of those that the catalogue of 2024-11-01 has.
MEASURED = {
    "LEO-POD": (39451, 39452, 39453, 39634),  # Swarm B, A, C; Sentinel-1A
    "SLR-LEO": (7646, 22824, 16908, 27944, 38077),  # Starlette, Stella, Ajisai, Larets, LARES
    "SLR-MEO": (8820, 22195, 19751, 20026),  # LAGEOS 1 and 2, Etalon 1 and 2
}
# Any satellite of those whose operators publish ephemerides: their laws do not depend on which.
OPERATED = {"gps-precise": 24876, "spacex-starlink": 44714, "intelsat": 28358}
MEDIAN_TO_SIGMA = 1.0 / 0.6745  # of a normal distribution


class Compared(NamedTuple):
    """One row of a table beside the law."""

    group: str
    from_days: float
    to_days: float
    measured_km: FloatArray  # (3,), 1-sigma radial, in-track, cross-track
    law_km: FloatArray  # (3,)

    @property
    def ratios(self) -> FloatArray:
        """The law over the measured (3,)."""
        return self.law_km / self.measured_km


def laws_of(elements: ElementArray) -> ErrorLaws:
    """Return the laws of a catalogue of which no history is known."""
    nothing = np.full((len(elements), 3), np.nan)
    return error_laws(elements, objects_of(elements)["error_class"], nothing)


def by_age(elements: ElementArray, data: Path) -> list[Compared]:
    """Compare root mean squares by age: those of the law are over the objects and over each row's ages."""
    laws, compared = laws_of(elements), []
    for row in _rows(data / "gp_errors_by_age.csv"):
        if row["regime"] not in MEASURED:
            continue
        span_days = float(row["age_from_d"]), float(row["age_to_d"])
        index = _places(elements, MEASURED[row["regime"]])
        squares = [laws.sigma_rtn_m(index, np.full(len(index), t)) ** 2 for t in np.linspace(*span_days, 9)]
        law_km = np.sqrt(np.mean(squares, axis=(0, 1))) / 1e3
        measured_km = np.array([float(row[f"sigma_{axis}_km"]) for axis in "rtn"])
        compared.append(Compared(row["regime"], *span_days, measured_km, law_km))
    return compared


def by_operators(elements: ElementArray, data: Path) -> list[Compared]:
    """Compare medians of absolute differences from operators' ephemerides, as sigmas."""
    laws, compared = laws_of(elements), []
    for row in _rows(data / "gp_errors_medians.csv"):
        days = float(row["horizon_h"]) / 24.0
        index = _places(elements, (OPERATED[row["provider"]],))
        medians_km = np.array([float(row[f"median_abs_{axis}_km"]) for axis in "rtn"])
        law_km = laws.sigma_rtn_m(index, np.array([days]))[0] / 1e3
        compared.append(Compared(row["provider"], days, days, medians_km * MEDIAN_TO_SIGMA, law_km))
    return compared


def _places(elements: ElementArray, numbers: tuple[int, ...]) -> np.ndarray:
    places = np.flatnonzero(np.isin(elements["norad_id"], numbers))
    assert len(places) == len(numbers), f"the catalogue lacks some of {numbers}"
    return places


def _rows(path: Path) -> list[dict[str, str]]:
    with path.open() as file:
        return list(csv.DictReader(file))
