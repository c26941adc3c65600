"""Refit the error laws after a run, once a week; the run stands whatever fails."""

from datetime import datetime, timedelta

from flows.runs.skipped_sources import record_skipped
from flows.settings import FlowSettings
from screening.errors import SkysieveError
from storage.analyses.law_refit import refit_laws
from storage.histories.fitted_laws import fitted_laws

REFIT_INTERVAL = timedelta(days=7)
_NAME = "error laws"


def refit_when_due(settings: FlowSettings, now: datetime) -> str | None:
    """Refit the error laws if the last fit is a week old; return what was done, None if it was not due.

    A failure is logged as a warning and recorded as a skipped attempt; the laws stay as they were.
    """
    last = fitted_laws(settings.store)
    if last is not None and abs(now - last.made) < REFIT_INTERVAL:
        return None
    try:
        return refit_laws(settings.store, now).words
    except SkysieveError as error:
        record_skipped(settings.store, now, _NAME, str(error))
        return None
