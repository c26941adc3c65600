"""What `status` shows besides the newest run: recent attempts, the catalogue's age, fleets and alerts."""

from datetime import datetime
from pathlib import Path
from typing import NamedTuple

from screening.errors import StoreError
from storage.disk.current import read_current
from storage.disk.downloads import AcceptedText, histories
from storage.messages.origins import Origin, origins
from storage.sky.catalogue import newest_words
from storage.state.alerts.alerts import alerts
from storage.state.alerts.deliveries import Figures, figures
from storage.state.database import Attempt, newest_attempts
from storage.state.fleets import fleets

SHOWN_ATTEMPTS = 5
NOT_COMPARED = ["The newest run has not compared its catalogue with an earlier one."]


class Watched(NamedTuple):
    """How many fleets and alerts there are, and how deliveries are doing."""

    fleets: int
    alerts: int
    figures: Figures


class ServiceView(NamedTuple):
    """Attempts, download, what is watched; an unreadable part becomes a problem and hides no other part."""

    attempts: list[Attempt]  # newest first
    catalogue_text: AcceptedText | None  # of the newest run; None: not downloaded, or no longer kept
    problems: list[str]
    watched: Watched | None = None  # None: not readable
    origins: tuple[Origin, ...] = ()  # of messages
    catalogue_words: tuple[str, ...] = ()  # what changed in the newest run's catalogue


NOTHING_KNOWN = ServiceView([], None, [])


def view_service(store: Path, catalogue_sha256: str | None, now: datetime) -> ServiceView:
    """Return the newest attempts, the download whose text has this hash, if kept, and what is watched."""
    attempts: list[Attempt] = []
    catalogue_text = None
    watched = None
    asked: tuple[Origin, ...] = ()
    changed: list[str] = []
    problems = []
    try:
        attempts = newest_attempts(store, SHOWN_ATTEMPTS)
        watched = Watched(len(fleets(store)), len(alerts(store)), figures(store, now))
    except StoreError as error:
        problems.append(str(error))
    try:
        changed = newest_words(store) or (NOT_COMPARED if read_current(store) else [])
        asked = origins(store)[:2]
        texts = [text for history in histories(store) for text in history.texts]
        same = (text for text in texts if text.sha256 == catalogue_sha256)
        catalogue_text = max(same, key=lambda text: text.checked_at, default=None)
    except StoreError as error:
        problems.append(str(error))
    return ServiceView(attempts, catalogue_text, problems, watched, asked, tuple(changed))
