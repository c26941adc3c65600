"""Orbit comprehensive messages that are written: read back by us, and by the library of the standard."""

import re

import ccsds_ndm
import numpy as np
import pytest

from screening.orbits.ephemerides import Ephemeris, Segment
from screening.orbits.reference.celestial import FrameName
from screening.orbits.texts.ephemerides.read import chosen, read_ephemerides
from screening.orbits.texts.ephemerides.write import OcmBasis, write_ocm
from tests.screening.orbits.texts.ephemerides.circling import VARIANCES, states

CREATED = np.datetime64("2026-11-27T12:00:00", "us")
EPOCHS, R_KM, V_KM_S = (np.asarray(one) for one in states())
ROUNDING_KM = 1e-9  # what is written has nine decimals


def ephemeris() -> Ephemeris:
    """Two segments that meet, the second with a covariance that is not diagonal."""
    matrix = np.diag(VARIANCES)
    matrix[0, 4] = matrix[4, 0] = -9e-7
    first = Segment(EPOCHS[:10], R_KM[:10], EPOCHS[1], EPOCHS[9], EPOCHS[:0], np.empty((0, 6, 6)))
    second = Segment(EPOCHS[9:], R_KM[9:], EPOCHS[9], EPOCHS[-1], EPOCHS[12:13], matrix[None])
    return Ephemeris(99999, "CIRCLING & CO", "2024-001A", (first, second))


def of_the_standard(text: str) -> str:
    """The message with a word of the standard for TRAJ_BASIS, as its readers refuse those of TraCSS."""
    return re.sub(r"^(TRAJ_BASIS = )(OPERATIONAL|CANDIDATE)$", r"\g<1>PREDICTED", text, flags=re.MULTILINE)


def written(frame: FrameName = "EME2000", basis: OcmBasis = "OPERATIONAL") -> str:
    return write_ocm(
        ephemeris(),
        [V_KM_S[:10], V_KM_S[9:]],
        basis=basis,
        frame=frame,
        originator="TESTS",
        message_id="one",
        created=CREATED,
    )


@pytest.mark.parametrize("frame", ["EME2000", "GCRF", "TEME", "TOD", "ITRF"])
def test_what_is_written_is_read_back(frame: FrameName) -> None:
    read = chosen(read_ephemerides(of_the_standard(written(frame)).encode(), "x"), "x")
    assert read.ephemeris[:3] == ephemeris()[:3]
    assert read.notes == ()
    for before, after in zip(ephemeris().segments, read.ephemeris.segments, strict=True):
        assert (before.epochs == after.epochs).all()
        assert np.abs(before.r_teme_km - after.r_teme_km).max() < ROUNDING_KM
        assert before[2:4] == after[2:4]
        assert (before.covariance_epochs == after.covariance_epochs).all()
        np.testing.assert_array_equal(before.covariance_rtn, after.covariance_rtn)


@pytest.mark.parametrize("basis", ["OPERATIONAL", "CANDIDATE"])
def test_the_library_of_the_standard_reads_what_the_service_looks_at(basis: OcmBasis) -> None:
    """The words that its validation allows: catalogue, units, type and ordering of covariances."""
    text = written(basis=basis)
    assert text.count(f"TRAJ_BASIS = {basis}\n") == 2
    message = ccsds_ndm.Ocm.from_str(of_the_standard(text))
    assert message.segment.metadata.catalog_name == "SATCAT"
    assert message.segment.metadata.object_designator == "99999"
    units = "km,km,km,km/s,km/s,km/s"
    for one in message.segment.data.traj:
        assert (one.traj_type, str(one.traj_units).strip("[]").replace(" ", "")) == ("CARTPV", units)
    (covariance,) = message.segment.data.cov
    assert (covariance.cov_type, covariance.cov_ref_frame) == ("CARTPV", "RSW_INERTIAL")
    assert str(covariance.cov_ordering).rsplit(".", 1)[-1].upper() == "LTM"
    assert str(covariance.cov_units).strip("[]").replace(" ", "") == units
