"""Events collected part by part come back in one order, whatever the parts were."""

import os
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from screening.errors import StoreError
from screening.risk.conjunctions import WORDS_OF_CODED_FIELDS, ConjunctionArray, unrated
from storage.rows.danger import danger_keys
from storage.writing.found_events import LEVELS, FoundEvents, events_of
from tests.made_up_run import make_conjunctions, make_elements


@pytest.fixture(autouse=True)
def small_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Sort and write after so few records that a small run has many parts."""
    monkeypatch.setattr("storage.writing.found_events.AT_A_TIME", 16)


def alike(count: int, seed: int = 1) -> ConjunctionArray:
    """Make conjunctions of few different dangers, sorted by TCA, then by pair, as a search finds them."""
    rng = np.random.default_rng(seed)
    records = make_conjunctions(make_elements(12), count, seed)
    for name in ("probability_best", "probability", "probability_2d", "probability_mc"):
        records[name] = rng.choice([np.nan, 0.0, 1e-7, 1e-5], count)
    records["miss_distance_m"] = rng.choice([50.0, 900.0], count)
    records["tca"] = records["tca"][0] + rng.integers(0, 5, count).astype("m8[s]")
    records["mc_samples"] = np.arange(count)  # tells apart what is equal in all else
    return records[np.lexsort([records[name] for name in ("secondary_norad_id", "primary_norad_id", "tca")])]


def in_one_piece(records: ConjunctionArray) -> ConjunctionArray:
    """Return the order of all releases: a stable sort of what is sorted by TCA and pair."""
    keys = danger_keys(records.__getitem__)
    return records[np.lexsort(keys[::-1])]


def without_doubles(records: ConjunctionArray) -> ConjunctionArray:
    """Leave out events of a pair at the same time: a search never finds one twice."""
    names = ["tca", "primary_norad_id", "secondary_norad_id"]
    return records[np.sort(np.unique(records[names], return_index=True)[1])]


@pytest.mark.slow
@given(st.integers(0, 120), st.lists(st.integers(0, 60), max_size=8), st.integers(1, 50), st.integers(0, 9))
@settings(max_examples=100)
def test_any_parts_in_any_order_give_the_order_of_one_piece(
    tmp_path_factory: pytest.TempPathFactory, count: int, cuts: list[int], rows_at_a_time: int, seed: int
) -> None:
    records = without_doubles(alike(max(count, 1), seed)[:count])
    parts = np.split(records, sorted(cut for cut in cuts if cut <= len(records)))
    np.random.default_rng(seed).shuffle(order := list(range(len(parts))))
    with FoundEvents(tmp_path_factory.getbasetemp()) as found:
        for place in order:
            found.add(parts[place])
        assert len(found) == len(records)
        chunks = list(found.most_dangerous_first(rows_at_a_time))
        events, levels = found.events(), {name: found.by_level(name) for name in LEVELS}
        assert len(found) == len(records)
    rows = np.concatenate([records[:0], *(rows for rows, _ in chunks)])
    places = np.concatenate([np.zeros(0, np.intp), *(places for _, places in chunks)])
    assert rows.tobytes() == in_one_piece(records).tobytes()
    assert sorted(places.tolist()) == list(range(len(records)))
    assert events[places].tobytes() == events_of(rows).tobytes()
    for name, counts in levels.items():
        words = [WORDS_OF_CODED_FIELDS[name][code] for code in rows[name] if code >= 0]
        assert {word: count for word, count in counts.items() if count} == Counter(words)
    assert all(len(rows) == rows_at_a_time for rows, _ in chunks[:-1])


def test_nothing_found_is_nothing_to_read(tmp_path: Path) -> None:
    with FoundEvents(tmp_path / "never made") as found:
        found.add(unrated(0))
        assert list(found.most_dangerous_first()) == []
        assert (len(found), len(found.events())) == (0, 0)
        assert found.by_level("near_level") == {"critical": 0, "high": 0, "medium": 0}
    assert not (tmp_path / "never made").exists()


def test_the_records_have_no_name_on_the_disk(tmp_path: Path) -> None:
    with FoundEvents(tmp_path) as found:
        found.add(alike(100))
        assert list(tmp_path.iterdir()) == []
        assert sum(len(rows) for rows, _ in found.most_dangerous_first()) == 100


def test_a_full_disk_is_an_error_that_names_the_folder(tmp_path: Path) -> None:
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (5000, hard))
    try:
        with FoundEvents(tmp_path) as found, pytest.raises(StoreError, match=str(tmp_path)):
            found.add(alike(100))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def test_a_file_that_became_shorter_is_an_error_that_names_the_folder(tmp_path: Path) -> None:
    with FoundEvents(tmp_path) as found:
        found.add(alike(100))
        (open_file,) = (path for path in Path("/proc/self/fd").iterdir() if _lies_in(path, tmp_path))
        os.truncate(int(open_file.name), 379 * 20)
        with pytest.raises(StoreError, match=str(tmp_path)):
            list(found.most_dangerous_first())


def _lies_in(descriptor: Path, folder: Path) -> bool:
    return descriptor.is_symlink() and str(descriptor.readlink()).startswith(str(folder))
