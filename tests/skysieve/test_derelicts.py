"""A week of a whole catalogue, from the file to the run, has what an independent tool lists for it."""

from collections import defaultdict
from pathlib import Path

import numpy as np
import pytest

import skysieve
from tests.validation.orbits.derelicts import FOLDER, read_rows

FIFTEEN_MILLISECONDS = np.timedelta64(15, "ms")
THIRTY_CENTIMETRES_M = 0.3  # the tool rounds epochs to 40 us


@pytest.mark.slow
@pytest.mark.parametrize(("day", "count"), [("20180217", 402), ("20190315", 421), ("20191107", 359)])
def test_a_run_has_every_conjunction_of_the_list(shared_data: Path, day: str, count: int) -> None:
    name = f"{FOLDER}/{day}"
    for file in (shared_data / f"{name}.csv", shared_data / f"{name}.tle.gz"):
        if not file.exists():
            pytest.skip(f"needs the data file {file}")
    midnight = np.datetime64(f"{day[:4]}-{day[4:6]}-{day[6:]}", "us")
    rows = [row for row in read_rows(shared_data, f"{name}.csv") if row.made == midnight]
    catalogue = skysieve.read_catalogue(shared_data / f"{name}.tle.gz")
    found = skysieve.screen(catalogue, start=midnight, hours=168.0, threshold_km=5.0).conjunctions
    approaches = defaultdict(list)
    columns = ("primary_norad_id", "secondary_norad_id", "tca", "miss_distance_m")
    for primary, secondary, tca, miss_m in zip(*(found[name].array for name in columns), strict=True):
        approaches[primary, secondary].append((tca.tz_localize(None).to_datetime64(), miss_m))
    assert len(rows) == count
    for row in rows:
        assert any(
            abs(tca - row.tca) < FIFTEEN_MILLISECONDS
            and abs(miss_m - 1e3 * row.range_km) < THIRTY_CENTIMETRES_M
            for tca, miss_m in approaches[row.pair]
        ), row
