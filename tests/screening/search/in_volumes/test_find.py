"""What comes into volumes, against naive lists: python-sgp4 in fine steps, and spheres filtered later."""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pytest

from screening.orbits.elements import ElementArray
from screening.orbits.ephemerides import Ephemeris, Segment
from screening.orbits.pieces import ObjectPaths, pieces_of
from screening.orbits.sgp4.propagate import Propagator
from screening.orbits.timegrid import TimeWindow, utc, window
from screening.orbits.trajectories import Trajectories
from screening.search.few_objects.primary import screen_primaries
from screening.search.in_volumes import find
from screening.search.in_volumes.claims import Claims
from screening.search.in_volumes.find import FoundInVolumes, find_in_volumes
from screening.search.staying_close.crowds import Crowded
from screening.volumes.handbook import ROWS, handbook_rows
from screening.volumes.inside import volume_array
from screening.volumes.shapes import Volume, volume_of
from tests.screening.oracle import Minimum, distances_km, minima, prepared

SPAN = window(np.datetime64("2024-11-01T03:07:11", "us"), 4.1)
# Volumes of all shapes, the flattest and the largest of the handbook among them.
VOLUMES = [
    volume_of(text)
    for text in (
        "box:0.4x44x51",
        "box:0.4x2x2",
        "ellipsoid:10x10x10",
        "box:40x77x107",
        "sphere:60",
        "box:70x1x30",
    )
]
FORMATIONS = (25544, 49044, 31698, 36605, 56154, 56156, 60566, 60568, 40482, 40483, 40484, 40485)
SLOW_KM_S = 0.01
TWO_MILLIMETRES_KM = 2e-6
# Rounding decides about what is within this of a surface.
A_METRE_KM = 1e-3
FAST_TCA_S, SLOW_TCA_S_KM_S = 2e-3, 5e-4


class Point(NamedTuple):
    """A minimum of a pair, seen from one of its objects: the other one along its RTN."""

    minimum: Minimum
    centre: int
    relative_km: tuple[float, float, float]


@pytest.fixture(scope="module")
def some(real_elements: ElementArray) -> ElementArray:
    """Return about 300 objects of all regimes, formations among them."""
    n, e = real_elements["mean_motion_rev_day"], real_elements["eccentricity"]
    wanted = [
        (150, (n > 15.0) & (n < 15.1)),
        (60, (n > 13.8) & (n < 14.6)),
        (40, e > 0.6),
        (30, np.abs(n - 1.0027) < 0.01),
    ]
    rng = np.random.default_rng(22)
    chosen = [rng.choice(np.flatnonzero(mask), count, replace=False) for count, mask in wanted]
    chosen.append(np.flatnonzero(np.isin(real_elements["norad_id"], FORMATIONS)))
    some: ElementArray = real_elements[np.unique(np.concatenate(chosen))]
    return some


def _points(elements: ElementArray, found: list[Minimum]) -> list[Point]:
    """Return both views of naive minima, by python-sgp4 and vector products alone."""
    records, points = prepared(elements), []
    for one in found:
        fraction = SPAN.start_day_fraction + one.tca_s / 86400.0
        states = {
            i: tuple(np.array(part) for part in records[i].sgp4(SPAN.start_jd, fraction)[1:])
            for i in (one.i, one.j)
        }
        for centre, other in ((one.i, one.j), (one.j, one.i)):
            r, v = states[centre]
            radial = r / np.linalg.norm(r)
            cross = np.cross(r, v) / np.linalg.norm(np.cross(r, v))
            way = states[other][0] - r
            axes = (radial, np.cross(cross, radial), cross)
            points.append(Point(one, centre, tuple(float(axis @ way) for axis in axes)))
    return points


def _depth(volume: Volume, relative_km: tuple[float, float, float]) -> float:
    """Return how far inside a volume a point is, km and more or less: negative outside."""
    shares = [abs(part) / size for part, size in zip(relative_km, volume[1:], strict=True)]
    share = max(shares) if volume.shape == "box" else sum(part**2 for part in shares) ** 0.5
    return (1.0 - share) * min(volume[1:])


def _together(elements: ElementArray, found: list[Minimum]) -> set[tuple[int, int]]:
    """Return which pairs stay within 10 km from the start on, at every minute of a day."""
    minutes_s, records = np.arange(0.0, 86401.0, 60.0), prepared(elements)
    near = {(one.i, one.j) for one in found if one.miss_km <= 10.0}
    return {
        pair
        for pair in near
        if (
            distances_km(records, SPAN, np.repeat([[pair[0]], [pair[1]]], len(minutes_s), 1), minutes_s)
            <= 10.0
        ).all()
    }


def _found(elements: ElementArray, volumes: list[Volume], objects: list[int]) -> FoundInVolumes:
    claims = Claims(np.array(objects, np.int32), volume_array(volumes), np.full(len(objects), SPAN.seconds))
    return find_in_volumes(elements, Propagator(elements, SPAN), claims)


@pytest.mark.slow
def test_the_same_as_a_naive_list(some: ElementArray) -> None:
    # Each object has two volumes, of different shapes: what is inside one may be outside the other.
    objects = [i for i in range(len(some)) for _ in range(2)]
    volumes = [VOLUMES[(i + k) % len(VOLUMES)] for i in range(len(some)) for k in (0, 2)]
    found = _found(some, volumes, objects)
    naive = minima(some, SPAN, 140.0)
    together = _together(some, naive)
    assert together, "docked objects are among them"
    of_claims: dict[int, list[int]] = {}
    for claim, centre in enumerate(objects):
        of_claims.setdefault(centre, []).append(claim)
    fast = slow = doubtful = 0
    rows = list(zip(found.claims.tolist(), found.rows.tolist(), found.relative_km.tolist(), strict=True))
    for point in _points(some, naive):
        one = point.minimum
        if (one.i, one.j) in together:
            continue
        for claim in of_claims[point.centre]:
            depth_km = _depth(volumes[claim], point.relative_km)
            same = [row for row in rows if row[0] == claim and _is_same(found, row[1], one)]
            if abs(depth_km) < A_METRE_KM:
                doubtful += 1
                continue
            assert len(same) == (depth_km > 0.0), (one, volumes[claim], point.relative_km)
            if same and one.speed_km_s > SLOW_KM_S:
                fast += 1
                assert same[0][2] == pytest.approx(point.relative_km, abs=1e-3)
                assert found.encounters["miss_distance_km"][same[0][1]] == pytest.approx(
                    one.miss_km, abs=2e-6
                )
            slow += bool(same) and one.speed_km_s <= SLOW_KM_S
    is_slow = found.encounters["slow"][found.rows]
    assert fast > 100
    assert slow > 0
    assert abs(int((~is_slow).sum()) - fast) <= doubtful, "nothing is found that the naive list does not have"


def _is_same(found: FoundInVolumes, row: int, one: Minimum) -> bool:
    """Tell whether an encounter is a naive minimum, or the visit during which it is."""
    encounter = found.encounters[row]
    if (encounter["primary_index"], encounter["secondary_index"]) != (one.i, one.j):
        return False
    if encounter["slow"]:
        return bool(encounter["inside_from_s"] - 1.0 <= one.tca_s <= encounter["inside_to_s"] + 1.0)
    return bool(abs(encounter["tca_s"] - one.tca_s) < FAST_TCA_S + SLOW_TCA_S_KM_S / one.speed_km_s)


def _keys(rows: npt.NDArray[np.void], claims: npt.NDArray[np.intp]) -> set[tuple[int, int, int, float]]:
    pairs = (rows["primary_index"].tolist(), rows["secondary_index"].tolist())
    return set(zip(claims.tolist(), *pairs, np.round(rows["tca_s"], 2).tolist(), strict=True))


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_nothing_is_lost_that_a_sphere_has(real_elements: ElementArray, real_day: TimeWindow) -> None:
    """The whole catalogue: a fleet with the handbook's volumes, against spheres without the radial sieve."""
    rng = np.random.default_rng(3)
    objects = np.sort(rng.choice(len(real_elements), 200, replace=False)).astype(np.int32)
    rows = handbook_rows(real_elements[objects], np.zeros(len(objects), np.bool_))
    volumes = [ROWS[row].volume for row in rows.tolist()]
    propagator = Propagator(real_elements, real_day)
    claims = Claims(objects, volume_array(volumes), np.full(len(objects), real_day.seconds))
    found = find_in_volumes(real_elements, propagator, claims)
    sphere = screen_primaries(real_elements, propagator, 67.5, objects).encounters
    sphere = sphere[~sphere["slow"]]
    expected: set[tuple[int, int, int, float]] = set()
    for who, other in (("primary", "secondary"), ("secondary", "primary")):
        place = np.minimum(np.searchsorted(objects, sphere[f"{who}_index"]), len(objects) - 1)
        centres = np.flatnonzero(objects[place] == sphere[f"{who}_index"])
        for k in centres.tolist():
            r, v = sphere[f"{who}_r_teme_km"][k], sphere[f"{who}_v_teme_km_s"][k]
            radial, cross = r / np.linalg.norm(r), np.cross(r, v) / np.linalg.norm(np.cross(r, v))
            way = sphere[f"{other}_r_teme_km"][k] - r
            relative = tuple(float(axis @ way) for axis in (radial, np.cross(cross, radial), cross))
            if _depth(volumes[place[k]], relative) >= 0.0:
                expected |= _keys(sphere[[k]], place[[k]])
    fast = ~found.encounters["slow"][found.rows]
    assert len(expected) > 150
    assert _keys(found.encounters[found.rows][fast], found.claims[fast]) == expected


def test_each_claim_has_its_own_end(some: ElementArray) -> None:
    objects = list(range(len(some)))
    volumes = [VOLUMES[3]] * len(some)
    whole = _found(some, volumes, objects)
    until_s = np.where(np.arange(len(some)) % 2, SPAN.seconds, 3600.0)
    claims = Claims(np.array(objects, np.int32), volume_array(volumes), until_s)
    some_end = find_in_volumes(some, Propagator(some, SPAN), claims)
    fast = ~whole.encounters["slow"][whole.rows]
    early = whole.encounters["tca_s"][whole.rows] < until_s[whole.claims]
    expected = _keys(whole.encounters[whole.rows][fast & early], whole.claims[fast & early])
    fast = ~some_end.encounters["slow"][some_end.rows]
    assert _keys(some_end.encounters[some_end.rows][fast], some_end.claims[fast]) == expected
    assert 0 < len(expected) < len(whole.rows)


def test_both_objects_of_a_pair_have_their_own_volumes(some: ElementArray) -> None:
    found = _found(some, [VOLUMES[3]] * len(some), list(range(len(some))))
    seen_from_both = np.bincount(found.rows, minlength=len(found.encounters)) == 2
    encounters = found.encounters[~found.encounters["slow"] & seen_from_both]
    one = encounters[np.argmax(encounters["miss_distance_km"])]
    assert one["miss_distance_km"] > 10.0, "outside the small volume, whatever the direction"
    pair = [int(one["primary_index"]), int(one["secondary_index"])]
    for volumes in ([VOLUMES[3], VOLUMES[1]], [VOLUMES[1], VOLUMES[3]]):
        two = _found(some, volumes, pair)
        large = volumes.index(VOLUMES[3])
        there = np.abs(two.encounters["tca_s"][two.rows] - one["tca_s"]) < FAST_TCA_S
        assert two.claims[there].tolist() == [large]


def test_an_object_that_flies_on_an_ephemeris_for_a_part_of_the_window(some: ElementArray) -> None:
    times_s = np.arange(0.0, 0.6 * SPAN.seconds, 60.0)
    propagator, epochs = Propagator(some, SPAN), utc(SPAN, times_s)
    _, r_km, _ = propagator.subset(np.array([0])).on_grid(times_s)
    covariances = np.empty((0, 6, 6))
    states = Segment(epochs, r_km[:, :, 0].copy(), epochs[0], epochs[-1], epochs[:0], covariances)
    pieces, _ = pieces_of(some, {0: [Ephemeris(0, "", "", (states,))]}, SPAN)
    paths, objects = ObjectPaths(pieces, propagator), np.array([0, 40, 80], np.int32)
    claims = Claims(objects, volume_array([volume_of("sphere:100")] * 3), np.full(3, SPAN.seconds))
    found = find_in_volumes(some, paths, claims).encounters
    expected = screen_primaries(some, paths, 100.0, objects).encounters
    found, expected = (rows[~rows["slow"]] for rows in (found, expected))
    assert (expected["primary_index"] == 0).any()
    assert _keys(found, found["slow"].astype(int)) == _keys(expected, expected["slow"].astype(int))


def test_only_objects_whose_claims_end_are_looked_around_then(
    some: ElementArray, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All with claims were compared with the whole catalogue whenever the claim of one ended."""
    objects = list(range(12))
    until_s = np.repeat([1800.0, 3600.0, SPAN.seconds], 4)
    asked: dict[float, list[int]] = {}
    within = find.pairs_within

    def counted(paths: Trajectories, at_s: float, reach_km: float, those: npt.NDArray[np.bool_]) -> Any:
        asked[at_s] = np.flatnonzero(those).tolist()
        return within(paths, at_s, reach_km, those)

    monkeypatch.setattr(find, "pairs_within", counted)
    twelve = some[:12]
    claims = Claims(np.array(objects, np.int32), volume_array([VOLUMES[4]] * 12), until_s)
    find_in_volumes(twelve, Propagator(twelve, SPAN), claims)
    assert asked == {0.0: objects, 1800.0: objects[:4], 3600.0: objects[4:8], SPAN.seconds: objects[8:]}


def test_more_than_allowed_is_refused_before_it_is_all_found(some: ElementArray) -> None:
    """Nothing limited what was found, and held in memory."""
    claims = Claims(
        np.arange(len(some), dtype=np.int32),
        volume_array([VOLUMES[4]] * len(some)),
        np.full(len(some), SPAN.seconds),
    )
    paths = Propagator(some, SPAN)
    whole = find_in_volumes(some, paths, claims)
    assert len(find_in_volumes(some, paths, claims, 10**6).encounters) == len(whole.encounters) > 100
    with pytest.raises(Crowded, match="inside volumes"):
        find_in_volumes(some, paths, claims, 100)
