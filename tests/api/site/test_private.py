"""Events on an organisation's trajectory are in no file of the site."""

from datetime import datetime
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
import pytest

from api.settings import ApiSettings
from api.site.build import build_site
from api.site.contents import Wishes
from screening.orbits.ephemerides import Ephemeris, Segment
from screening.vocabulary import TRAJECTORY_KINDS
from storage.in_memory.snapshot import newest_snapshot
from storage.settings import load_settings
from storage.trajectories.kept import add_trajectory
from storage.trajectories.trajectory_file import About
from storage.vocabulary import EVERYBODY, FIRST_ORGANISATION
from tests.api.site.conftest import EVENTS
from tests.made_up_run import make_run, possible, publish


def trajectory_of(
    norad_id: int, store: Path, added: datetime, organisation_id: int, restricted: bool
) -> None:
    epochs = np.datetime64(added.replace(tzinfo=None), "us") + np.arange(20) * np.timedelta64(60, "s")
    segment = Segment(
        epochs, np.full((20, 3), 7000.0), epochs[0], epochs[-1], epochs[:0], np.empty((0, 6, 6))
    )
    about = About("definitive", "a.oem", "0" * 64, added, restricted, organisation_id=organisation_id)
    add_trajectory(store, Ephemeris(norad_id, "", "", (segment,)), about)


@pytest.mark.usefixtures("assets")
@pytest.mark.parametrize(
    ("organisation_id", "restricted", "is_private"),
    [(FIRST_ORGANISATION, False, True), (EVERYBODY, True, True), (EVERYBODY, False, False)],
)
def test_an_event_on_a_trajectory_that_is_not_public_is_left_out(
    store: Path, tmp_path: Path,
    organisation_id: int, restricted: bool, is_private: bool,
) -> None:  # fmt: skip
    made_up = possible(make_run(conjunctions=EVENTS))
    nearest = int(made_up.conjunctions["miss_distance_m"].argmin())
    for side in ("primary", "secondary"):
        made_up.conjunctions[f"{side}_trajectory"][:] = TRAJECTORY_KINDS.index("gp")
    made_up.conjunctions["secondary_trajectory"][nearest] = TRAJECTORY_KINDS.index("ephemeris")
    number = int(made_up.conjunctions["secondary_norad_id"][nearest])
    publish(store, made_up)
    trajectory_of(number, store, made_up.run.started, organisation_id, restricted)
    snapshot = newest_snapshot(store, analyses=False)
    (event_id,) = snapshot.columns("SELECT event_id FROM events WHERE secondary_trajectory = 'ephemeris'")[
        "event_id"
    ]
    settings = load_settings(ApiSettings, store=store)
    build_site(tmp_path / "site", snapshot, Wishes(), settings, "1.2.3", made_up.run.finished)
    ids = pq.read_table(tmp_path / "site/data/events.parquet")["event_id"].to_pylist()
    assert len(ids) == EVENTS - is_private
    assert (event_id in ids) != is_private
    texts = [one.read_text() for one in (tmp_path / "site").rglob("*") if one.suffix in (".html", ".js")]
    assert any(str(event_id) in text for text in texts) != is_private
