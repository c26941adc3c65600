"""Constellations keep clear of themselves."""

import numpy as np
import pytest

from screening.orbits.timegrid import window
from screening.search.all_pairs.assemble import screen_catalogue
from screening.synthetic.catalogue import synthetic_catalogue
from screening.synthetic.population import Walker
from screening.synthetic.walker import walker_slots, widest_phasing

EPOCH = np.datetime64("2026-11-21T06:00")


@pytest.mark.parametrize(
    ("planes", "slots", "inclination_deg", "published"), [(22, 72, 53.0, 17), (36, 36, 42.0, 11)]
)
def test_phasing_is_the_published_one(
    planes: int, slots: int, inclination_deg: float, published: int
) -> None:
    # Liang, Chaudhry & Yanikomeroglu 2021 simulated every phasing of two planned constellations.
    nodes_deg = 360.0 / planes * np.arange(planes)
    assert widest_phasing(nodes_deg, slots, inclination_deg) == published


def test_every_slot_is_taken_once_and_planes_differ_by_one_object_at_most() -> None:
    node_deg, latitude_deg, plane = walker_slots(Walker(6, 180.0), 40, 1.0, 86.4)
    assert sorted(np.unique(node_deg)) == [0.0, 30.0, 60.0, 90.0, 120.0, 150.0]
    assert sorted(np.unique(plane, return_counts=True)[1]) == [6, 6, 7, 7, 7, 7]
    for p in range(6):
        spacing = np.diff(np.sort(latitude_deg[plane == p]))
        slots = spacing / (360.0 / 7)
        assert slots == pytest.approx(np.rint(slots), abs=1e-9)
        assert np.rint(slots).min() >= 1


def test_more_objects_make_more_planes_and_fuller_ones() -> None:
    _, _, plane = walker_slots(Walker(10), 400, 4.0, 70.0)
    assert np.unique(plane, return_counts=True)[1].tolist() == [20] * 20


def test_a_shell_has_no_conjunctions_with_itself() -> None:
    # Without phasing it has 3,345 a day; with slots that do not drift back to each epoch as J2 has it, 849.
    elements = synthetic_catalogue(26834, 1, EPOCH).elements
    in_shell = np.char.startswith(elements["name"], "SYNTH STARLINK") & (
        np.abs(elements["inclination_deg"] - 70.0) < 0.01
    )
    shell = elements[in_shell]
    assert 390 <= len(shell) <= 410
    found = screen_catalogue(shell, window(EPOCH, 24.0), 10.0)
    assert len(found.encounters) == 0
    assert found.failures == {}
