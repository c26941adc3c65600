"""The search over ephemerides finds what the search over the element sets finds that they were made from."""

import numpy as np
import numpy.typing as npt
import pytest

from screening.encounters import EncounterArray, pair_keys
from screening.orbits.elements import ElementArray
from screening.orbits.pieces import paths_of, pieces_of
from screening.orbits.timegrid import window
from screening.search.all_pairs.assemble import screen_catalogue
from screening.search.few_objects.primary import screen_primaries
from screening.search.results import Screening
from screening.vocabulary import TRAJECTORY_KINDS
from tests.screening.paths_as_ephemerides import ephemerides_of, moved

SPAN = window(np.datetime64("2024-11-01T03:07:11", "us"), 5.9)
THRESHOLD_KM = 60.0
ONE_MILLISECOND_S = 1e-3
ONE_METRE_KM = 1e-3
# Pairs this slow are closest for many seconds: the distance has to agree.
CO_ORBITING_KM_S = 0.3
CO_ORBITING_S = 0.5


@pytest.fixture(scope="module")
def regimes(real_elements: ElementArray) -> ElementArray:
    """Return 900 objects of all regimes, and pairs that stay together."""
    e, n = real_elements["eccentricity"], real_elements["mean_motion_rev_day"]
    chosen = np.zeros(len(real_elements), bool)
    for many, those in (
        (400, n > 14.0),
        (150, (n > 10.0) & (n <= 14.0)),
        (150, (n > 0.9) & (n < 1.1)),
        (120, e > 0.5),
        (80, (n > 1.9) & (n < 2.1) & (e < 0.1)),
    ):
        rows = np.flatnonzero(those)
        chosen[rows[np.linspace(0, len(rows) - 1, many).astype(int)]] = True
    together = (25544, 49044, 31698, 36605, 56154, 56156, 26824, 44625)
    chosen |= np.isin(real_elements["norad_id"], together)
    return real_elements[chosen]


@pytest.fixture(scope="module")
def by_elements(regimes: ElementArray) -> Screening:
    return screen_catalogue(regimes, SPAN, THRESHOLD_KM)


def _times_s(
    step_s: float, from_s: float = -3600.0, to_s: float = SPAN.seconds + 3600.0
) -> npt.NDArray[np.float64]:
    return np.arange(from_s, to_s + 0.5 * step_s, step_s)


def _objects(elements: ElementArray) -> npt.NDArray[np.intp]:
    return np.arange(len(elements))


def assert_same(
    found: EncounterArray,
    expected: EncounterArray,
    miss_km: float = ONE_METRE_KM,
    tca_s: float = ONE_MILLISECOND_S,
    co_orbiting_km_s: float = CO_ORBITING_KM_S,
) -> None:
    """Hold encounters against others, by pair and time; those at the threshold may be on one side only."""
    ours, theirs = (_by_pair(rows) for rows in (found, expected))
    for one, other in ((ours, theirs), (theirs, ours)):
        for key, rows in one.items():
            for row in rows:
                limit_s = tca_s if row["relative_speed_km_s"] > co_orbiting_km_s else CO_ORBITING_S
                match = [
                    mate
                    for mate in other.get(key, [])
                    if row["slow"] or abs(mate["tca_s"] - row["tca_s"]) <= limit_s
                ]
                if row["miss_distance_km"] > THRESHOLD_KM - miss_km:
                    continue
                assert match, (
                    key >> 32,
                    key & 0xFFFFFFFF,
                    row["tca_s"],
                    row["miss_distance_km"],
                    row["relative_speed_km_s"],
                )
                least = min(abs(mate["miss_distance_km"] - row["miss_distance_km"]) for mate in match)
                assert least <= miss_km, (key >> 32, key & 0xFFFFFFFF, least, row["relative_speed_km_s"])


def _by_pair(rows: EncounterArray) -> "dict[int, list[np.void]]":
    pairs: dict[int, list[np.void]] = {}
    for key, row in zip(
        pair_keys(rows["primary_index"], rows["secondary_index"]).tolist(), rows, strict=True
    ):
        pairs.setdefault(key, []).append(row)
    return pairs


def assert_same_proximities(found: Screening, expected: Screening) -> None:
    ours, theirs = found.proximities, expected.proximities
    for who in ("primary_index", "secondary_index"):
        np.testing.assert_array_equal(ours[who], theirs[who])
    for distance in ("min_distance_km", "max_distance_km"):
        np.testing.assert_allclose(ours[distance], theirs[distance], atol=ONE_METRE_KM)


def test_ephemerides_of_all_objects_give_the_same_encounters(
    regimes: ElementArray, by_elements: Screening
) -> None:
    given = ephemerides_of(regimes, SPAN, _objects(regimes), _times_s(60.0))
    found = screen_catalogue(regimes, SPAN, THRESHOLD_KM, pieces_of(regimes, given, SPAN)[0])
    assert len(by_elements.encounters) > 300
    assert_same(found.encounters, by_elements.encounters)
    assert set(found.failures) == set(by_elements.failures)
    assert_same_proximities(found, by_elements)


def test_some_ephemerides_among_element_sets_give_the_same_encounters(
    regimes: ElementArray, by_elements: Screening
) -> None:
    given = ephemerides_of(regimes, SPAN, _objects(regimes)[::7], _times_s(60.0))
    found = screen_catalogue(regimes, SPAN, THRESHOLD_KM, pieces_of(regimes, given, SPAN)[0])
    assert_same(found.encounters, by_elements.encounters)
    assert set(found.failures) == set(by_elements.failures)
    assert_same_proximities(found, by_elements)


@pytest.mark.parametrize("from_s", [-3600.0, 0.0, 7000.0])
def test_ephemerides_that_begin_and_end_in_the_window_lose_and_repeat_nothing(
    regimes: ElementArray, by_elements: Screening, from_s: float
) -> None:
    """One object in seven passes from its element set to its ephemeris and back, at times of its own."""
    chosen = _objects(regimes)[::7]
    given = {}
    for number, i in enumerate(chosen.tolist()):
        begin_s = from_s + 13.7 * number
        times_s = _times_s(60.0, begin_s, begin_s + 6000.0 + 7.0 * number)
        given |= ephemerides_of(regimes, SPAN, np.array([i]), times_s)
    found = screen_catalogue(regimes, SPAN, THRESHOLD_KM, pieces_of(regimes, given, SPAN)[0])
    assert_same(found.encounters, by_elements.encounters)
    assert set(found.failures) == set(by_elements.failures)
    assert_same_proximities(found, by_elements)


def test_short_segments_and_the_gaps_between_them_are_searched(
    regimes: ElementArray, by_elements: Screening
) -> None:
    """Segments of 5 minutes with gaps of 3: most pieces lie between two knots."""
    chosen = _objects(regimes)[::40]
    starts_s = np.arange(0.0, 9000.0, 480.0)
    times_s = [_times_s(20.0, begin_s, begin_s + 300.0) for begin_s in starts_s.tolist()]
    given = ephemerides_of(regimes, SPAN, chosen, *times_s)
    found = screen_catalogue(regimes, SPAN, THRESHOLD_KM, pieces_of(regimes, given, SPAN)[0])
    assert_same(found.encounters, by_elements.encounters)


def test_primaries_on_ephemerides_have_the_encounters_of_the_run(
    regimes: ElementArray, by_elements: Screening
) -> None:
    given = ephemerides_of(regimes, SPAN, _objects(regimes)[::7], _times_s(60.0, 4000.0, 15_000.0))
    paths = paths_of(regimes, SPAN, pieces_of(regimes, given, SPAN)[0])
    primaries = _objects(regimes)[::14].astype(np.int32)
    expected = by_elements.encounters
    with_one = np.isin(expected["primary_index"], primaries) | np.isin(expected["secondary_index"], primaries)
    found = screen_primaries(regimes, paths, THRESHOLD_KM, primaries)
    assert with_one.sum() > 20
    assert_same(found.encounters, expected[with_one])


def test_an_object_without_element_set_is_there_only_in_its_ephemeris(
    regimes: ElementArray, by_elements: Screening
) -> None:
    chosen = _objects(regimes)[::7]
    end_s = 10_000.0
    given = ephemerides_of(regimes, SPAN, chosen, _times_s(60.0, -1200.0, end_s))
    only = regimes.copy()
    only["trajectory"][chosen] = TRAJECTORY_KINDS.index("ephemeris")
    pieces = pieces_of(only, given, SPAN)[0]
    found = screen_catalogue(regimes, SPAN, THRESHOLD_KM, pieces)
    rows = by_elements.encounters
    known = ~(np.isin(rows["primary_index"], chosen) | np.isin(rows["secondary_index"], chosen))
    rows = rows[(known | (rows["tca_s"] < end_s)) & ~rows["slow"]]
    assert_same(found.encounters[~found.encounters["slow"]], rows)
    assert set(found.failures) == set(by_elements.failures) - set(chosen.tolist())


def test_steps_of_240_s_give_the_same_encounters_within_metres(
    regimes: ElementArray, by_elements: Screening
) -> None:
    """Twelve points 240 s apart: 0.4 m for 99 of 100 objects, but 40 m at a low perigee of a long orbit."""
    given = ephemerides_of(regimes, SPAN, _objects(regimes), _times_s(240.0))
    found = screen_catalogue(regimes, SPAN, THRESHOLD_KM, pieces_of(regimes, given, SPAN)[0])
    assert_same(found.encounters, by_elements.encounters, miss_km=0.1, tca_s=0.01)


@pytest.mark.sampled(6)
@pytest.mark.parametrize("offset_s", [-100.0, -2.0, -0.3, 0.3, 2.0, 100.0])
def test_encounters_beside_the_end_of_an_ephemeris_are_found_once(
    regimes: ElementArray, by_elements: Screening, offset_s: float
) -> None:
    rows = by_elements.encounters
    rows = rows[~rows["slow"] & (rows["tca_s"] > 1500.0)]
    rows = rows[np.unique(rows["primary_index"], return_index=True)[1]]
    given = {}
    for i, tca_s in zip(rows["primary_index"].tolist(), rows["tca_s"].tolist(), strict=True):
        end_s = float(np.round(tca_s + offset_s, 6))
        given |= ephemerides_of(regimes, SPAN, np.array([i]), end_s - np.arange(60.0 * 40, -1.0, -60.0))
    found = screen_catalogue(regimes, SPAN, THRESHOLD_KM, pieces_of(regimes, given, SPAN)[0])
    assert len(given) > 100
    assert len(found.encounters) == len(by_elements.encounters)
    assert_same(found.encounters, by_elements.encounters)


@pytest.mark.slow
def test_an_ephemeris_beside_its_element_set_makes_no_encounter_where_it_ends(
    regimes: ElementArray, by_elements: Screening
) -> None:
    """The ephemeris is 0.4 s ahead, 3 km: of an encounter that both have beside the end one row remains."""
    ahead_s = 0.4
    rows = by_elements.encounters
    rows = rows[~rows["slow"] & (rows["tca_s"] > 3000.0) & (rows["relative_speed_km_s"] > 1.0)]
    rows = rows[np.unique(rows["primary_index"], return_index=True)[1]][::3]
    given, shifted = {}, {}
    for i, tca_s in zip(rows["primary_index"].tolist(), rows["tca_s"].tolist(), strict=True):
        end_s = float(np.round(tca_s - 0.1, 6))
        made = ephemerides_of(regimes, SPAN, np.array([i]), end_s - np.arange(2400.0, -1.0, -60.0) + ahead_s)
        given[i] = [moved(one, -ahead_s) for one in made[i]]
        whole = ephemerides_of(regimes, SPAN, np.array([i]), _times_s(60.0))
        shifted[i] = [moved(one, -ahead_s) for one in whole[i]]
    found = screen_catalogue(regimes, SPAN, THRESHOLD_KM, pieces_of(regimes, given, SPAN)[0]).encounters
    by_ephemeris = screen_catalogue(
        regimes, SPAN, THRESHOLD_KM, pieces_of(regimes, shifted, SPAN)[0]
    ).encounters
    theirs = _by_pair(np.concatenate([by_elements.encounters, by_ephemeris]))
    for key, ours in _by_pair(found).items():
        for row in ours:
            either = [abs(one["tca_s"] - row["tca_s"]) < CO_ORBITING_S or one["slow"] for one in theirs[key]]
            assert any(either), (key, row["tca_s"])
        fast = np.sort([row["tca_s"] for row in ours if not row["slow"]])
        assert (np.diff(fast) > ahead_s).all()
