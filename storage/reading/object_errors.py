"""How far off an object's element set may be, by age, as the newest run rates it."""

from collections.abc import Mapping
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from screening.errors import UsageError
from screening.orbits.elements import ELEMENT_DTYPE, ElementArray
from screening.orbits.timegrid import instants
from screening.risk.objects.differenced import Differences, own_differences
from screening.risk.objects.error_classes import ERROR_CLASSES, KnownOf, aged, error_classes, manoeuvring
from screening.risk.objects.error_law import LAW_SOURCES, TAIL_SCALES_RTN, TAIL_SHARES, ErrorLaws, laws_of
from screening.risk.objects.regimes import REGIMES, regime
from screening.risk.probability.tails import within_rtn_m
from screening.risk.views import object_errors as views
from screening.vocabulary import ERROR_LAWS, OBJECT_TYPES
from storage.disk.faults import store_faults
from storage.reading.element_history import element_history
from storage.reading.newest_run import connect
from storage.rows.elements import sets_of_rows
from storage.rows.words.object_errors import error_words
from storage.times import datetime64_us, fetched_utc, utc_datetime

AGES_DAYS = (0.0, 1.0, 3.0, 7.0)
DRAWN_DAYS = np.linspace(0.0, AGES_DAYS[-1], 29)
MOST_DIFFERENCES = 200  # more cover each other in a picture
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


def object_errors(store: Path, norad_id: int) -> views.ObjectErrors:
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
    differences = own_differences(element_history(store, elements))
    return _errors(run_id, elements, dict(zip(OF_THE_OBJECT, row, strict=True)), differences)


def _errors(
    run_id: str, elements: ElementArray, known: dict[str, Any], differences: Differences
) -> views.ObjectErrors:
    of_class = known_of(known)
    classes, laws = error_classes(elements, of_class), laws_of(elements, of_class)
    (epoch,) = instants(elements["epoch_jd"], elements["epoch_day_fraction"])
    law, measured = _law(laws), _measured(differences)
    sigmas = (law.sigma_rtn_m[np.searchsorted(DRAWN_DAYS, age)].tolist() for age in AGES_DAYS)
    moves = bool(manoeuvring(classes)[0])
    return views.ObjectErrors(
        norad_id=int(elements["norad_id"][0]),
        name=str(elements["name"][0]),
        run_id=run_id,
        words=error_words(law, measured, manoeuvring=moves),
        regime=REGIMES[regime(elements)[0]],
        error_class=ERROR_CLASSES[classes[0]],
        manoeuvring=moves,
        element_epoch=utc_datetime(epoch),
        hard_body_radius_m=known["hard_body_radius_m"],
        hard_body_source=known["hard_body_source"],
        errors=[views.ErrorsAtAge(age, *sigma) for age, sigma in zip(AGES_DAYS, sigmas, strict=True)],
        law=law,
        source=LAW_SOURCES[ERROR_LAWS[laws.codes[0]]],
        factors_rtn=tuple(laws.factors_rtn[0].tolist()) if laws.own[0] else None,
        tail_share=float(TAIL_SHARES[laws.codes[0]]),
        tail_scale_rtn=tuple(TAIL_SCALES_RTN[laws.codes[0]].tolist()),
        burns_per_day=float(laws.burns.per_day[0]),
        burn_dv_m_s=float(laws.burns.dv_m_s[0]),
        measured=measured,
        differences=_some(differences),
    )


def _law(laws: ErrorLaws) -> views.LawByAge:
    index = np.zeros(len(DRAWN_DAYS), np.int64)
    sigma_m, tails = laws.sigma_rtn_m(index, DRAWN_DAYS), laws.tails(index, DRAWN_DAYS)
    return views.LawByAge(DRAWN_DAYS, sigma_m, within_rtn_m(sigma_m, tails, views.WITHIN), tails.burn_share)


def _measured(differences: Differences) -> list[views.Measured]:
    sizes = [(edges, *differences.sizes_m(*edges)) for edges in pairwise(MEASURED_BINS_DAYS)]
    return [views.Measured(*edges, pairs, *sigmas.tolist()) for edges, pairs, sigmas in sizes if pairs]


def _some(differences: Differences) -> views.Differences:
    """Return MOST_DIFFERENCES of them at most, as many at each age as there are of all."""
    count = int(np.searchsorted(differences.age_days, AGES_DAYS[-1], side="right"))
    some = np.linspace(0, count - 1, min(count, MOST_DIFFERENCES)).astype(np.int64)
    return views.Differences(differences.age_days[some], differences.missed_rtn_m[some])


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
