"""What the geometry of an event adds to its words: how sure they are, and by what both objects fly.

Ids of ephemerides, errors across the flight and the curves of the probability are not in its row.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

import numpy as np

from screening.answers import answer
from screening.risk.views.shapes import ScaleCurve
from storage.rows.danger import decisive_probability_of
from storage.rows.marks import GUESSED_RADII, USUAL_ERRORS
from storage.rows.trajectory_words import trajectory_words
from storage.rows.words.event import SIDES, Row, flown_sides, in_plane, is_diluted, manoeuvring, name_of
from storage.rows.words.numbers import chances, distance, metres, minute, number, probability
from storage.vocabulary import TOLD

if TYPE_CHECKING:  # it needs numba, which an idle service does not
    from screening.risk.views.event_geometry import EventGeometry

Behind = tuple[str, datetime]  # an ephemeris: its id, and when it was added, UTC
_FAR_SIGMAS = 3.0  # where nearly no error reaches: 99.7 % along a line
_HALF, _DOUBLE = 0.5, 2.0


@answer(
    certainty="Roughly known",
    reason="from the usual errors, none measured",
    bound="With the spheres around both objects, 12.3 m together, the probability would be at most 2.05e-06.",
    errors="The miss is known to about ± 310 m (1 sigma) in its least certain direction.",
    other_errors="With errors about half as large it would be 1 in 23,600; about twice as large, ...",
    paths="At TCA the element sets are 28 h and 5 h old.",
)
class GeometryWords:
    """What the geometry adds to the sentences of the event; empty: nothing to say."""

    certainty: str
    """Well known, Roughly known, Poorly known, Not known: the probability."""
    reason: str
    """Why."""
    bound: str
    """The probability with the spheres around both objects."""
    errors: str
    """How well the miss is known."""
    other_errors: str
    """The probability with errors half and twice as large."""
    paths: str
    """What both objects fly on, and how old that is."""


def geometry_words(
    row: Row, geometry: "EventGeometry", trajectories: Sequence[Behind | None]
) -> GeometryWords:
    """Return the words; `trajectories`: what primary and secondary fly on, None: on none, or it is gone."""
    certainty, reason = _certainty(row)
    sigmas = geometry.plane.miss_sigmas if geometry.plane and in_plane(row) else None
    # In three dimensions, sigmas in the plane say little.
    if sigmas is not None and not _is_unrated(row):
        reason = f"{reason}; {_reach(sigmas)}"
    return GeometryWords(
        certainty,
        reason,
        _bound(geometry),
        _errors(row, geometry),
        _with_other_errors(geometry.dilution) if in_plane(row) else "",
        _paths(row, trajectories),
    )


def _is_unrated(row: Row) -> bool:
    return decisive_probability_of(row) is None or row["probability_method"] == "bound"


def _certainty(row: Row) -> tuple[str, str]:
    """Return how well the probability is known, and the first reason for distrust."""
    if decisive_probability_of(row) is None:
        told = row["origin"] in TOLD
        return "Not known", "the message gives too little" if told else "no probability could be computed"
    if row["probability_method"] == "bound":
        return "Poorly known", "only an upper limit could be computed"
    if thrusting := manoeuvring(row):
        return "Poorly known", f"{' and '.join(thrusting)}: manoeuvring often or recently"
    if is_diluted(row):
        return "Poorly known", "diluted, so better data could raise it"
    if any(row[f"{side}_covariance_source"] in USUAL_ERRORS for side in SIDES):
        return "Roughly known", "from the usual errors, none measured"
    if row["hard_body_source"] in GUESSED_RADII:
        return "Roughly known", "a radius is guessed"
    return "Well known", "neither errors nor sizes are guessed"


def _reach(sigmas: float) -> str:
    words = f"{number(sigmas, 2 if sigmas < 10 else 0)}σ"
    if sigmas < 1:
        return f"the miss is within the usual error ({words})"
    if sigmas <= _FAR_SIGMAS:
        return f"a hit is within the errors ({words})"
    return f"a hit requires an error of {words}"


def _bound(geometry: "EventGeometry") -> str:
    curve = geometry.radius
    if curve is None or curve.at_most is None:
        return ""
    return (
        f"With the spheres around both objects, {metres(curve.bounding_radius_m)} m together, the "
        f"probability would be at most {probability(curve.at_most)}."
    )


def _errors(row: Row, geometry: "EventGeometry") -> str:
    spread = geometry.plane.combined if geometry.plane else None
    if spread is None or not in_plane(row):
        return ""
    larger = spread.sigma_major_m > row["miss_distance_m"]
    compared = ", which is more than the miss itself" if larger else ""
    size = distance(spread.sigma_major_m)
    return f"The miss is known to about ± {size} (1 sigma) in its least certain direction{compared}."


def _with_other_errors(curve: ScaleCurve | None) -> str:
    if curve is None:
        return ""
    half, double = (
        chances(float(curve.probability[np.abs(np.log(curve.scale / scale)).argmin()]))
        for scale in (_HALF, _DOUBLE)
    )
    return f"With errors about half as large it would be {half}; about twice as large, {double}."


def _paths(row: Row, trajectories: Sequence[Behind | None]) -> str:
    if row["origin"] in TOLD:
        return ""
    if not flown_sides(row, "ephemeris"):
        ages = " and ".join(_age(row, side) for side in SIDES)
        fitted = flown_sides(row, "supgp")
        said = f"At TCA the element sets are {ages} old."
        if fitted:
            said += f" The set of {' and that of '.join(fitted)} is fitted to the operator's ephemeris."
        return said
    return " ".join(_path(row, side, behind) for side, behind in zip(SIDES, trajectories, strict=True))


def _path(row: Row, side: str, behind: Behind | None) -> str:
    name, words = name_of(row, side), trajectory_words(row[f"{side}_trajectory"])
    if row[f"{side}_trajectory"] != "ephemeris":
        return f"At TCA the {words} of {name} is {_age(row, side)} old."
    which = f"{behind[0]}, added {minute(behind[1])} UTC" if behind else "no longer in the store"
    measured = row[f"{side}_covariance_source"] == "trajectory"
    errors = "with the operator's covariance" if measured else "without covariance"
    return f"{name} flies on its {words} ({which}; {errors})."


def _age(row: Row, side: str) -> str:
    epoch = row[f"{side}_epoch"]
    return f"{number(None if epoch is None else (row['tca'] - epoch) / timedelta(hours=1), 0)} h"
