"""When new sets of an object usually become known, against times set by hand."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from storage.histories.incoming import import_histories
from storage.histories.rhythm import Rhythm, rhythms
from tests.storage.histories.made_up import START, Set, seen_table

FIRST = START.replace(tzinfo=UTC)
HOURS = (0, 5, 11, 17, 19, 25)  # from one publication to the next: 5, 6, 6, 2, 6
TOLERANCE = timedelta(milliseconds=1)  # of epochs in two-line sets


def published(norad_id: int, hours: tuple[int, ...]) -> list[Set]:
    return [
        Set(norad_id, START + timedelta(hours=10 + h), START + timedelta(hours=7 + h + h % 2)) for h in hours
    ]


def stored(folder: Path, sets: list[Set]) -> Path:
    table = folder / "sets.csv"
    table.write_text(seen_table(sets))
    import_histories(folder / "store", [table], datetime(2026, 11, 26, tzinfo=UTC))
    return folder / "store"


def close(found: Rhythm, expected: Rhythm) -> bool:
    return all(abs(one - other) < TOLERANCE for one, other in zip(found, expected, strict=True))


def test_the_median_gap_and_delay_of_each_object(tmp_path: Path) -> None:
    store = stored(tmp_path, [*published(1001, HOURS), *published(1002, HOURS[:2]), *published(1003, HOURS)])
    found = rhythms(store, [1001, 1002, 1004], FIRST + timedelta(days=3))
    assert list(found) == [1001]  # of two sets nothing follows
    expected = Rhythm(FIRST + timedelta(hours=35), timedelta(hours=6), timedelta(hours=2))
    assert close(found[1001], expected)


@pytest.mark.slow
def test_what_became_known_later_does_not_count(tmp_path: Path) -> None:
    store = stored(tmp_path, published(1001, HOURS))
    found = rhythms(store, [1001], FIRST + timedelta(hours=22))  # the third came an hour before
    assert found[1001].last == FIRST + timedelta(hours=21)
    assert found[1001].every == timedelta(hours=5, minutes=30)
    assert not rhythms(store, [1001], FIRST + timedelta(days=40))
    assert not rhythms(tmp_path / "none", [1001], FIRST)
