"""What happens where an object passes from one piece of its path to the next, and the two disagree or not."""

import numpy as np
import pytest

from screening.encounters import EncounterArray
from screening.orbits.elements import ElementArray
from screening.orbits.interpolated import NOT_THERE
from screening.orbits.pieces import paths_of, pieces_of
from screening.orbits.timegrid import TimeWindow, window
from screening.search.all_pairs.assemble import screen_catalogue
from screening.synthetic.catalogue import synthetic_catalogue
from screening.vocabulary import TRAJECTORY_KINDS
from tests.screening.paths_as_ephemerides import ephemerides_of, moved

SPAN = window(np.datetime64("2026-01-01T00:00:00", "us"), 3.0)
THRESHOLD_KM = 10.0


@pytest.fixture(scope="module")
def followers() -> ElementArray:
    """Return two objects on nearly one orbit, 5 km apart and parting by 13 km a day: no proximity."""
    elements, _ = synthetic_catalogue(objects=200, seed=1, epoch=SPAN.start)
    pair = elements[[0, 0]].copy()
    pair["norad_id"] += [0, 1]
    pair["epoch_jd"], pair["epoch_day_fraction"] = SPAN.start_jd, SPAN.start_day_fraction
    pair["mean_anomaly_deg"] += [0.0, 0.04]
    pair["mean_motion_rev_day"] += [0.0, 3e-4]
    return pair


def screened(
    elements: ElementArray, ends_s: float, ahead_s: float, span: TimeWindow = SPAN
) -> EncounterArray:
    """Screen two objects, the second on an ephemeris up to some time, ahead of its element set."""
    given = ephemerides_of(elements, span, np.array([1]), ends_s - np.arange(6000.0, -1.0, -60.0) + ahead_s)
    given = {i: [moved(one, -ahead_s) for one in those] for i, those in given.items()}
    return screen_catalogue(elements, span, THRESHOLD_KM, pieces_of(elements, given, span)[0]).encounters


def test_a_visit_goes_on_across_a_seam_if_the_pair_is_inside_on_both_sides(followers: ElementArray) -> None:
    (visit,) = screened(followers, 5400.0, 0.2)
    assert visit["slow"]
    assert (visit["inside_from_s"], visit["inside_to_s"]) == (0.0, SPAN.seconds)


def test_a_visit_ends_at_a_seam_at_which_the_pair_jumps_out(followers: ElementArray) -> None:
    (visit,) = screened(followers, 5400.0, 2.0)
    assert visit["slow"]
    assert visit["inside_from_s"] == pytest.approx(5400.0, abs=0.01)
    assert visit["inside_to_s"] == SPAN.seconds


def test_an_object_that_no_catalogue_has_is_nowhere_beyond_its_ephemeris(followers: ElementArray) -> None:
    """Its curve goes on to the next knot, its path does not: it is near nobody at the window's end."""
    end_s = SPAN.seconds - 100.0
    given = ephemerides_of(followers, SPAN, np.array([1]), end_s - np.arange(12_000.0, -1.0, -60.0))
    elements = followers.copy()
    elements["trajectory"][1] = TRAJECTORY_KINDS.index("ephemeris")
    paths = paths_of(elements, SPAN, pieces_of(elements, given, SPAN)[0])
    times_s = np.array([end_s - 1.0, end_s + 1.0])
    codes, _, _ = paths.on_grid(times_s)
    np.testing.assert_array_equal(codes[:, 1], [0, NOT_THERE])
    np.testing.assert_array_equal(paths.at(np.full(2, 1, np.int32), times_s)[0], [0, NOT_THERE])
