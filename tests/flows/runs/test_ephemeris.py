"""A run whose ephemeris would be too large keeps it of payloads, or none, and is published all the same."""

import logging
import os
from pathlib import Path

import numpy as np
import pytest

from flows.runs.ephemeris import staged_ephemeris
from flows.settings import FlowSettings
from screening.orbits.timegrid import window
from screening.synthetic.catalogue import synthetic_catalogue
from storage.disk.checksums import opened_json
from storage.disk.ephemeris_bound import MB, Kept, kept_of
from storage.disk.ephemeris_states import ephemeris_bytes

START = np.datetime64("2026-01-01T00:00:00", "us")
PAYLOAD = np.arange(200) % 4 == 0


@pytest.mark.parametrize(
    ("max_objects", "what", "objects"),
    [(200, "all", 200), (199, "payloads", 50), (50, "payloads", 50), (49, "none", 0)],
)
def test_what_fits_is_kept_and_the_rest_is_logged(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, max_objects: int, what: str, objects: int
) -> None:
    elements = synthetic_catalogue(200, 1, START).elements
    max_mb = ephemeris_bytes(max_objects, 13.0) / MB
    settings = FlowSettings(store=tmp_path, ephemeris_max_mb=max_mb)
    with (
        caplog.at_level(logging.WARNING),
        staged_ephemeris(elements, window(START, 1.0), settings, PAYLOAD) as folder,
    ):
        staged = folder()
        assert staged is not None
        assert staged.name == f".staged-{os.getpid()}"
        whole_mb = ephemeris_bytes(200, 13.0) / MB
        kept = kept_of(opened_json((staged / "about.json").read_bytes()))
        assert kept == Kept(what, objects, 200, whole_mb, max_mb)
        assert sum(path.stat().st_size for path in staged.glob("*.npy")) <= max_mb * MB
        assert sorted(path.name for path in staged.glob("*.npy")) == (
            [] if what == "none" else ["objects.npy", "slack_km.npy", "states.npy"]
        )
    assert ("SKYSIEVE_EPHEMERIS_MAX_MB" in caplog.text) == (what != "all")
    assert list((tmp_path / "ephemeris").iterdir()) == []  # it was not published
