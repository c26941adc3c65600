"""The catalogue as of a time against pandas: of each object, the row that was seen last until then."""

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from flows.sources.history import read_history
from screening.errors import InputError
from screening.orbits.texts.catalogue import parse_every_set
from storage.histories.incoming import import_histories

NOW = datetime(2026, 11, 26, tzinfo=UTC)
PUBLISHED = "history/published/celestrak_202605_even.csv.gz"


@pytest.fixture(scope="module")
def week(tmp_path_factory: pytest.TempPathFactory, shared_file: Callable[[str], Path]) -> Path:
    """Give a store with a published week."""
    store = tmp_path_factory.mktemp("week") / "store"
    import_histories(store, [shared_file(PUBLISHED)], NOW)
    return store


@pytest.mark.parametrize(
    "as_of", ["2026-05-24T05:38:50", "2026-05-26T12:00:00", "2026-05-28T02:14:00", "2026-06-01T00:00:00"]
)
def test_of_each_object_the_set_that_was_seen_last(
    week: Path, shared_file: Callable[[str], Path], as_of: str
) -> None:
    table = pd.read_csv(shared_file(PUBLISHED))
    seen = pd.to_datetime(table["seen"], utc=True)
    last = table[seen <= pd.Timestamp(as_of, tz="UTC")].groupby("norad_id").tail(1).sort_values("norad_id")
    expected = parse_every_set("".join(f"{a}\n{b}\n" for a, b in zip(last.line1, last.line2, strict=True)))
    source = read_history(week, datetime.fromisoformat(as_of).replace(tzinfo=UTC))
    assert len(source.content.elements) == len(last) > 5000
    assert source.content.elements.tobytes() == expected.elements.tobytes()
    assert source.name == f"history as of {as_of}Z"


@pytest.mark.parametrize("as_of", ["2026-05-24T05:38:49", "2026-07-30T00:00:00"])
def test_before_the_first_look_and_long_after_the_last_there_is_none(week: Path, as_of: str) -> None:
    with pytest.raises(InputError, match="no element set that was known at"):
        read_history(week, datetime.fromisoformat(as_of).replace(tzinfo=UTC))


def test_nothing_that_became_known_later_counts(week: Path) -> None:
    early, late = (
        read_history(week, datetime(2026, 5, day, tzinfo=UTC)).content.elements for day in (25, 29)
    )
    assert set(early["norad_id"]) <= set(late["norad_id"])
    newer = np.isin(late["norad_id"], early["norad_id"])
    assert (late["epoch_jd"][newer] >= early["epoch_jd"]).mean() > 0.99
