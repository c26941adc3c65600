"""How old the element sets of a run are: status, service, reports, metrics and alerts use this."""

from datetime import datetime, timedelta
from typing import Literal, NamedTuple, Protocol

from storage.settings import StoreSettings

State = Literal["current", "old", "historic", "unknown"]


class Dated(Protocol):
    """A run whose element sets have an age."""

    @property
    def historic(self) -> bool:
        """Whether its window lies in the time of an old catalogue."""

    @property
    def catalogue_epoch(self) -> datetime | None:
        """The epoch that dates its element sets."""


class CatalogueAge(NamedTuple):
    """The age of a run's element sets."""

    state: State  # old: nothing new has come for too long; unknown: a run of an earlier release
    epoch: datetime | None = None  # UTC with its zone, of the newest sets
    age: timedelta | None = None


AGE_UNKNOWN = CatalogueAge("unknown")


def catalogue_age(run: Dated, settings: StoreSettings, now: datetime) -> CatalogueAge:
    """Return how old the element sets of a run are at a time (UTC); those of a historic run may be old."""
    if run.catalogue_epoch is None:
        return CatalogueAge("historic" if run.historic else "unknown")
    age = now - run.catalogue_epoch
    state: State = "old" if age > settings.blind_after else "current"
    return CatalogueAge("historic" if run.historic else state, run.catalogue_epoch, age)
