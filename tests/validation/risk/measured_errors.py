"""The error law beside the tables of measured errors of public element sets."""

from functools import partial
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from screening.errors import InputError
from screening.orbits.elements import ElementArray
from screening.orbits.timegrid import FloatArray
from screening.risk.objects.error_law import ErrorLaws, error_laws
from storage.writing.objects_table import objects_of
from tests.validation.files import numbers, rows_of, understood
from tests.validation.risk.coverage import quantiles

BY_AGE = "errors/gp_errors_by_age.csv"
BY_OPERATORS = "errors/gp_errors_medians.csv"

# Who was measured: catalogue numbers of those that the catalogue of 2024-11-01 has.
MEASURED = {
    "LEO-POD": (39451, 39452, 39453, 39634),  # Swarm B, A, C; Sentinel-1A
    "SLR-LEO": (7646, 22824, 16908, 27944, 38077),  # Starlette, Stella, Ajisai, Larets, LARES
    "SLR-MEO": (8820, 22195, 19751, 20026),  # LAGEOS 1 and 2, Etalon 1 and 2
}
# Any satellite of those whose operators publish ephemerides: their laws do not depend on which.
OPERATED = {"gps-precise": 24876, "spacex-starlink": 44714, "intelsat": 28358}
TITLES = {
    "LEO-POD": "Swarm, Sentinel-1",
    "SLR-LEO": "laser-ranging spheres, low",
    "SLR-MEO": "LAGEOS, Etalon",
    "gps-precise": "GPS, medians",
    "spacex-starlink": "Starlink, medians",
    "intelsat": "Intelsat, medians",
}
MEDIAN_TO_SIGMA = 1.0 / 0.6745  # of a normal distribution

_SIGMAS = tuple(f"sigma_{axis}_km" for axis in "rtn")
_MEDIANS = tuple(f"median_abs_{axis}_km" for axis in "rtn")


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
    columns = ("regime", "age_from_d", "age_to_d", *_SIGMAS)
    for row in rows_of(data, BY_AGE, columns):
        if row["regime"] not in MEASURED:
            continue
        from_days, to_days, *measured_km = understood(data, BY_AGE, partial(numbers, row, columns[1:]))
        index = _places(elements, MEASURED[row["regime"]])
        ages_days = np.linspace(from_days, to_days, 9)
        squares = [laws.sigma_rtn_m(index, np.full(len(index), t)) ** 2 for t in ages_days]
        law_km = np.sqrt(np.mean(squares, axis=(0, 1))) / 1e3
        compared.append(Compared(row["regime"], from_days, to_days, np.array(measured_km), law_km))
    return compared


def by_operators(elements: ElementArray, data: Path) -> list[Compared]:
    """Compare medians of absolute differences from operators' ephemerides, tails and all, as sigmas."""
    laws, compared = laws_of(elements), []
    columns = ("provider", "horizon_h", *_MEDIANS)
    for row in rows_of(data, BY_OPERATORS, columns):
        if row["provider"] not in OPERATED:
            continue
        hours, *medians_km = understood(data, BY_OPERATORS, partial(numbers, row, columns[1:]))
        days = hours / 24.0
        index = _places(elements, (OPERATED[row["provider"]],))
        share, scales = (column[0] for column in laws.tails(index, np.array([days]))[:2])
        half = np.array([quantiles(share, scale)[0] for scale in scales])
        law_km = laws.sigma_rtn_m(index, np.array([days]))[0] * half * MEDIAN_TO_SIGMA / 1e3
        sigmas_km = np.array(medians_km) * MEDIAN_TO_SIGMA
        compared.append(Compared(row["provider"], days, days, sigmas_km, law_km))
    return compared


def _places(elements: ElementArray, norad_ids: tuple[int, ...]) -> npt.NDArray[np.intp]:
    places = np.flatnonzero(np.isin(elements["norad_id"], norad_ids))
    if len(places) != len(norad_ids):
        raise InputError(f"The catalogue lacks some of the objects {norad_ids}, whose errors were measured.")
    return places
