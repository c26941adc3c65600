"""Downloads beside a catalogue that failed: logged, and stored for `status`; no run depends on them."""

import logging
from datetime import datetime
from pathlib import Path

from storage.state.database import begin_attempt, end_attempt
from storage.state.tables import ServiceStateError

log = logging.getLogger("skysieve")


def record_skipped(
    store: Path, now: datetime, source: str, reason: str, *, name: str = "", decision: str | None = None
) -> None:
    """Log a warning, and record a skipped attempt with its reason; raises nothing. `name` is for the log."""
    log.warning("%s: %s", name or source, reason)
    try:
        attempt = begin_attempt(store, now, source, source)
        end_attempt(store, attempt, now, "skipped", decision=decision, reason=reason)
    except ServiceStateError as error:
        log.warning("%s: %s", name or source, error)
