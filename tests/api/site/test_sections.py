"""Pages of what changed in the sky: a real run's numbers as the store has them."""

import re
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import duckdb
import numpy as np
import pytest

from api.settings import ApiSettings
from api.site.contents import Wishes, contents_of
from api.site.pictures.charts import HEIGHT
from api.site.sections import changes, environment
from storage.in_memory.snapshot import newest_snapshot
from storage.settings import load_settings
from tests.runs import START, make_run, source_of

pytestmark = pytest.mark.slow
BOTTOM = 34.0  # px below the axis


def _cells_of(body: str) -> list[str]:
    """Return the paths of filled cells in a picture."""
    return re.findall(r'<path class="cell"[^>]* d="([^"]*)"', body)


def test_crowding_and_changes_are_those_of_the_store(
    shared_file: Callable[[str], Path], store: Path, tmp_path: Path
) -> None:
    lines = shared_file("gp_onorbit_20241101.csv").read_text().splitlines()
    run_id = make_run(source_of([lines[0], *lines[1::40]], tmp_path), store, START, 24.0).run_id
    snapshot = newest_snapshot(store, analyses=False)
    settings = load_settings(ApiSettings, store=store)
    now = snapshot.run.finished + timedelta(hours=1)
    contents = contents_of(snapshot, Wishes(), settings, "1.2.3", now)
    crowding, changed = environment.page(contents), changes.page(contents)
    assert crowding is not None
    assert changed is not None
    file = next(store.glob("environment/[1-9]*.parquet"))
    counted = duckdb.sql(
        f"SELECT round(objects) FROM '{file}' WHERE run_id = '{run_id}' AND kind = 'shell' AND one = 'all' "
        "ORDER BY altitude_from_km"
    ).fetchall()
    table = crowding.body.split("</table>")[0]
    shown = re.findall(r'<tr><td>[^<]*</td><td class="number">([\d,]+)</td>', table)
    assert len(shown) > 10
    assert [int(text.replace(",", "")) for text in shown] == [int(objects) for (objects,) in counted]
    tops = [float(y) for y in re.findall(r"V([\d.]+)H", _cells_of(crowding.body)[0])]
    approaches = duckdb.sql(
        f"SELECT approaches_5km_day FROM '{file}' WHERE run_id = '{run_id}' AND kind = 'shell' "
        "AND one = 'all' AND altitude_to_km <= 2000 AND approaches_5km_day > 0 ORDER BY altitude_from_km"
    ).fetchall()
    floor = HEIGHT - BOTTOM
    heights = np.array([floor - top for top in tops])
    wanted = np.array([count for (count,) in approaches])
    assert np.abs(heights / heights.max() - wanted / wanted.max()).max() < 1e-3
    assert f"<td>{run_id}</td>" in changed.body
    assert f"{snapshot.run.objects:,}" in changed.body
