"""Answers: which objects decay, when, and how long a fleet's satellites stay."""

from typing import Any, Literal

from api.models.responses import model_of
from screening.answers import answer
from storage.sky_schema import DECAYS

Outlook = Literal["decays", "stays", "thrusts or unknown"]

ReEntry: Any = model_of(
    "ReEntry",
    "When an object decays by drag: the median, and the window that holds 90 % of decays. Times are UTC.",
    [column for column in DECAYS.columns if column.name != "run_id"],
)


@answer(run_id="20241101T000000Z", total=31)
class ReEntries:
    """Objects that decay soon. Where they come down, and the risk on the ground, are not forecast."""

    run_id: str
    """The run whose element sets the forecasts are from."""
    re_entries: list[ReEntry]
    """The objects, the first decay first."""
    total: int
    """Number of objects that match, regardless of `limit`."""


@answer(norad_id=25544, name="ISS (ZARYA)", perigee_km=413.2, outlook="thrusts or unknown", re_entry=None)
class RemainingLife:
    """How long a satellite of a fleet stays in orbit if it is left to drag."""

    norad_id: int
    """Catalogue number."""
    name: str
    """Name of the object."""
    perigee_km: float | None
    """Height of its perigee, km; null: no catalogue has its element set."""
    outlook: Outlook
    """`decays`: by drag, within five years, see `re_entry`. `stays`: not within five years. `thrusts or
    unknown`: it is low, and its element sets show no decay by drag alone."""
    re_entry: ReEntry | None
    """When it decays; null unless `outlook` is `decays`."""


@answer(run_id="20241101T000000Z", total=3)
class RemainingLives:
    """How long the satellites of a fleet stay in orbit."""

    run_id: str
    """The run whose element sets the forecasts are from."""
    satellites: list[RemainingLife]
    """Objects of the fleet in that run, the first decay first, then by number."""
    total: int
    """Number of satellites."""
