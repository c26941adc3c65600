"""Which objects stand out, of forecasts written by hand."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pyarrow as pa
import pytest

from storage.disk.layout import forecast_file, prepare, replace_parquet
from storage.forecast_schema import FORECASTS
from storage.verification.suspects import suspects

NOON = datetime(2026, 11, 1, 12, tzinfo=UTC)
RUN = "20261103T000000Z"
OBJECT, OTHER = 33591, 44714


def named(store: Path, *sets: tuple[int, float]) -> list[tuple[int, int, int, float]]:
    """Return what stands out by an object's sets of a day each: of how many encounters, sigmas off."""
    rows = [
        {
            "event_id": place * 100 + one,
            "run_id": RUN,
            "judged_by": RUN,
            "tca": NOON.replace(tzinfo=None) + timedelta(days=place, hours=one),
            "lead_days": 1.0,
            "stands_for": 1,
            "primary_norad_id": OTHER + one,
            "secondary_norad_id": OBJECT,
            **{f"{who}_error_law": "leo" for who in ("primary", "secondary")},
            "primary_age_days": 0.25,
            "secondary_age_days": 0.5 + one / 24.0,
            "primary_in_track_sigmas": 0.5,
            "secondary_in_track_sigmas": off,
        }
        for place, (encounters, off) in enumerate(sets)
        for one in range(encounters)
    ]
    store.mkdir()
    prepare(store)
    replace_parquet(pa.Table.from_pylist(rows, FORECASTS.arrow), forecast_file(store, RUN))
    return [(one.norad_id, one.sets, one.encounters, one.in_track_sigmas) for one in suspects(store)]


def test_a_set_that_was_far_off_stands_out(store: Path) -> None:
    assert named(store, (3, 0.2), (3, -7.0), (3, 0.3)) == [(OBJECT, 1, 3, -7.0)]


def test_sets_in_a_row_that_were_off_to_the_same_side_do(store: Path) -> None:
    assert named(store, (3, 0.2), (2, 4.0), (1, 5.0), (2, 4.5), (3, 0.3)) == [(OBJECT, 3, 5, 4.5)]


@pytest.mark.parametrize(
    "sets",
    [
        [(2, -7.0)],  # too few encounters
        [(3, 4.0), (3, 4.0)],  # too few sets
        [(3, 4.0), (3, -4.0), (3, 4.0), (3, -4.0)],  # now here, now there
        [(3, 4.0), (3, 4.0), (3, 0.1), (3, 4.0)],  # not in a row
        [(2, 4.0), (1, 4.0), (1, 4.0)],  # too few encounters of all
        [(3, 3.0), (3, 3.0), (3, 3.0)],  # too little
    ],
)
def test_what_may_be_chance_does_not(store: Path, sets: list[tuple[int, float]]) -> None:
    assert named(store, *sets) == []


def test_the_sentence_says_since_when(store: Path) -> None:
    named(store, (2, -4.0), (2, -5.0), (2, -4.5))
    (found,) = suspects(store)
    assert found.epoch == "2026-11-01T00:00:00Z"
    assert found.words == (
        "Object 33591 was 4 sigmas behind what its 3 sets from 2026-11-01T00:00Z on said, in 6 encounters "
        "(usual: 1.0): a bad set, or a burn after it."
    )
