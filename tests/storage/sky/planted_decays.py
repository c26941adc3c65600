"""Decays put into a store as if a run had forecast them."""

from datetime import timedelta
from pathlib import Path

import pyarrow as pa

from storage.disk.layout import decay_file, replace_parquet
from storage.disk.run_ids import start_of
from storage.sky_schema import DECAYS


def plant(store: Path, run_id: str, days: dict[int, float]) -> None:
    """Store for each object, by its number, that it decays so many days after the start of a run."""
    start = start_of(run_id).replace(tzinfo=None)
    rows = [
        {
            "run_id": run_id,
            "norad_id": number,
            "name": f"OBJECT {number}",
            "median": start + timedelta(days=left),
            "window_start": start + timedelta(days=0.7 * left),
            "window_end": start + timedelta(days=1.5 * left),
            "method": "set",
            "may_manoeuvre": False,
            "epoch": start,
            "earlier_epoch": None,
            "perigee_km": 250.0,
            "apogee_km": 300.0,
            "inclination_deg": 82.5,
            "exospheric_kelvin": 900.0,
        }
        for number, left in days.items()
    ]
    replace_parquet(pa.Table.from_pylist(rows, DECAYS.arrow), decay_file(store, run_id))
