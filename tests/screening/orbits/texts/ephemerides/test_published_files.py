"""Every published file: what is expected of it, and what happens."""

import re
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from screening.orbits.earth_orientation import EarthOrientation
from screening.orbits.reference import celestial
from screening.orbits.texts.ephemerides.errors import UnreadableEphemeris
from screening.orbits.texts.ephemerides.read import chosen, read_ephemerides
from tests.validation.messages.files_read import EPHEMERIS_FOLDERS, READ_EPHEMERIDES, REFUSED_EPHEMERIDES

SharedFile = Callable[[str], Path]


def test_every_file_is_in_the_table(shared_file: SharedFile) -> None:
    there = {
        f"{folder}/{path.name}" for folder in EPHEMERIS_FOLDERS for path in shared_file(folder).iterdir()
    }
    assert there == {*READ_EPHEMERIDES, *REFUSED_EPHEMERIDES}


@pytest.mark.parametrize("name", READ_EPHEMERIDES)
def test_an_earth_centred_file_is_read(name: str, shared_file: SharedFile) -> None:
    norad_id, object_name, object_id, count, note = READ_EPHEMERIDES[name]
    read = chosen(read_ephemerides(shared_file(name).read_bytes(), name), name)
    assert read.ephemeris[:3] == (norad_id, object_name, object_id)
    assert [len(segment.epochs) for segment in read.ephemeris.segments] == [count]
    assert bool(read.notes) == bool(note)
    assert not note or any(re.search(note, said) for said in read.notes), read.notes


@pytest.mark.parametrize("name", REFUSED_EPHEMERIDES)
def test_a_file_that_cannot_be_used_is_refused_with_line_and_reason(
    name: str, shared_file: SharedFile
) -> None:
    line, reason = REFUSED_EPHEMERIDES[name]
    with pytest.raises(UnreadableEphemeris, match=reason) as refusal:
        read_ephemerides(shared_file(name).read_bytes(), name)
    assert str(refusal.value).startswith(f"Cannot read an ephemeris from {name}: ")
    assert f"\n  line {line:<4}: " in str(refusal.value)


def test_the_same_path_in_gcrf_and_in_itrf_is_one(
    monkeypatch: pytest.MonkeyPatch, shared_file: SharedFile
) -> None:
    """Two files of one path, by another program that took UT1 for UTC and left out the pole's motion."""

    def none(jd: np.ndarray, day_fraction: np.ndarray) -> EarthOrientation:  # type: ignore[type-arg]
        zero = np.zeros(np.broadcast(jd, day_fraction).shape)
        return EarthOrientation(zero, zero, zero, zero > 0.0)

    monkeypatch.setattr(celestial, "earth_orientation", none)
    paths = [
        read_ephemerides(shared_file(name).read_bytes(), name)[0].ephemeris.segments[0]
        for name in ("ndm/oem/OEMExample5.txt", "ndm/oem/OEMExample5ITRF.txt")
    ]
    assert (paths[0].epochs == paths[1].epochs).all()
    # A metre is what the frames are asked to hold.
    assert np.linalg.norm(paths[0].r_teme_km - paths[1].r_teme_km, axis=1).max() < 1e-3
