"""Answers: the manoeuvres that element sets show."""

from typing import Any

from api.models.responses import model_of
from screening.answers import answer
from storage.manoeuvre_schema import MANOEUVRES

DetectedManoeuvre: Any = model_of(
    "DetectedManoeuvre",
    "A manoeuvre that the element sets of an object show. Times are UTC.",
    MANOEUVRES.columns,
)


@answer(total=12)
class DetectedManoeuvres:
    """Manoeuvres that element sets show."""

    manoeuvres: list[DetectedManoeuvre]
    """The manoeuvres, the newest first."""
    total: int
    """Number of manoeuvres that match, regardless of `limit`."""
