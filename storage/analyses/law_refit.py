"""Refit the error laws to the history of a store's newest objects."""

from datetime import datetime
from pathlib import Path

import numpy as np

from screening.errors import UsageError
from screening.orbits.elements import ELEMENT_DTYPE
from screening.risk.objects.error_classes import ERROR_CLASSES
from screening.risk.objects.refit.class_factors import chosen, refits
from storage.disk.faults import store_faults
from storage.histories.fitted_laws import FittedLaws, write_fitted_laws
from storage.reading.element_history import element_history
from storage.reading.newest_run import connect
from storage.rows.elements import sets_of_rows
from storage.times import fetched_utc


def refit_laws(store: Path, now: datetime) -> FittedLaws:
    """Fit the error laws to 30 days of sets of the newest run's objects, and store that; `now` is UTC.

    Raises:
        UsageError: the run is of made-up objects.
        StoreError: there is no run, or the store cannot be read or written.
    """
    with store_faults(store), connect(store) as connection:
        query = "SELECT started, synthetic FROM runs ORDER BY run_id DESC LIMIT 1"
        ((known, synthetic),) = fetched_utc(connection.execute(query))
        if synthetic:
            raise UsageError("The newest run is of made-up objects: no error law is fitted to them.")
        columns = connection.execute(sets_of_rows("FROM elements", "ORDER BY norad_id")).fetchnumpy()
        words = connection.execute("SELECT error_class FROM objects ORDER BY norad_id").fetchall()
    elements = np.zeros(len(words), ELEMENT_DTYPE)
    for name, values in columns.items():
        elements[name] = values
    classes = np.array(
        [ERROR_CLASSES.index(word) if word in ERROR_CLASSES else 0 for (word,) in words], np.int8
    )
    some = chosen(elements, classes)
    history = element_history(store, elements[some], known)
    own = classes[some][np.searchsorted(elements["norad_id"][some], history["norad_id"])]
    fitted = FittedLaws(now, known, len(history), refits(history, own))
    write_fitted_laws(store, fitted)
    return fitted
