"""Written messages: valid by the schema, read back as they were, and by another program."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import ccsds_ndm
import numpy as np
import orbit_formats
import pytest
from lxml import etree

from screening.orbits.ephemerides import Ephemeris, Segment
from screening.orbits.reference.celestial import FrameName, rotations_to_teme
from screening.orbits.texts.ephemerides import write
from screening.orbits.texts.ephemerides.read import chosen, read_ephemerides
from screening.orbits.texts.ephemerides.write import OemForm, write_oem, write_opm
from tests.screening.orbits.texts.ephemerides.circling import VARIANCES, covariance, oem, states

SharedFile = Callable[[str], Path]

CREATED = np.datetime64("2024-11-01T12:00:00", "us")
EPOCHS, R_KM, V_KM_S = states()
# A double at 7,000 km.
ROUNDING_KM = 1e-9  # what is written has nine decimals
FRAMES: dict[str, FrameName] = {
    "OEMExample5.txt": "GCRF",
    "OEMExample5ITRF.txt": "ITRF",
    "test.oem": "TOD",
}


def ephemeris() -> Ephemeris:
    """Return two segments that meet, the second with a covariance that is not diagonal."""
    matrix = np.diag(VARIANCES)
    matrix[0, 4] = matrix[4, 0] = -9e-7
    none, some = np.empty((0, 6, 6)), matrix[None]
    first = Segment(EPOCHS[:10], R_KM[:10], EPOCHS[1], EPOCHS[9], EPOCHS[:0], none)
    second = Segment(EPOCHS[9:], R_KM[9:], EPOCHS[9], EPOCHS[-1], EPOCHS[12:13], some)
    return Ephemeris(99999, "CIRCLING & CO", "2024-001A", (first, second))


def written(form: OemForm, frame: FrameName = "EME2000") -> str:
    velocities = [V_KM_S[:10], V_KM_S[9:]]
    return write_oem(ephemeris(), velocities, form, frame=frame, originator="TESTS", created=CREATED)


@pytest.mark.parametrize("form", ["kvn", "xml"])
@pytest.mark.parametrize("frame", ["EME2000", "GCRF", "TEME", "TOD", "ITRF"])
def test_what_is_written_is_read_back(form: OemForm, frame: FrameName) -> None:
    read = chosen(read_ephemerides(written(form, frame).encode(), "x"), "x")
    assert read.ephemeris[:3] == ephemeris()[:3]
    assert read.notes == ()
    for before, after in zip(ephemeris().segments, read.ephemeris.segments, strict=True):
        assert (before.epochs == after.epochs).all()
        assert np.abs(before.r_teme_km - after.r_teme_km).max() < ROUNDING_KM
        assert before[2:4] == after[2:4]
        assert (before.covariance_epochs == after.covariance_epochs).all()
        assert (before.covariance_rtn == after.covariance_rtn).all()


@pytest.mark.parametrize("frame", ["EME2000", "GCRF", "TEME", "TOD", "ITRF"])
def test_the_xml_is_valid(frame: FrameName, shared_file: SharedFile) -> None:
    schema = etree.XMLSchema(etree.parse(shared_file("ndm/xsd/ndmxml-4.0.0-master-4.0.xsd")))
    assert schema.validate(etree.fromstring(written("xml", frame).encode())), schema.error_log


def test_a_name_that_is_not_said_does_not_spoil_the_schema(shared_file: SharedFile) -> None:
    schema = etree.XMLSchema(etree.parse(shared_file("ndm/xsd/ndmxml-4.0.0-master-4.0.xsd")))
    nameless = ephemeris()._replace(name="", object_id="")
    text = write_oem(
        nameless, [V_KM_S[:10], V_KM_S[9:]], "xml", frame="TEME", originator="TESTS", created=CREATED
    )
    assert schema.validate(etree.fromstring(text.encode())), schema.error_log
    assert chosen(read_ephemerides(text.encode(), "x"), "x").ephemeris.norad_id == 99999


BURNS = [
    (np.datetime64("2026-01-01T00:30:00", "us"), (0.1, 0.05 / 3, 1e-5)),
    (np.datetime64("2026-01-01T02:00:00.25", "us"), (0.0, -0.1, 0.0)),
]


def parameters(mass_kg: float | None = 260.0) -> str:
    burns = [] if mass_kg is None else BURNS
    named = {"originator": "TESTS", "created": CREATED, "comments": ["Hypothetical"]}
    return write_opm(ephemeris(), V_KM_S[:10], burns, mass_kg, frame="EME2000", **named)


@pytest.mark.parametrize("mass_kg", [260.0, None])
def test_an_opm_is_valid(mass_kg: float | None, shared_file: SharedFile) -> None:
    schema = etree.XMLSchema(etree.parse(shared_file("ndm/xsd/ndmxml-4.0.0-master-4.0.xsd")))
    message = ccsds_ndm.Opm.from_str(parameters(mass_kg), "kvn")
    message.validate()
    assert schema.validate(etree.fromstring(message.to_str("xml").encode())), schema.error_log


def test_another_program_reads_state_mass_and_burns_from_an_opm(tmp_path: Path) -> None:
    state = other_reader(parameters(), tmp_path / "x.opm")
    r_km, v_km_s = rotations_to_teme("EME2000", EPOCHS[:1]).from_teme(R_KM[:1], V_KM_S[:1])
    assert state.epoch == EPOCHS[0]
    assert np.abs(state.position - r_km[0]).max() <= 0.51e-9
    assert np.abs(state.velocity - v_km_s[0]).max() <= 0.51e-12
    assert not re.findall(r"\.\d{13}", parameters())  # there were 17 digits
    assert state.source_native.spacecraft_parameters.mass == 260.0
    for burn, (at, dv_m_s) in zip(state.maneuvers, BURNS, strict=True):
        assert (burn.epoch_ignition, burn.ref_frame, burn.duration) == (at, "RTN", 0.0)
        assert 1e3 * burn.delta_v == pytest.approx(dv_m_s, abs=1e-9, rel=0.0)


def other_reader(text: str, path: Path) -> Any:
    path.write_text(text)
    return orbit_formats.read(path)


@pytest.mark.parametrize("form", ["kvn", "xml"])
def test_another_program_reads_the_same_states_from_what_is_written(form: OemForm, tmp_path: Path) -> None:
    velocities = [V_KM_S]
    whole = ephemeris().segments[0]._replace(epochs=EPOCHS, r_teme_km=R_KM, usable_to=EPOCHS[-1])
    one = ephemeris()._replace(segments=(whole,))
    text = write_oem(one, velocities, form, frame="EME2000", originator="TESTS", created=CREATED)

    table = other_reader(text, tmp_path / f"x.{'oem' if form == 'kvn' else 'xml'}").to_dataframe()

    r_km, v_km_s = rotations_to_teme("EME2000", EPOCHS).from_teme(R_KM, V_KM_S)
    assert (table["Epoch"].to_numpy().astype("M8[us]") == EPOCHS).all()
    assert np.abs(table[["X", "Y", "Z"]].to_numpy() - r_km).max() < ROUNDING_KM
    assert np.abs(table[["VX", "VY", "VZ"]].to_numpy() - v_km_s).max() < ROUNDING_KM


@pytest.mark.parametrize(
    "name",
    [
        "ndm/oem/OEMExample5.txt",
        "ndm/oem/OEMExample5ITRF.txt",
        "ndm/oem/ISS.resampled.truncated.txt",
        "ndm/oem/test.oem",
        "ndm/ocm/golden_ocm.ocm",
        "ndm/ocm/golden_ocm.xml",
    ],
)
def test_another_program_reads_the_same_states_from_published_files(
    name: str, shared_file: SharedFile
) -> None:
    path = shared_file(name)
    theirs = orbit_formats.read(path)
    table: Any = theirs.to_dataframe()

    (segment,) = chosen(read_ephemerides(path.read_bytes(), name), name).ephemeris.segments

    assert (table["Epoch"].to_numpy().astype("M8[us]") == segment.epochs).all()
    frame = FRAMES.get(path.name, "EME2000")
    r_km, _ = rotations_to_teme(frame, segment.epochs).from_teme(segment.r_teme_km, segment.r_teme_km)
    assert np.abs(table[["X", "Y", "Z"]].to_numpy() - r_km).max() < ROUNDING_KM


def test_another_program_reads_the_same_covariance(tmp_path: Path) -> None:
    text = oem(covariances=covariance(np.diag(VARIANCES)))
    theirs = other_reader(text, tmp_path / "x.oem").source_native.segments[0].covariances[0]
    (segment,) = chosen(read_ephemerides(text.encode(), "x"), "x").ephemeris.segments
    assert tuple(segment.covariance_rtn[0][np.tril_indices(6)]) == theirs.matrix
    assert segment.covariance_epochs[0] == theirs.epoch


@pytest.mark.parametrize("size", [7, 19, 20, 100])
def test_a_message_written_in_parts_is_the_same(monkeypatch: pytest.MonkeyPatch, size: int) -> None:
    # As one it holds the interpreter for 1.3 s (20,000 states), and with it every other answer.
    epochs = np.datetime64("2026-11-21T06:00:00", "us") + np.arange(20) * np.timedelta64(60, "s")
    r_km, v_km_s = np.full((20, 3), 4000.0), np.full((20, 3), 4.0)
    covered = Segment(epochs, r_km, epochs[0], epochs[-1], epochs, np.tile(np.eye(6), (20, 1, 1)))
    bare = covered._replace(covariance_epochs=epochs[:0], covariance_rtn=np.empty((0, 6, 6)))
    few = covered._replace(covariance_epochs=epochs[[3, 12]], covariance_rtn=np.tile(np.eye(6), (2, 1, 1)))

    def text() -> str:
        return write_oem(
            Ephemeris(5, "VANGUARD 1", "1958-002B", (covered, bare, few)),
            [v_km_s] * 3,
            "xml",
            frame="TEME",
            originator="MADE UP",
            created=epochs[0],
            comments=[["first"], ["second"], ["third"]],
        )

    monkeypatch.setattr(write, "PART_STATES", 10**9)
    whole = text()
    monkeypatch.setattr(write, "PART_STATES", size)
    assert text() == whole
