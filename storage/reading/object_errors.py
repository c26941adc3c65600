"""How far off an object's element set may be, by age, as the newest run rates it."""

from collections.abc import Mapping
from datetime import datetime
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from screening.errors import UsageError
from screening.orbits.elements import ELEMENT_DTYPE, ElementArray
from screening.orbits.timegrid import instants
from screening.risk.objects.differenced import difference_sizes_m
from screening.risk.objects.error_classes import ERROR_CLASSES, KnownOf, aged, error_classes, manoeuvring
from screening.risk.objects.error_law import LAW_SOURCES, TAIL_SCALES_RTN, TAIL_SHARES, laws_of
from screening.risk.objects.regimes import REGIMES, regime
from screening.vocabulary import ERROR_LAWS, OBJECT_TYPES
from storage.disk.faults import store_faults
from storage.reading.element_history import element_history
from storage.reading.newest_run import connect
from storage.rows.elements import sets_of_rows
from storage.times import datetime64_us, fetched_utc, utc_datetime

AGES_DAYS = (0.0, 1.0, 3.0, 7.0)
MEASURED_BINS_DAYS = (0.0, 0.5, 1.5, 3.5, 7.0, 14.0)
OF_THE_OBJECT = (
    "object_type",
    "status",
    "last_manoeuvre",
    "covariance_factor_r",
    "covariance_factor_t",
    "covariance_factor_n",
    "law_factor_r",
    "law_factor_t",
    "law_factor_n",
    "age_factor",
    "burns_per_day",
    "burn_dv_m_s",
    "hard_body_radius_m",
    "hard_body_source",
)


class ErrorsAtAge(NamedTuple):
    """1-sigma errors of position so long after the epoch, in the object's own RTN."""

    age_days: float
    sigma_r_m: float
    sigma_t_m: float
    sigma_n_m: float


class Measured(NamedTuple):
    """How far its older sets are off its newer ones: medians over 0.6745, in the newer ones' RTN."""

    from_days: float
    to_days: float
    pairs: int
    sigma_r_m: float
    sigma_t_m: float
    sigma_n_m: float


class ObjectErrors(NamedTuple):
    """What the newest run assumes of one object."""

    norad_id: int
    name: str
    regime: str
    error_class: str
    manoeuvring: bool
    element_epoch: datetime  # UTC
    hard_body_radius_m: float | None
    hard_body_source: str | None
    errors: list[ErrorsAtAge]
    source: str  # what the error law rests on
    factors_rtn: tuple[float, ...] | None  # from its own history, that are in the errors; None: none are
    tail_share: float  # of sets that err more
    tail_scale_rtn: tuple[float, ...]  # by these factors
    burns_per_day: float  # that the errors leave out
    burn_dv_m_s: float  # usual size
    measured: list[Measured]  # by its own element sets of 30 days


def object_errors(store: Path, norad_id: int) -> ObjectErrors:
    """Return what the newest run assumes of an object.

    Raises:
        UsageError: the run did not screen it.
        StoreError: there is no run, or the store is damaged.
    """
    with store_faults(store), connect(store) as connection:
        found = connection.execute(sets_of_rows("FROM elements", "WHERE norad_id = ?"), [norad_id]).fetchall()
        ((run_id, count),) = connection.execute("SELECT any_value(run_id), count(*) FROM elements").fetchall()
        if not found:
            raise UsageError(f"No object {norad_id} among the {count:,} objects of the run {run_id}.")
        known = connection.execute(
            f"SELECT {', '.join(OF_THE_OBJECT)} FROM objects WHERE norad_id = ?",  # noqa: S608
            [norad_id],
        )
        (row,) = fetched_utc(known)
    elements = np.array(found, ELEMENT_DTYPE)
    sizes = difference_sizes_m(element_history(store, elements), MEASURED_BINS_DAYS)
    measured = [
        Measured(*edges, pairs, *sigmas.tolist())
        for edges, (pairs, sigmas) in zip(pairwise(MEASURED_BINS_DAYS), sizes, strict=True)
        if pairs
    ]
    return _errors(elements, dict(zip(OF_THE_OBJECT, row, strict=True)), measured)


def _errors(elements: ElementArray, known: dict[str, object], measured: list[Measured]) -> ObjectErrors:
    of_class = known_of(known)
    classes, laws = error_classes(elements, of_class), laws_of(elements, of_class)
    (epoch,) = instants(elements["epoch_jd"], elements["epoch_day_fraction"])
    sigmas_m = laws.sigma_rtn_m(np.zeros(len(AGES_DAYS), np.int64), np.array(AGES_DAYS))
    radius_m, source = known["hard_body_radius_m"], known["hard_body_source"]
    return ObjectErrors(
        norad_id=int(elements["norad_id"][0]),
        name=str(elements["name"][0]),
        regime=REGIMES[regime(elements)[0]],
        error_class=ERROR_CLASSES[classes[0]],
        manoeuvring=bool(manoeuvring(classes)[0]),
        element_epoch=utc_datetime(epoch),
        hard_body_radius_m=radius_m if isinstance(radius_m, float) else None,
        hard_body_source=source if isinstance(source, str) else None,
        errors=[ErrorsAtAge(age, *sigma.tolist()) for age, sigma in zip(AGES_DAYS, sigmas_m, strict=True)],
        source=LAW_SOURCES[ERROR_LAWS[laws.codes[0]]],
        factors_rtn=tuple(laws.factors_rtn[0].tolist()) if laws.own[0] else None,
        tail_share=float(TAIL_SHARES[laws.codes[0]]),
        tail_scale_rtn=tuple(TAIL_SCALES_RTN[laws.codes[0]].tolist()),
        burns_per_day=float(laws.burns.per_day[0]),
        burn_dv_m_s=float(laws.burns.dv_m_s[0]),
        measured=measured,
    )


def known_of(known: Mapping[str, Any]) -> KnownOf:
    """Return what decides the error class of one object, from its row (OF_THE_OBJECT)."""
    word, last = known["object_type"], known["last_manoeuvre"]
    return KnownOf(
        object_type=np.array([OBJECT_TYPES.index(word) if word in OBJECT_TYPES else -1], np.int8),
        status=np.array([known["status"] or "unknown"], np.str_),
        last_manoeuvre=np.array([last and datetime64_us(last)], "M8[us]"),
        factors_rtn=aged(
            np.array([[known[f"covariance_factor_{axis}"] for axis in "rtn"]], np.float64),
            np.array([known["age_factor"]], np.float64),
        ),
        burns_per_day=np.array([known["burns_per_day"]], np.float64),
        burn_dv_m_s=np.array([known["burn_dv_m_s"]], np.float64),
        law_factors_rtn=np.array([[known[f"law_factor_{axis}"] for axis in "rtn"]], np.float64),
    )
