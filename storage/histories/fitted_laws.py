"""The error laws as a store's own history refits them: `error_laws.json`, which runs read."""

import logging
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

import numpy as np

from screening.orbits.timegrid import FloatArray
from screening.risk.objects.refit.class_factors import LARGEST_FACTOR, SMALLEST_FACTOR, Refit
from screening.vocabulary import ERROR_LAWS
from storage.disk.checksums import opened_json, sealed_json
from storage.disk.faults import store_faults
from storage.disk.layout import ERROR_LAWS_FILE
from storage.disk.lock import store_lock
from storage.disk.whole_files import staged_beside, sync_folder, write_text
from storage.times import parse_time, time_text

SHIPPED = "shipped"
_LOCK_TIMEOUT_S = 60.0

log = logging.getLogger("skysieve")


class FittedLaws(NamedTuple):
    """The laws refitted to the history of a store. Times are UTC."""

    made: datetime
    known: datetime  # no set was used that was not known then
    sets: int
    laws: Mapping[str, Refit]  # by name; the others are as shipped

    @property
    def words(self) -> str:
        """What the record of a run says of them; nobody else's words are the same."""
        if not self.laws:
            return SHIPPED
        return f"refitted {time_text(self.made, 'seconds')} to {self.sets} sets known {time_text(self.known)}"

    @property
    def factors_rtn(self) -> FloatArray:
        """The factors (laws, 3) on the shipped laws, in the order of ERROR_LAWS."""
        one = (1.0, 1.0, 1.0)
        return np.array([self.laws[name].factors_rtn if name in self.laws else one for name in ERROR_LAWS])


class LawsInUse(NamedTuple):
    """The laws of a run: factors (laws, 3) on the shipped ones, None for 1, and what its record says."""

    factors_rtn: FloatArray | None = None
    words: str = SHIPPED


SHIPPED_LAWS = LawsInUse()


def fitted_laws(store: Path) -> FittedLaws | None:
    """Return the refitted laws of a store; None: none, or their file is damaged, which is logged."""
    path = store / ERROR_LAWS_FILE
    try:
        record = opened_json(path.read_bytes())
        laws = {
            name: Refit(int(objects), int(pairs), (float(r), float(t), float(n)))
            for name, (objects, pairs, (r, t, n)) in record["laws"].items()
        }
        made, known = (parse_time(record[name]) for name in ("made", "known"))
        found = FittedLaws(made, known, int(record["sets"]), laws)
        _check(laws)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        log.warning(
            "%s cannot be read (%s): error laws are the shipped ones until the next fit.", path, error
        )
        return None
    return found


def laws_in_use(store: Path, as_of: datetime | None = None) -> LawsInUse:
    """Return the laws of a run; a replay `as_of` a time (UTC) takes none fitted to sets known later."""
    found = fitted_laws(store)
    if found is None or not found.laws or (as_of is not None and found.known > as_of):
        return SHIPPED_LAWS
    return LawsInUse(found.factors_rtn, found.words)


def write_fitted_laws(store: Path, fitted: FittedLaws) -> None:
    """Replace the refitted laws of a store in one step.

    Raises:
        StoreError: the store cannot be written.
    """
    record = {
        "made": time_text(fitted.made),
        "known": time_text(fitted.known),
        "sets": fitted.sets,
        "laws": {name: [one.objects, one.pairs, list(one.factors_rtn)] for name, one in fitted.laws.items()},
    }
    with store_faults(store), store_lock(store, _LOCK_TIMEOUT_S):
        with staged_beside(store / ERROR_LAWS_FILE) as staged:
            write_text(staged, sealed_json(record))
        sync_folder(store)


def _check(laws: Mapping[str, Refit]) -> None:
    """Raise ValueError for an unknown law, or factors out of bounds."""
    for name, one in laws.items():
        within = [SMALLEST_FACTOR <= factor <= LARGEST_FACTOR for factor in one.factors_rtn]
        if name not in ERROR_LAWS or not all(within):
            raise ValueError(f"{name} has factors {one.factors_rtn}")
