"""Compile every kernel by using it once, on a small synthetic catalogue and made-up encounters."""

from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from screening.manoeuvre.execution import Execution
from screening.manoeuvre.impulse import Impulse
from screening.manoeuvre.stored_encounter import StoredEncounter, after_burns
from screening.manoeuvre.trade_space import Course, along, outcomes
from screening.orbits.burns import cut_at_burns
from screening.orbits.elements import ElementArray
from screening.orbits.ephemerides import Ephemeris, Segment
from screening.orbits.pieces import Pieces, pieces_of
from screening.orbits.sgp4.propagate import Propagator
from screening.orbits.timegrid import TimeWindow, utc, window
from screening.risk.monte_carlo.three_dimensional import monte_carlo_3d
from screening.risk.monte_carlo.two_dimensional import monte_carlo_2d
from screening.risk.probability.exact_2d import exact_2d
from screening.risk.probability.maximum import maximum_over_scale
from screening.risk.probability.tails import Tails
from screening.risk.probability.three_dimensional import probability_3d
from screening.risk.score import score
from screening.search.all_pairs.assemble import screen_catalogue
from screening.search.few_objects.from_ephemeris import screen_on_ephemeris
from screening.search.few_objects.primary import screen_by_fine_stage, screen_primaries
from screening.search.in_volumes.claims import Claims
from screening.search.in_volumes.find import find_in_volumes
from screening.search.staying_close.crowds import check_crowd
from screening.search.staying_close.same_sets import first_paths
from screening.synthetic.catalogue import synthetic_catalogue
from screening.volumes.inside import volume_array
from screening.volumes.shapes import Volume
from storage.disk.ephemeris import place_ephemeris
from storage.disk.ephemeris_states import read_ephemeris, stage_ephemeris
from storage.machine.kernel_folder import kernels_below
from storage.reading.known_objects import knowledge_of
from storage.writing.objects_table import objects_of

EPOCH = np.datetime64("2026-01-01T00:00:00", "us")
OBJECTS, SEED = 200, 1
HOURS, THRESHOLD_KM = 1.0, 100.0


def warm_kernels(kernel_cache: Path, on_stage: Callable[[str], None]) -> Path:
    """Compile all kernels that are not yet in the folder, and return the folder."""
    folder = kernels_below(kernel_cache)
    on_stage("search")
    _search()
    on_stage("probabilities")
    _probabilities()
    on_stage("burns")
    _burns()
    return folder


def _search() -> None:
    elements = synthetic_catalogue(OBJECTS, SEED, EPOCH).elements
    span = window(EPOCH, HOURS)
    found = screen_catalogue(elements, span, THRESHOLD_KM)
    score(found.encounters, elements, span, knowledge_of(objects_of(elements)))
    screen_catalogue(elements, span, THRESHOLD_KM, _one_on_an_ephemeris(elements, span))
    primaries = np.arange(3, dtype=np.int32)
    propagator = Propagator(elements, span)
    everybody = np.arange(len(elements), dtype=np.int32)
    propagator.at(everybody, np.zeros(len(elements)))
    check_crowd(first_paths(elements, propagator), OBJECTS**2)
    for search in (screen_primaries, screen_by_fine_stage):
        search(elements, propagator, THRESHOLD_KM, primaries)
    boxes = volume_array([Volume("box", 0.4, 50.0, 50.0)] * len(primaries))
    find_in_volumes(elements, propagator, Claims(primaries, boxes, np.full(len(primaries), span.seconds)))
    with TemporaryDirectory(prefix="skysieve-") as folder:
        store = Path(folder)
        place_ephemeris(store, stage_ephemeris(store, elements, EPOCH, HOURS), "run")
        screen_on_ephemeris(elements, read_ephemeris(store, "run"), span, THRESHOLD_KM, primaries)


def _burns() -> None:
    elements = synthetic_catalogue(OBJECTS, SEED, EPOCH).elements
    paths = Propagator(elements, window(EPOCH, HOURS))
    _, r_km, v_km_s = paths.at(np.zeros(1, np.int32), np.array([1800.0]))
    other = np.concatenate([r_km[0], -v_km_s[0]])
    errors_m2 = np.eye(3) * 1e4
    tails = Tails(np.full(1, 0.1), np.full((1, 3), 5.0), np.full(1, 0.01), np.full(1, 1e4))
    course = Course(paths, 0, 1800.0, other, errors_m2, errors_m2, (tails, tails), 10.0)
    outcomes(course, np.array([600.0]), along(1, np.array([0.1]), 1), Execution())
    tca, own = EPOCH + np.timedelta64(30, "m"), np.concatenate([r_km[0], v_km_s[0]])
    stored = StoredEncounter(tca, own, other, errors_m2, errors_m2, (tails, tails), 10.0)
    after_burns(stored, [Impulse(EPOCH + np.timedelta64(10, "m"), (0.0, 0.1, 0.0))], Execution())


def _one_on_an_ephemeris(elements: ElementArray, span: TimeWindow) -> Pieces:
    times_s = np.arange(0.0, span.seconds, 60.0)
    _, r_teme_km, _ = Propagator(elements[:1], span).on_grid(times_s)
    epochs = utc(span, times_s)
    states = Segment(
        epochs, r_teme_km[:, :, 0].copy(), epochs[0], epochs[-1], epochs[:0], np.empty((0, 6, 6))
    )
    segments = tuple(cut_at_burns(states))
    pieces, _ = pieces_of(elements, {0: [Ephemeris(0, "", "", segments)]}, span)
    return pieces


def _probabilities() -> None:
    miss_m, sigmas_m = np.array([100.0, 100.0]), (np.array([300.0, 300.0]), np.array([100.0, 100.0]))
    radii_m = np.array([10.0, 200.0])  # small against the sigmas, and not
    exact_2d(miss_m, miss_m, *sigmas_m, radii_m)
    maximum_over_scale(miss_m, miss_m, *sigmas_m, radii_m)
    monte_carlo_2d(miss_m, miss_m, *sigmas_m, radii_m, seeds=[1, 2], largest_samples=100)
    primary = np.array([7e6, 0.0, 0.0, 0.0, 7500.0, 0.0])
    secondary = np.array([7e6, 0.0, 50.0, 0.0, 0.0, 7500.0])
    covariance = np.diag([100.0, 300.0, 100.0, 0.1, 0.1, 0.1]) ** 2
    root = np.linalg.cholesky(np.kron(np.eye(2), covariance))
    monte_carlo_3d(np.stack([primary, secondary]), root, 10.0, seed=1, samples=100)
    states = [half[np.newaxis] for state in (primary, secondary) for half in (state[:3], state[3:])]
    first_r, first_v, second_r, second_v = states
    probability_3d(first_r, first_v, second_r, second_v, root[np.newaxis], np.array([10.0]))
