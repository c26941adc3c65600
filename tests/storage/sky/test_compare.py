"""Two catalogues compared, without a store: small cases counted by hand."""

import numpy as np
import pytest

from screening.orbits.elements import ELEMENT_DTYPE, ElementArray
from storage.sky.compare import doubled, epoch_of, lost, renumbered, stale
from storage.sky.words import Counts, catalogue_words, fragmentation_words
from storage.times import parse_time

NONE = Counts(
    *(1000, 1000, False, (), 0, 0, 0, 0, 0, 0, 0, 0, (), 0, 0),
)


def sets(count: int, name: str = "COSMOS {}") -> ElementArray:
    """Make circular orbits a degree apart in their planes."""
    made = np.zeros(count, ELEMENT_DTYPE)
    made["norad_id"] = np.arange(1, count + 1)
    made["name"] = [name.format(at) for at in range(count)]
    made["epoch_jd"], made["mean_motion_rev_day"], made["inclination_deg"] = 2459531.5, 14.0, 60.0
    made["raan_deg"] = np.arange(count) % 360
    return made


@pytest.mark.parametrize(
    ("gone", "suspect", "families"),
    [(5, False, []), (9, False, []), (10, True, []), (50, True, [])],
)
def test_a_tenth_is_too_much(gone: int, suspect: bool, families: list[str]) -> None:
    names = np.array([f"DEB {at} OF ITS OWN" if at % 2 else f"X{at}" for at in range(gone)])
    assert lost(sets(100 - gone), 100, names[:0], gone) == (suspect, families)


def test_a_family_is_missing_if_nine_in_ten_are() -> None:
    left = np.concatenate([sets(1000), sets(3, "STARLINK-{}")])
    gone = np.array([f"STARLINK-{at}" for at in range(27)])
    assert lost(left, 1030, gone, 27) == (True, ["STARLINK"])
    assert lost(left, 1029, gone[:26], 26) == (False, []), "26 of 29"
    assert lost(sets(1000), 1019, gone[:19], 19) == (False, []), "19 are few"


def test_the_same_set_under_a_new_number_is_doubled() -> None:
    made = np.concatenate([sets(10), sets(3)])
    is_new = np.arange(13) >= 10
    made["raan_deg"][12] += 0.5
    assert doubled(made, is_new).tolist() == [*[False] * 10, True, True, False]
    assert not doubled(made, np.zeros(13, np.bool_)).any()


def test_a_number_follows_the_designator_or_the_place() -> None:
    before, after = sets(4), sets(4)
    before["object_id"][0] = after["object_id"][0] = "2001-001A"
    after["raan_deg"][0] += 40.0
    after["norad_id"] += 900
    after["mean_anomaly_deg"][2] = 5.0  # 630 km ahead
    assert renumbered(after, before) == [(1, 901), (2, 902), (4, 904)]


def test_old_sets_are_counted_from_the_epoch_of_most() -> None:
    made = sets(200)
    made["epoch_jd"][:30] -= 8.0
    made["epoch_jd"][0] += 4000.0  # wrong
    assert str(epoch_of(made))[:10] == "2021-11-13"
    assert stale(made, epoch_of(made)) == 29


def test_words() -> None:
    assert catalogue_words(NONE) == ["1,000 objects, 1,000 in the catalogue before."]
    assert "first catalogue" in catalogue_words(NONE._replace(before=None))[0]
    said = catalogue_words(
        NONE._replace(new=70, pieces=60, of_launches=8, launches=["2021-115"], late=2, gone=3, renumbered=1)
    )
    assert said[1:] == [
        (
            "New: 70; 60 are pieces of break-ups, 8 come from 1 launch (2021-115), 2 from earlier launches, "
            "catalogued late."
        ),
        "Gone, decayed or no longer published: 2.",
        "Under another number now: 1.",
    ]
    cut = catalogue_words(NONE._replace(objects=400, suspect=True, gone=600, families=["ONEWEB"]))
    assert cut == [
        (
            "400 of 1,000 objects: the source was cut? ONEWEB is missing as a whole. Of no event is said "
            "that it is gone."
        )
    ]
    told = fragmentation_words("A", 7, parse_time("2021-11-15T02:47:12Z"), 6.6, 1)
    assert told == "A (7) broke up at about 2021-11-15 02:47 UTC, give or take 7 h: 1 piece so far."
