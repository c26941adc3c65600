"""Where published element sets lead, by python-sgp4: for comparison with what is answered."""

import csv
from datetime import datetime
from pathlib import Path

import numpy as np
from sgp4 import omm
from sgp4.api import Satrec

from screening.orbits.timegrid import julian_date


class PublishedOrbits:
    """The element sets of a CSV file by catalogue number."""

    def __init__(self, path: Path) -> None:
        with path.open(newline="") as file:
            self._sets = {int(row["NORAD_CAT_ID"]): row for row in csv.DictReader(file)}

    def positions_km(self, number: int, tca: datetime, seconds: np.ndarray) -> np.ndarray:
        """Return positions (n, 3) of an object in TEME at times (n,) from a time."""
        record = Satrec()
        omm.initialize(record, self._sets[number])
        jd, day_fraction = julian_date(np.array([np.datetime64(tca.replace(tzinfo=None), "us")]))
        _, r_km, _ = record.sgp4_array(np.full(len(seconds), jd[0]), day_fraction[0] + seconds / 86_400)
        return r_km
