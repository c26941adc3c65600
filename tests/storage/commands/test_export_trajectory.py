"""Stored trajectories written again: what an operator published comes out as it went in."""

import gzip
from collections.abc import Callable
from pathlib import Path

import ccsds_ndm
import numpy as np
import pytest

from screening.orbits.texts.ephemerides.read import chosen, read_ephemerides
from tests.storage.commands.path_store import command

SharedFile = Callable[[str], Path]

# Rotations are linear between nodes an hour apart, which are others for a part of the file: by 1e-10.
TURNED_KM = 1e-6
# States 240 s apart, which the station's drag and the thrusts beside them bend.
AT_THE_ENDS_M_S, USUAL_M_S = 0.05, 0.003
ISS = "ndm/oem/ISS.OEM_J2K_EPH_2022-02-14.xml.gz"


@pytest.mark.slow
def test_an_exported_file_has_the_states_of_the_operator(
    shared_file: SharedFile,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    store, target = ["--store", tmp_path], tmp_path / "iss.oem"
    given = shared_file(ISS)
    assert command(monkeypatch, "trajectories", "add", given, "--norad-id", 25544, *store) == 0
    wanted = capsys.readouterr().out[:16]
    assert command(monkeypatch, "trajectories", "export", wanted, "--output", target, *store) == 0

    theirs = ccsds_ndm.from_str(gzip.decompress(given.read_bytes()).decode())
    ours = ccsds_ndm.from_str(target.read_text())
    states = theirs.segments[0].data.state_vector_numpy
    count = 0
    for segment in ours.segments:
        first = np.datetime64(segment.data.state_vector_epochs[0])
        place = int(np.flatnonzero(chosen_epochs(given) == first)[0])
        written = segment.data.state_vector_numpy
        expected = states[place : place + len(written)]
        assert np.abs(written[:, :3] - expected[:, :3]).max() < TURNED_KM
        off_m_s = 1e3 * np.linalg.norm(written[:, 3:] - expected[:, 3:], axis=1)
        assert off_m_s.max() < AT_THE_ENDS_M_S
        assert np.median(off_m_s) < USUAL_M_S
        count += len(written)
    assert count > 5000


def test_sigmas_that_were_given_come_out_with_errors_of_the_velocity(
    shared_file: SharedFile,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Zeros would be certainty: a receiver's errors would not grow with time."""
    store, target = ["--store", tmp_path], tmp_path / "iss.oem"
    sigma_km = (0.01, 0.2, 0.03)
    words = [shared_file(ISS), "--norad-id", 25544, "--sigma-rtn-m", "10", "200", "30"]
    assert command(monkeypatch, "trajectories", "add", *words, *store) == 0
    wanted = capsys.readouterr().out[:16]
    assert command(monkeypatch, "trajectories", "export", wanted, "--output", target, *store) == 0
    for segment in ccsds_ndm.from_str(target.read_text()).segments:
        for covariance in segment.data.covariance_matrix_numpy:
            np.testing.assert_allclose(np.sqrt(np.diag(covariance)[:3]), sigma_km, rtol=1e-12)
            # The station turns about the Earth once in 93 minutes.
            rate = 2.0 * np.pi / (93.0 * 60.0)
            expected = rate * np.array([0.2, 0.01, 0.03])
            np.testing.assert_allclose(np.sqrt(np.diag(covariance)[3:]), expected, rtol=0.01)
            scale = np.sqrt(np.diag(covariance))
            assert np.linalg.eigvalsh(covariance / np.outer(scale, scale))[0] > 1e-6


def chosen_epochs(path: Path) -> np.ndarray:
    (segment,) = chosen(read_ephemerides(path.read_bytes(), "x"), "x").ephemeris.segments
    return segment.epochs
