"""An operator's path beside its object's element set: real ones are near, and one with other times is not."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from screening.orbits.burns import cut_at_burns
from screening.orbits.elements import ElementArray
from screening.orbits.ephemerides import Ephemeris, Segment
from screening.orbits.texts.catalogue import parse_catalogue
from screening.orbits.texts.ephemerides.read import read_ephemerides
from screening.orbits.timegrid import instants
from screening.risk.objects.departure import beginnings, distances, jumps
from screening.risk.objects.error_classes import ERROR_CLASSES
from screening.risk.objects.error_law import ErrorLaws, error_laws
from storage.trajectories.flown import elements_of
from tests.screening.paths_as_ephemerides import moved
from tests.validation.messages.beside_ephemeris import SETS
from tests.validation.messages.plain_ephemerides import STARLINK, STATION

SharedFile = Callable[[str], Path]
LATER_S = 600.0
NONE = np.ones((1, 3))


def laws_of(elements: ElementArray, error_class: str) -> ErrorLaws:
    return error_laws(elements, np.array([ERROR_CLASSES.index(error_class)], np.int8), NONE)


def read(path: Path) -> Ephemeris:
    (found,) = read_ephemerides(path.read_bytes(), path.name)
    segments = [part for one in found.ephemeris.segments for part in cut_at_burns(one)]
    return found.ephemeris._replace(segments=tuple(segments))


@pytest.mark.slow
@pytest.mark.parametrize("kind", SETS)
def test_a_published_ephemeris_of_starlink_is_near_each_of_its_sets(
    kind: str, shared_file: SharedFile
) -> None:
    """It lasts three days; the sets are up to 1.4 days older than its beginning."""
    one = read(shared_file(STARLINK))
    lines = shared_file(SETS[kind]).read_text().splitlines()
    for pair in zip(lines[::2], lines[1::2], strict=True):
        elements = parse_catalogue("\n".join(pair).encode()).elements
        # The law of what thrusts seldom is the strictest.
        for error_class in ("constellation", "ballistic"):
            laws = laws_of(elements, error_class)
            true = distances(one.segments, elements, laws)
            assert len(true) > 300
            assert not any(at.is_far for at in true)
            assert max(at.km for at in true) < 100.0
            late = distances(moved(one, LATER_S).segments, elements, laws)
            assert late[0].is_far
            assert late[0].km > 4000.0
    assert jumps(one.segments) == []


def test_the_published_ephemeris_of_the_station_is_near_at_its_beginning_and_departs_with_its_reboost(
    shared_file: SharedFile,
) -> None:
    one = read(shared_file(STATION))
    elements = elements_of(one)
    laws = laws_of(elements, "manoeuvred")
    assert not distances(one.segments, elements, laws)[0].is_far
    assert distances(moved(one, LATER_S).segments, elements, laws)[0].is_far
    assert jumps(one.segments) == []
    assert beginnings(one.segments) == [one.segments[0].usable_from]
    # A set of before the reboost, as catalogues have it for hours: 0.5 m/s lead away, and are no jump.
    parts = one.segments[1:]
    before = elements_of(one._replace(segments=(later_part(one.segments[0]),)))
    way = distances(parts, before, laws_of(before, "ballistic"))
    assert not way[0].is_far
    assert max(at.km for at in way) > 100.0


def later_part(segment: Segment) -> Segment:
    """Return the last five hours of a segment."""
    return segment._replace(usable_from=segment.usable_to - np.timedelta64(5, "h"))


@pytest.mark.slow
@pytest.mark.parametrize("shift_s", [0.037, 1.0, 600.0])
def test_a_path_that_goes_on_elsewhere_jumps(shift_s: float, shared_file: SharedFile) -> None:
    """By 281 m it put the ISS out of its own modules, and made six alarms."""
    for name in (STARLINK, STATION):
        one = read(shared_file(name))
        whole = one.segments[0]
        cut = 30
        ahead = moved(one, -shift_s).segments[0]
        behind = ahead.epochs > whole.epochs[cut - 1] + np.timedelta64(1, "s")
        joined = whole._replace(
            epochs=np.concatenate([whole.epochs[:cut], ahead.epochs[behind]]),
            r_teme_km=np.concatenate([whole.r_teme_km[:cut], ahead.r_teme_km[behind]]),
            usable_to=ahead.usable_to,
        )
        parts = cut_at_burns(joined)
        (jump,) = jumps(parts)
        assert jump.km == pytest.approx(7.6 * shift_s, rel=0.05 if shift_s < 100.0 else 0.03)
        assert beginnings(parts) == [whole.usable_from]


def test_a_gap_of_hours_begins_anew(shared_file: SharedFile) -> None:
    one = read(shared_file(STARLINK)).segments[0]
    first, last = (
        one._replace(epochs=one.epochs[part], r_teme_km=one.r_teme_km[part])
        for part in (slice(0, 100), slice(400, 900))
    )
    both = [part._replace(usable_from=part.epochs[0], usable_to=part.epochs[-1]) for part in (first, last)]
    assert beginnings(both) == [first.epochs[0], last.epochs[0]]
    assert jumps(both) == []


def test_what_is_more_than_a_week_from_the_epoch_is_not_compared(shared_file: SharedFile) -> None:
    one = read(shared_file(STARLINK))
    elements = elements_of(one)
    laws = laws_of(elements, "ballistic")
    assert distances(moved(one, 8.0 * 86400.0).segments, elements, laws) == []
    partly = distances(moved(one, -8.0 * 86400.0).segments, elements, laws)
    (epoch,) = instants(elements["epoch_jd"], elements["epoch_day_fraction"])
    assert partly[0].at == epoch - np.timedelta64(7, "D")
