"""An encounter keeps its id from run to run; two encounters never share one."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from storage.rows.over_runs.event_ids import (
    EVENT_DTYPE,
    MAX_EVENT_ID,
    SAME_ENCOUNTER,
    EventArray,
    EventIds,
    assign_event_ids,
    hashed_ids,
)

START = np.datetime64("2026-11-21T06:00:00", "us")
NONE_KNOWN = np.zeros(0, EVENT_DTYPE)
FIXED_IDS = [
    2969265402699993,
    5848120892775575,
]  # by SplitMix64 in integers of any length, apart from this code
REACH_S = int(SAME_ENCOUNTER / np.timedelta64(1, "s"))


def none_taken(_fresh: EventArray) -> EventIds:
    return np.zeros(0, np.int64)


def seconds(value: float) -> np.timedelta64:
    return np.timedelta64(round(value * 1e6), "us")


def event(
    a: int, b: int, tca_s: float, span_s: tuple[float, float] | None = None, event_id: int = 0
) -> tuple[object, ...]:
    begin, end = span_s or (tca_s, tca_s)
    slow = span_s is not None
    return (a, b, START + seconds(tca_s), slow, START + seconds(begin), START + seconds(end), event_id)


def events(*rows: tuple[object, ...]) -> EventArray:
    return np.array(list(rows), EVENT_DTYPE)


def assign(new: EventArray, known: EventArray = NONE_KNOWN) -> list[int]:
    return assign_event_ids(new, known, none_taken).tolist()


def test_a_tca_that_shifts_by_seconds_keeps_the_id() -> None:
    known = events(
        event(1, 2, 1000, event_id=77), event(1, 2, 4000, event_id=78), event(3, 4, 1000, event_id=79)
    )
    new = events(event(3, 4, 1004.5), event(1, 2, 4003), event(1, 2, 995))
    assert assign(new, known) == [79, 78, 77]


def test_the_order_of_a_pair_does_not_matter() -> None:
    assert assign(events(event(25544, 5, 1000)), events(event(5, 25544, 1001, event_id=77))) == [77]
    assert hashed_ids(events(event(5, 25544, 1))) == hashed_ids(events(event(25544, 5, 1)))


def test_two_encounters_of_a_pair_have_two_ids() -> None:
    first, second = assign(events(event(1, 2, 1000), event(1, 2, 6700)))
    assert first != second


def test_the_nearest_takes_the_id_and_the_other_gets_its_own() -> None:
    known = events(event(1, 2, 1000, event_id=77))
    far, near = assign(events(event(1, 2, 1300), event(1, 2, 900)), known)
    assert near == 77
    assert far not in (0, 77)


def test_nearest_first_is_over_all_not_in_order_of_time() -> None:
    """The event at 500 s must leave id 78 (at 600 s) to the one at 610 s, and take 77."""
    known = events(event(1, 2, 300, event_id=77), event(1, 2, 600, event_id=78))
    assert assign(events(event(1, 2, 500), event(1, 2, 610)), known) == [77, 78]


@pytest.mark.parametrize(("shift_s", "same"), [(REACH_S, True), (REACH_S + 1e-6, False), (-REACH_S, True)])
def test_the_limit_is_ten_minutes(shift_s: float, same: bool) -> None:
    assert (
        assign(events(event(1, 2, 5000 + shift_s)), events(event(1, 2, 5000, event_id=77))) == [77]
    ) is same


def test_slow_events_match_where_their_time_spans_overlap() -> None:
    known = events(event(1, 2, 100, (0, 20_000), 77), event(3, 4, 100, (0, 5_000), 78))
    new = events(event(1, 2, 40_000, (19_000, 60_000)), event(3, 4, 5_001, (5_001, 9_000)))
    first, second = assign(new, known)
    assert first == 77
    assert second != 78


def test_a_visit_of_a_minute_that_shifts_by_minutes_keeps_its_id() -> None:
    """One that grazes the threshold does not overlap where it was in the run before."""
    known = events(event(1, 2, 1000, (970, 1030), 77), event(1, 2, 7000, (6970, 7030), 78))
    new = events(event(1, 2, 7400, (7360, 7440)), event(1, 2, 1400, (1360, 1440)))
    assert assign(new, known) == [78, 77]


def test_neighbouring_visits_are_not_confused_when_a_tca_jumps() -> None:
    """The first one's deepest point moves to its end, which reaches into where the second one was."""
    hour = 3600.0
    known = events(
        event(1, 2, 1.0 * hour, (0.0, 10.0 * hour), 77),
        event(1, 2, 10.3 * hour, (10.1 * hour, 20.0 * hour), 78),
    )
    new = events(
        event(1, 2, 9.9 * hour, (0.1 * hour, 10.15 * hour)),
        event(1, 2, 19.0 * hour, (10.2 * hour, 20.1 * hour)),
    )
    assert assign(new, known) == [77, 78]


def test_the_part_of_a_visit_that_keeps_its_tca_keeps_its_id() -> None:
    """Times of a geostationary pair, in hours, whose distance exceeds the threshold only in the later run."""
    known = events(event(1, 2, 139.78 * 3600, (108.48 * 3600, 144.0 * 3600), 77))
    new = events(
        event(1, 2, 115.65 * 3600, (113.49 * 3600, 118.03 * 3600)),
        event(1, 2, 139.36 * 3600, (137.14 * 3600, 141.62 * 3600)),
    )
    first, second = assign(new, known)
    assert first != 77
    assert second == 77


def test_a_row_of_an_earlier_release_gives_its_id_to_the_visit_with_its_tca() -> None:
    """It was one row for all visits of a pair, from the first entry to the last exit."""
    known = events(event(1, 2, 50_000, (0, 90_000), 77))
    new = events(*(event(1, 2, at + 30, (at - 2000, at + 2000)) for at in (5_000, 50_000, 80_000)))
    ids = assign(new, known)
    assert ids[1] == 77
    assert len(set(ids)) == 3


def test_an_encounter_that_turns_from_slow_to_fast_keeps_its_id() -> None:
    known = events(event(1, 2, 100, (0, 200), 77))
    assert assign(events(event(1, 2, 150)), known) == [77]
    assert assign(known, events(event(1, 2, 150, event_id=78))) == [78]


def test_a_match_of_the_same_kind_comes_first() -> None:
    known = events(event(1, 2, 100, (0, 200), 77))
    slow, fast = assign(events(event(1, 2, 190, (0, 200)), event(1, 2, 101)), known)
    assert slow == 77
    assert fast != 77


def test_one_id_known_from_a_run_and_from_an_analysis_is_given_once() -> None:
    known = events(event(1, 2, 1000, event_id=77), event(1, 2, 1002, event_id=77))
    ids = assign(events(event(1, 2, 1000), event(1, 2, 1003)), known)
    assert ids.count(77) == 1


def test_a_taken_hash_is_counted_up() -> None:
    new = events(event(1, 2, 1000))
    hashed = int(hashed_ids(new)[0])
    known = events(event(8, 9, 0, event_id=hashed))
    assert assign_event_ids(new, known, lambda _: np.array([hashed + 1])).tolist() == [hashed + 2]


def test_only_events_that_are_new_to_the_store_are_looked_up_in_all_runs() -> None:
    asked: list[EventArray] = []

    def taken(fresh: EventArray) -> EventIds:
        asked.append(fresh)
        return none_taken(fresh)

    known = events(event(1, 2, 1000, event_id=77))
    assert assign_event_ids(events(event(1, 2, 1001)), known, taken).tolist() == [77]
    assert asked == []
    new = events(event(1, 2, 1001), event(3, 4, 1001))
    assert assign_event_ids(new, known, taken).tolist() == [77, int(hashed_ids(new[1:])[0])]
    assert [fresh.tobytes() for fresh in asked] == [new[1:].tobytes()]


def test_hashed_ids_are_the_same_everywhere_and_for_ever() -> None:
    """Stored ids outlive releases: a change of these numbers would break every link to an event."""
    made = hashed_ids(events(event(5, 25544, 0), event(99_999, 999_999_999, 86_399.999999)))
    assert made.tolist() == FIXED_IDS


@pytest.mark.slow
def test_a_million_hashes_are_in_range_and_spread() -> None:
    rng = np.random.default_rng(1)
    many = np.zeros(1_000_000, EVENT_DTYPE)
    many["primary_norad_id"] = rng.integers(1, 60_000, len(many))
    many["secondary_norad_id"] = rng.integers(60_000, 120_000, len(many))
    many["tca"] = START + rng.integers(0, 86_400_000_000, len(many)).astype("m8[us]")
    ids = hashed_ids(many)
    assert ids.min() >= 1
    assert ids.max() <= MAX_EVENT_ID
    assert len(np.unique(ids)) == len(ids)  # 1e12 / 2 pairs in 9e15: a chance of 6e-5, and the seed is fixed
    per_bucket = np.bincount(ids >> 45)
    assert len(per_bucket) == 256
    six_sigma = 6 * np.sqrt(len(many) / 256)
    assert np.abs(per_bucket - len(many) / 256).max() < six_sigma


def greedy(new: EventArray, known: EventArray) -> dict[int, int]:
    """Match one by one, nearest first: the definition, without any haste."""
    candidates = []
    for i, one in enumerate(new):
        for other in known:
            if {one["primary_norad_id"], one["secondary_norad_id"]} != {
                other["primary_norad_id"],
                other["secondary_norad_id"],
            }:
                continue
            distance = abs(one["tca"] - other["tca"])
            overlap = one["begin"] <= other["end"] and other["begin"] <= one["end"]
            if distance <= SAME_ENCOUNTER or ((one["slow"] or other["slow"]) and overlap):
                mixed = bool(one["slow"] != other["slow"])
                here = bool(one["begin"] <= other["tca"] <= one["end"])
                there = bool(other["begin"] <= one["tca"] <= other["end"])
                key = (mixed, not (here and there), distance, int(other["event_id"]), one["tca"], i)
                candidates.append(key)
    matched: dict[int, int] = {}
    for *_, event_id, _tca, i in sorted(candidates):
        if i not in matched and event_id not in matched.values():
            matched[i] = event_id
    return matched


# Few objects and coarse times, so that many events compete for the same partner, and ties occur.
RAW_EVENT = st.tuples(
    st.integers(1, 3),
    st.integers(4, 5),
    st.booleans(),
    st.integers(0, 60),
    st.one_of(st.none(), st.tuples(st.integers(0, 9), st.integers(0, 9))),
)


def build(raw: list[tuple[int, int, bool, int, tuple[int, int] | None]], first_id: int = 0) -> EventArray:
    rows = []
    for index, (a, b, turned, minute, span) in enumerate(raw):
        tca_s = 60.0 * minute
        around = None if span is None else (tca_s - 60 * span[0], tca_s + 60 * span[1])
        pair = (b, a) if turned else (a, b)
        rows.append(event(*pair, tca_s, around, first_id + index))
    return events(*rows)


@pytest.mark.slow
@given(st.lists(RAW_EVENT, max_size=25), st.lists(RAW_EVENT, max_size=25), st.randoms(use_true_random=False))
@settings(max_examples=200)
def test_matching_is_one_to_one_nearest_first_and_blind_to_order(new_raw, known_raw, random) -> None:
    # Of one pair, at most one event of a kind at a time: a search never reports the same encounter twice.
    unique = {(a, b, minute, span is None): (a, b, t, minute, span) for a, b, t, minute, span in new_raw}
    new, known = build(list(unique.values())), build(known_raw, first_id=1000)
    ids = assign_event_ids(new, known, none_taken)
    assert len(set(ids.tolist())) == len(new)
    assert ((ids >= 1) & (ids <= MAX_EVENT_ID)).all()
    matched = {i: int(event_id) for i, event_id in enumerate(ids) if event_id in known["event_id"]}
    assert matched == greedy(new, known)
    order, known_order = list(range(len(new))), list(range(len(known)))
    random.shuffle(order)
    random.shuffle(known_order)
    assert assign_event_ids(new[order], known[known_order], none_taken).tolist() == ids[order].tolist()


def many(count: int, rng: np.random.Generator) -> EventArray:
    """Make events of 200 pairs with coarse times, a tenth of them slow."""
    made = np.zeros(count, EVENT_DTYPE)
    made["primary_norad_id"], made["secondary_norad_id"] = (
        rng.integers(1, 21, count),
        rng.integers(21, 31, count),
    )
    made["tca"] = START + rng.integers(0, 600, count).astype("m8[m]")
    made["slow"] = rng.random(count) < 0.1
    for name, sign in (("begin", -1), ("end", 1)):
        reach = np.where(made["slow"], sign * rng.integers(0, 60, count), 0)
        made[name] = made["tca"] + reach.astype("m8[m]")
    _, first = np.unique(made[["primary_norad_id", "secondary_norad_id", "tca", "slow"]], return_index=True)
    return made[np.sort(first)]


@pytest.mark.parametrize("at_a_time", [1, 7, 100, 900])
def test_ids_are_the_same_however_few_pairs_are_matched_at_a_time(
    monkeypatch: pytest.MonkeyPatch, at_a_time: int
) -> None:
    rng = np.random.default_rng(at_a_time)
    new, known = many(1000, rng), many(1200, rng)
    known["event_id"] = rng.permutation(np.arange(len(known)) + 1)
    hashes = hashed_ids(new)
    known["event_id"][:40] = hashes[-40:]  # given to others

    def of_others(fresh: EventArray) -> EventIds:
        return np.concatenate([hashed_ids(fresh)[::5], hashed_ids(fresh)[::15] + 1])

    whole = assign_event_ids(new, known, of_others)
    monkeypatch.setattr("storage.rows.over_runs.event_ids.AT_A_TIME", at_a_time)
    assert assign_event_ids(new, known, of_others).tolist() == whole.tolist()
    assert len(set(whole.tolist())) == len(new)
    assert 200 < np.isin(whole, known["event_id"]).sum() < len(new) - 200, "both kinds are many"


def test_the_run_before_comes_before_earlier_ones() -> None:
    """An earlier sighting may lie nearer in time, and be of another id: the run before decides."""
    before, earlier = events(event(1, 2, 1000, event_id=77)), events(event(1, 2, 1009, event_id=78))
    new = events(event(1, 2, 1010), event(1, 2, 1300), event(3, 4, 10))

    def seen_before(left: EventArray) -> EventArray:
        assert left["tca"].tolist() == new["tca"][1:].tolist(), "only what is left over"
        return earlier

    ids = assign_event_ids(new, before, none_taken, seen_before).tolist()
    assert ids == [77, 78, int(hashed_ids(new[2:])[0])]


def test_an_id_of_an_earlier_sighting_is_not_given_to_another_encounter() -> None:
    new = events(event(1, 2, 1000))
    other = events(event(1, 2, 90_000, event_id=int(hashed_ids(new)[0])))
    assert assign_event_ids(new, NONE_KNOWN, none_taken, lambda _: other).tolist() == [
        int(hashed_ids(new)[0]) + 1
    ]
