"""What two operators publish: Starlink's text, and the Space Station's OEM."""

import gzip
import re
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from screening.orbits.reference.celestial import rotations_to_teme
from screening.orbits.texts.ephemerides.errors import UnreadableEphemeris
from screening.orbits.texts.ephemerides.read import chosen, read_ephemerides

SharedFile = Callable[[str], Path]

STARLINK = "meme/MEME_48430_STARLINK-2729_0291124_Operational_1359285900_UNCLASSIFIED.txt.gz"
STATION = "ndm/oem/ISS.OEM_J2K_EPH_2022-02-14.xml.gz"
# Turned to TEME and back; a double resolves 1e-12 km.
ROUNDING_KM = 1e-9


def test_starlinks_file_keeps_every_state_and_every_covariance(shared_file: SharedFile) -> None:
    path = shared_file(STARLINK)
    lines = gzip.decompress(path.read_bytes()).decode().splitlines()[4:]
    rows = [list(map(float, " ".join(lines[i : i + 4]).split())) for i in range(0, len(lines), 4)]

    ephemeris, _, notes, _ = chosen(read_ephemerides(path.read_bytes(), path.name), path.name)

    assert ephemeris[:3] == (48430, "STARLINK-2729", "")
    (segment,) = ephemeris.segments
    assert len(segment.epochs) == len(rows) == 4321
    assert segment.epochs[0] == np.datetime64("2023-01-29T11:24:42")
    assert (np.diff(segment.epochs) == np.timedelta64(60, "s")).all()
    back, _ = rotations_to_teme("EME2000", segment.epochs).from_teme(segment.r_teme_km, segment.r_teme_km)
    assert np.abs(back - np.array(rows)[:, 1:4]).max() < ROUNDING_KM
    assert (segment.covariance_epochs == segment.epochs).all()
    for index in (0, 2000, 4320):  # UVW is RTN: each number stands where it stood
        matrix = segment.covariance_rtn[index]
        assert matrix[np.tril_indices(6)].tolist() == rows[index][7:]
        assert (matrix == matrix.T).all()
    assert [re.sub(r"sigmas.*: ", "", note) for note in notes] == [
        "the file: from 2023-01-30T04:50:42.000000Z on its 50/1500/20, 180/6800/830 m (radial/in-track/cross)"
    ]


def test_the_space_stations_file_is_read_with_days_of_the_year(shared_file: SharedFile) -> None:
    path = shared_file(STATION)
    text = gzip.decompress(path.read_bytes()).decode()
    positions = [list(map(float, re.findall(rf"<{axis} units=\"km\">([^<]+)<", text))) for axis in "XYZ"]

    ephemeris, _, notes, _ = chosen(read_ephemerides(path.read_bytes(), path.name), path.name)

    (segment,) = ephemeris.segments
    back, _ = rotations_to_teme("EME2000", segment.epochs).from_teme(segment.r_teme_km, segment.r_teme_km)
    assert np.abs(back - np.array(positions).T).max() < ROUNDING_KM
    assert segment.epochs[0] == np.datetime64("2022-02-14T12:00:00")
    assert segment.epochs[-1] == segment.usable_to == np.datetime64("2022-03-01T12:00:00")
    assert segment.covariance_rtn.shape == (0, 6, 6)
    assert notes == ()


def test_a_cut_off_file_of_starlink_is_refused(shared_file: SharedFile) -> None:
    path = shared_file(STARLINK)
    lines = gzip.decompress(path.read_bytes()).decode().split("\n")
    with pytest.raises(
        UnreadableEphemeris, match=r"within a state and its covariance; cut off\?\.\n  line 402 "
    ):
        read_ephemerides("\n".join(lines[:402]).encode(), path.name)
    with pytest.raises(UnreadableEphemeris, match=r"it has 5 numbers, and not 7\.\n  line 400 "):
        read_ephemerides("\n".join([*lines[:399], "1 2 3 4 5", *lines[400:500]]).encode(), path.name)


def test_a_download_that_ends_early_is_noted(shared_file: SharedFile) -> None:
    path = shared_file(STARLINK)
    lines = gzip.decompress(path.read_bytes()).decode().split("\n")
    (read,) = read_ephemerides("\n".join(lines[: 4 + 4 * 100]).encode(), path.name)
    assert any("ephemeris_stop is 2023-02-01T11:24:42.000000Z; cut off?" in note for note in read.notes)


def test_without_its_file_name_starlinks_text_says_nothing_of_its_object(shared_file: SharedFile) -> None:
    (read,) = read_ephemerides(shared_file(STARLINK).read_bytes(), "standard input")
    assert read.ephemeris[:3] == (0, "", "")
