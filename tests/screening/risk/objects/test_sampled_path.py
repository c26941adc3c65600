"""Paths as states: on ephemerides where these lead, and nothing where nothing is known."""

from itertools import pairwise

import numpy as np

from screening.orbits.elements import ElementArray
from screening.orbits.ephemerides import Ephemeris
from screening.orbits.pieces import BY_ELEMENTS
from screening.orbits.timegrid import window
from screening.risk.objects.error_classes import ERROR_CLASSES
from screening.risk.objects.error_law import error_laws
from screening.risk.objects.sampled_path import PathPart, sampled_path
from screening.vocabulary import TRAJECTORY_KINDS
from tests.screening.paths_as_ephemerides import ephemerides_of
from tests.screening.risk.objects.test_state_errors import elements

START = np.datetime64("2024-11-01T12:00:00", "us")
SPAN = window(START, 6.0)
SGP4_OWN_KM_S = 5e-5  # its velocities are not quite the derivative of its positions, by 2 cm/s here
COVARIANCE = np.diag([1.0, 4.0, 0.25, 1e-6, 1e-6, 1e-6])


def on(first_h: float, last_h: float, sigma: float, *, known_to_h: float | None = None) -> Ephemeris:
    """Return the object's own path as an ephemeris, with a covariance up to an hour."""
    times_s = np.arange(first_h * 3600.0, last_h * 3600.0 + 1.0, 60.0)
    (one,) = ephemerides_of(elements(), SPAN, np.zeros(1, np.intp), times_s)[0]
    (segment,) = one.segments
    end = segment.epochs[-1] if known_to_h is None else START + np.timedelta64(round(known_to_h * 3600), "s")
    given = np.array([segment.epochs[0], end])
    matrices = np.stack([sigma**2 * COVARIANCE] * 2)
    return one._replace(segments=(segment._replace(covariance_epochs=given, covariance_rtn=matrices),))


def path(given: list[Ephemeris], step_s: float = 600.0, row: ElementArray | None = None) -> list[PathPart]:
    row = elements() if row is None else row
    law = error_laws(row, np.array([ERROR_CLASSES.index("ballistic")], np.int8), np.full((1, 3), np.nan))
    return sampled_path(row, law, given, SPAN, step_s)


def hours(part: PathPart) -> tuple[float, float]:
    first, last = (part.epochs[[0, -1]] - START) / np.timedelta64(1, "h")
    return float(first), float(last)


def test_without_ephemerides_all_is_by_the_element_set() -> None:
    (part,) = path([])
    assert (part.ephemeris, hours(part), len(part.epochs)) == (BY_ELEMENTS, (0.0, 6.0), 37)
    assert (part.covariance_epochs == part.epochs).all()


def test_the_first_ephemeris_counts_and_each_part_ends_with_a_state_where_the_next_begins() -> None:
    parts = path([on(2.1, 3.0, 1.0), on(1.05, 4.3, 2.0)])
    assert [part.ephemeris for part in parts] == [BY_ELEMENTS, 1, 0, 1, BY_ELEMENTS]
    ends = [hours(part) for part in parts]
    np.testing.assert_allclose(ends, [(0, 1.05), (1.05, 2.1), (2.1, 3), (3, 4.3), (4.3, 6)], atol=1e-9)
    for part, sigma in zip(parts[1:4], (2.0, 1.0, 2.0), strict=True):
        np.testing.assert_allclose(part.covariance_rtn, np.stack([sigma**2 * COVARIANCE] * len(part.epochs)))
    (whole,) = path([])
    for part in parts:  # they are all the path of one element set
        both = np.isin(part.epochs, whole.epochs)
        there = np.isin(whole.epochs, part.epochs)
        assert np.abs(part.r_teme_km[both] - whole.r_teme_km[there]).max() < 1e-6
        assert np.abs(part.v_teme_km_s[both] - whole.v_teme_km_s[there]).max() < SGP4_OWN_KM_S


def test_behind_the_last_covariance_nothing_is_known_of_the_errors() -> None:
    (part,) = path([on(-1.0, 8.0, 1.0, known_to_h=2.0)])
    assert part.covariance_epochs[-1] == START + np.timedelta64(2, "h")
    assert len(part.covariance_rtn) == 13


def test_an_object_without_element_set_is_where_its_ephemeris_is_and_nowhere_else() -> None:
    row = elements()
    row["trajectory"] = TRAJECTORY_KINDS.index("ephemeris")
    (part,) = path([on(2.0, 3.0, 1.0)], row=row)
    assert (part.ephemeris, hours(part)) == (0, (2.0, 3.0))
    assert path([on(-9.0, -8.0, 1.0)], row=row) == []


def test_where_the_element_set_fails_there_are_no_states() -> None:
    parts = path([], row=elements(eccentricity=0.3))  # its perigee is inside the Earth
    assert len(parts) > 1
    assert all(np.linalg.norm(part.r_teme_km, axis=1).min() > 6350.0 for part in parts)
    gaps = [later.epochs[0] - earlier.epochs[-1] for earlier, later in pairwise(parts)]
    assert min(gaps) > np.timedelta64(600, "s")


def test_a_step_that_does_not_divide_the_window_ends_with_it() -> None:
    (part,) = path([], step_s=1000.5)
    steps = np.diff(part.epochs) / np.timedelta64(1, "s")
    assert (steps[:-1] == 1000.5).all()
    assert hours(part) == (0.0, 6.0)
