"""Objects that SGP4 cannot propagate: counted once, and no burden to the others."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from screening.orbits.elements import ElementArray
from screening.orbits.texts.catalogue import parse_catalogue
from screening.orbits.timegrid import TimeWindow, window
from screening.search.all_pairs.assemble import assemble, screen_catalogue
from screening.search.all_pairs.plan import cut
from screening.search.all_pairs.screen import screen_window
from screening.search.one_step.pads import LARGEST_KM
from screening.search.results import Screening
from tests.screening.oracle import prepared
from tests.screening.planting import circular_km_s, crossing, element_set

THRESHOLD_KM = 10.0
AT = np.datetime64("2024-11-01T12:00:00", "us")


def _decaying() -> tuple[ElementArray, TimeWindow]:
    """Return an object that SGP4 gives up hours after `AT`, its partner at `AT`, and a window of 12 h."""
    r = 6560.0 * np.array([0.6, 0.0, 0.8])
    along = np.array([0.0, 1.0, 0.0])
    speed = circular_km_s(6560.0)
    states = crossing(r, speed * along, speed * np.array([0.8, 0.0, -0.6]), 2.0)
    elements = np.concatenate(
        [
            element_set(AT, states.r1_km, states.v1_km_s, 11, bstar=0.02),
            element_set(AT, states.r2_km, states.v2_km_s, 12),
        ]
    )
    return elements, window(AT - np.timedelta64(1, "h"), 12.0)


def _in_windows(elements: ElementArray, span: TimeWindow, windows: int) -> Screening:
    tasks = cut(span.seconds, 1, windows).tasks
    parts = [screen_window(elements, span, task.begin_s, task.end_s, THRESHOLD_KM) for task in tasks]
    return assemble(elements, span, THRESHOLD_KM, parts)


@pytest.mark.parametrize("windows", [1, 5])
def test_a_failure_in_mid_window_is_counted_once_and_earlier_events_stay(windows: int) -> None:
    elements, span = _decaying()
    minutes = np.arange(0.0, 12 * 60.0)
    fraction = span.start_day_fraction + minutes / 1440.0
    codes, _, _ = prepared(elements)[0].sgp4_array(np.full(len(minutes), span.start_jd), fraction)
    first_bad_s = float(60.0 * minutes[np.flatnonzero(codes)[0]])
    assert 2 * 3600.0 < first_bad_s < 10 * 3600.0
    screening = _in_windows(elements, span, windows)
    assert list(screening.failures) == [0]
    failure = screening.failures[0]
    assert failure.code == codes[np.flatnonzero(codes)[0]]
    assert failure.first_s == pytest.approx(first_bad_s, abs=600.0)  # failures are seen at knots
    assert len(screening.encounters) >= 1
    assert np.abs(screening.encounters["tca_s"] - 3600.0).min() < 1.0
    assert (screening.encounters["tca_s"] < failure.first_s).all()


def test_an_object_that_is_back_after_a_failure_is_searched_again(shared_file: Callable[[str], Path]) -> None:
    """Object 28872 of the official verification fails after 50 minutes and is back at 100."""
    lines = shared_file("frames/SGP4-VER.TLE").read_text().splitlines()
    text = "\n".join(line[:69] for line in lines if line[:7] in ("1 28872", "2 28872"))
    decaying = parse_catalogue(text).elements
    epoch = np.datetime64("2005-11-29T00:28:50", "us")
    span = window(epoch, 3.0)
    record = prepared(decaying)[0]
    before_s, after_s = 1500.0, 6600.0
    partners = []
    for number, time_s in ((90001, before_s), (90002, after_s)):
        error, r, v = record.sgp4(span.start_jd, span.start_day_fraction + time_s / 86400.0)
        assert error == 0
        at = epoch + np.timedelta64(round(time_s), "s")
        states = crossing(np.array(r), np.array(v), np.cross(v, r) / np.linalg.norm(r) * 1.003, 1.0)
        partners.append(element_set(at, states.r2_km, states.v2_km_s, number))
    error, _, _ = record.sgp4(span.start_jd, span.start_day_fraction + 3600.0 / 86400.0)
    assert error == 6
    screening = screen_catalogue(np.concatenate([decaying, *partners]), span, THRESHOLD_KM)
    with_decaying = screening.encounters[screening.encounters["primary_index"] == 0]
    assert with_decaying["tca_s"].tolist() == pytest.approx([before_s, after_s], abs=1.0)
    assert before_s < screening.failures[0].first_s < 3600.0
    assert screening.failures[0].code == 6


@pytest.mark.parametrize("start", ["2024-11-07T16:30", "2024-11-07T12:30", "2024-11-07T20:20"])
def test_states_that_are_no_orbit_any_more_do_not_stop_the_search(
    real_elements: ElementArray, start: str
) -> None:
    """Long after its decay SGP4 gives object 30343 states of 170,000 km/s with code 0.

    A curve through them is 6e7 km off, which left no grid to search on.
    """
    others = real_elements[::60]
    span = window(np.datetime64(start, "us"), 2.0)
    expected = screen_catalogue(others[others["norad_id"] != 30343], span, 20.0).encounters
    with_it = np.sort(
        np.concatenate([others, real_elements[real_elements["norad_id"] == 30343]]), order="norad_id"
    )
    with_it = with_it[np.append(np.diff(with_it["norad_id"]) != 0, True)]
    screening = screen_catalogue(with_it, span, 20.0)
    assert screening.encounters["tca_s"] == pytest.approx(expected["tca_s"], abs=1e-3)
    assert with_it["norad_id"].tolist().index(30343) in screening.failures


def test_a_perigee_near_the_centre_of_the_earth_does_not_stop_the_search(
    real_elements: ElementArray, real_day: TimeWindow
) -> None:
    """SGP4 moves the set at 50 km/s, 27,000 km up, and says 2 km/s: as in its verification (33333)."""
    others = real_elements[::60]
    span = real_day._replace(seconds=7200.0)
    absurd = real_elements[:1].copy()
    absurd["norad_id"], absurd["eccentricity"], absurd["mean_motion_rev_day"] = 999_999, 0.995, 4.0
    absurd["mean_anomaly_deg"] = 110.0
    expected = screen_catalogue(others, span, 20.0).encounters
    screening = screen_catalogue(np.concatenate([others, absurd]), span, 20.0)
    assert screening.encounters["tca_s"] == pytest.approx(expected["tca_s"], abs=1e-3)
    assert len(others) in screening.failures
    assert screening.largest_pad_km < LARGEST_KM


def test_an_object_without_any_state_is_left_out(real_elements: ElementArray, real_day: TimeWindow) -> None:
    some = real_elements[:500:5].copy()
    some["mean_motion_rev_day"][3] = 17.9  # below ground
    screening = screen_catalogue(some, real_day, 50.0)
    assert list(screening.failures) == [3]
    assert not (screening.encounters["primary_index"] == 3).any()
    assert len(screening.encounters) > 0
