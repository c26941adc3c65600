"""What `status` shows besides the newest run: recent attempts, and the age of the catalogue."""

from pathlib import Path
from typing import NamedTuple

from screening.errors import StoreError
from storage.disk.downloads import AcceptedText, histories
from storage.state.database import Attempt, newest_attempts

SHOWN_ATTEMPTS = 5


class ServiceView(NamedTuple):
    """Attempts and download; an unreadable part of the store becomes a problem and hides no other part."""

    attempts: list[Attempt]  # newest first
    catalogue_text: AcceptedText | None  # of the newest run; None: not downloaded, or no longer kept
    problems: list[str]


NOTHING_KNOWN = ServiceView([], None, [])


def view_service(store: Path, catalogue_sha256: str | None) -> ServiceView:
    """Return the newest attempts, and the download whose text has this hash, if it is still kept."""
    attempts: list[Attempt] = []
    catalogue_text = None
    problems = []
    try:
        attempts = newest_attempts(store, SHOWN_ATTEMPTS)
    except StoreError as error:
        problems.append(str(error))
    try:
        texts = [text for history in histories(store) for text in history.texts]
        same = (text for text in texts if text.sha256 == catalogue_sha256)
        catalogue_text = max(same, key=lambda text: text.checked_at, default=None)
    except StoreError as error:
        problems.append(str(error))
    return ServiceView(attempts, catalogue_text, problems)
