"""Which events earlier runs have seen, by what their files say now."""

import shutil
from pathlib import Path

import numpy as np

from storage.disk.layout import RUN_FILES, run_folder
from storage.writing.found_events import events_of
from storage.writing.known_events import seen_before
from tests.made_up_run import make_run, publish_anew

FORTY_DAYS = np.timedelta64(40, "D")


def test_a_file_that_has_changed_is_looked_into_again(tmp_path: Path) -> None:
    """Of a file whose events had all passed only the end is remembered; a month's file grows later."""
    later = make_run()
    for name in ("tca", "inside_from", "inside_to"):
        later.conjunctions[name] += FORTY_DAYS
    old, new = (
        run_folder(tmp_path / name, publish_anew(tmp_path / name, run)) / RUN_FILES["conjunctions"]
        for name, run in (("store", make_run()), ("other", later))
    )
    events = events_of(later.conjunctions)
    assert len(seen_before(tmp_path / "store", events)) == 0
    shutil.copyfile(new, old)
    assert len(seen_before(tmp_path / "store", events)) == len(events)
