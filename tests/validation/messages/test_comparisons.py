"""Comparisons of messages and ephemerides see what is read, written or stated otherwise."""

import tempfile
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from screening.errors import InputError
from tests.validation.comparison import NotRun
from tests.validation.copies import SharedFile, beyond, copied, replaced
from tests.validation.messages import claims, ephemerides_read, messages_read, operators, written_xml
from tests.validation.messages.made_messages import events_as_xml, received_as_xml
from tests.validation.messages.plain_ephemerides import STARLINK

REAL = "cdm/000028654_conj_000041835_20220106_193032_20220105_161142.cdm"
OTHER = "000037849_conj_000013512_20210612_084905_20210611_062043.cdm"


def line_of(path: Path, keyword: str) -> str:
    """Return the first line of a message with a keyword."""
    return next(line for line in path.read_text().splitlines() if line.split("=")[0].strip() == keyword)


def stated(path: Path, keyword: str, value: str) -> None:
    line = line_of(path, keyword)
    replaced(path, line, f"{keyword} = {value}")


@pytest.mark.parametrize(
    ("keyword", "value", "told"),
    [
        ("RELATIVE_POSITION_R", "1.0 [m]", "relative position, largest difference of a component"),
        ("RELATIVE_VELOCITY_N", "1.0 [m/s]", "relative velocity, largest difference of a component"),
        ("MISS_DISTANCE", "99 [m]", "miss distance, largest difference"),
        ("RELATIVE_SPEED", "1 [m/s]", "relative speed, largest difference"),
        ("COLLISION_PROBABILITY", "1.0E-09", "claimed probabilities that are not that of the disk"),
    ],
)
def test_a_message_that_contradicts_its_states_is_told(
    keyword: str, value: str, told: str, shared_file: SharedFile, tmp_path: Path
) -> None:
    data = copied(tmp_path, shared_file, claims.ABOUT.files)
    stated(data / REAL, keyword, value)
    assert beyond(claims.compare(data)) == [told]


def test_states_away_from_the_closest_approach_are_told(shared_file: SharedFile, tmp_path: Path) -> None:
    data = copied(tmp_path, shared_file, claims.ABOUT.files)
    text = (data / REAL).read_text()
    line = line_of(data / REAL, "X")
    value = float(line.split("=")[1].split()[0])
    (data / REAL).write_text(text.replace(line, f"X = {value + 0.01:.12f} [km]", 1))
    assert "TCA, largest difference" in beyond(claims.compare(data))


def test_a_folder_without_real_messages_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "cdm").mkdir()
    with pytest.raises(InputError, match="has no messages"):
        claims.compare(tmp_path)


@pytest.mark.slow
def test_a_broken_message_that_is_read_and_a_good_one_that_is_not_are_told(
    shared_file: SharedFile, tmp_path: Path
) -> None:
    data = copied(tmp_path, shared_file, messages_read.ABOUT.files)
    good = (data / REAL).read_bytes()
    (data / "ndm/cdm/CDM-missing-TCA.txt").write_bytes(good)
    (data / REAL).write_bytes(good.replace(b"TCA ", b"TCB "))
    found = messages_read.compare(data)
    assert beyond(found) == ["not read or refused as expected"]
    assert {measure.name: measure.value for measure in found.measures}["not read or refused as expected"] == 2


@pytest.mark.slow
def test_one_message_that_says_otherwise_in_its_other_form_is_told(
    shared_file: SharedFile, tmp_path: Path
) -> None:
    data = copied(tmp_path, shared_file, messages_read.ABOUT.files)
    path = data / "ndm/cdm/golden_cdm.cdm"
    path.write_text(path.read_text().replace(line_of(path, "MISS_DISTANCE"), "MISS_DISTANCE = 716 [m]"))
    assert beyond(messages_read.compare(data)) == ["of these different"]


def test_a_writer_that_loses_digits_is_told(shared_file: SharedFile, monkeypatch: pytest.MonkeyPatch) -> None:
    def rounded(message: object, form: str) -> str:
        return received_text(message, form).replace("7 [m]", "8 [m]")  # type: ignore[arg-type]

    received_text = messages_read.message_text
    monkeypatch.setattr(messages_read, "message_text", rounded)
    assert messages_read.changed(shared_file(REAL).parents[1], REAL) > 0


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("name", "before", "after"),
    [
        ("ndm/oem/OEM-wrong-keyword.txt", "", ""),  # emptied
        ("ndm/oem/OEMExample5.txt", "OBJECT_NAME", "OBJECT_NAMES"),
        ("ndm/oem/OEMExample4.txt", "CENTER_NAME = MARS", "CENTER_NAME = EARTH"),
    ],
)
def test_an_ephemeris_that_is_read_or_refused_otherwise_is_told(
    name: str, before: str, after: str, shared_file: SharedFile, tmp_path: Path
) -> None:
    data = copied(tmp_path, shared_file, ephemerides_read.ABOUT.files)
    text = (data / name).read_text()
    assert before in text
    (data / name).write_text(text.replace(before, after) if before else "")
    assert beyond(ephemerides_read.compare(data)) == ["not read or refused as expected"]


@pytest.mark.slow
def test_an_ocm_that_says_otherwise_in_its_other_form_is_told(
    shared_file: SharedFile, tmp_path: Path
) -> None:
    data = copied(tmp_path, shared_file, ephemerides_read.ABOUT.files)
    one, other = (ephemerides_read.segment_in(data, name) for name in ephemerides_read.PAIR)
    assert (one.r_teme_km == other.r_teme_km).all()
    path = data / ephemerides_read.PAIR[1]
    digits = path.read_text()
    place = digits.index("<trajLine>") + len("<trajLine>")
    line = digits[place : digits.index("</trajLine>", place)]
    epoch, x, *rest = line.split()
    path.write_text(digits.replace(line, " ".join([epoch, str(float(x) + 1e-6), *rest])))
    assert beyond(ephemerides_read.compare(data)) == ["OCM in KVN and XML: largest difference"]


def test_states_that_are_not_those_of_the_text_are_told(
    shared_file: SharedFile, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = shared_file(STARLINK).parents[1]
    epochs, r_km = operators.starlink(data)
    segment = ephemerides_read.segment_in(data, STARLINK)
    assert ephemerides_read.off_um(segment, epochs, r_km) < 1.0
    assert ephemerides_read.off_um(segment, epochs, r_km + 1e-6) == pytest.approx(1000.0, rel=0.01)
    assert ephemerides_read.off_um(segment, epochs + np.timedelta64(1, "s"), r_km) == np.inf


def test_a_state_that_is_off_is_seen_by_its_neighbours(
    shared_file: SharedFile, monkeypatch: pytest.MonkeyPatch
) -> None:
    epochs, r_km = operators.starlink(shared_file(STARLINK).parents[1])
    r_km[1500] += 2e-3
    monkeypatch.setattr(operators, "starlink", lambda _: (epochs, r_km))
    told = beyond(operators.compare(shared_file(STARLINK).parents[1]))
    assert [name.partition(" of ")[0] for name in told] == ["Starlink, largest"]


def test_messages_that_do_not_follow_the_schema_are_told(shared_file: SharedFile, tmp_path: Path) -> None:
    schema = written_xml.schema_of(shared_file(written_xml.SCHEMAS).parents[1])
    text = received_as_xml(shared_file(REAL).parents[1], REAL)
    assert written_xml.is_valid(schema, text)
    for before, after in (("<TCA>", "<TCA>x"), ("MISS_DISTANCE", "MISS"), ("</cdm>", "")):
        assert before in text
        assert not written_xml.is_valid(schema, text.replace(before, after)), before


def test_what_the_library_reads_otherwise_is_told(
    shared_file: SharedFile, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = received_as_xml(shared_file(REAL).parents[1], REAL)
    assert written_xml.is_read_alike(text)
    other = received_as_xml(shared_file(REAL).parents[1], "cdm/" + OTHER)
    theirs = written_xml.ccsds_ndm.from_str(other)
    library = SimpleNamespace(**vars(written_xml.ccsds_ndm) | {"from_str": lambda _: theirs})
    monkeypatch.setattr(written_xml, "ccsds_ndm", library)
    assert not written_xml.is_read_alike(text)
    assert not written_xml.is_read_alike("no message")


def test_without_lxml_nothing_is_held_against_the_schema(
    shared_file: SharedFile, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(written_xml, "etree", None)
    with pytest.raises(NotRun, match=r"^needs lxml$"):
        written_xml.compare(shared_file(written_xml.SCHEMAS).parents[1])


def test_a_damaged_schema_is_an_error(shared_file: SharedFile, tmp_path: Path) -> None:
    data = copied(tmp_path, shared_file, [written_xml.SCHEMAS])
    for path in (data / written_xml.SCHEMAS).glob("*cdm*"):
        path.write_text("<")
    with pytest.raises(InputError, match="is no schema"):
        written_xml.schema_of(data)


def test_without_a_folder_for_the_run_the_comparison_fails(
    shared_file: SharedFile, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "gone"))
    data = shared_file(written_xml.SCHEMAS).parents[1]
    with pytest.raises(
        InputError, match=r"No such file or directory: .*/gone/skysieve-validate-.*TMPDIR names another place"
    ):
        next(events_as_xml(data))


@pytest.mark.slow
def test_nothing_is_left_of_the_run(
    shared_file: SharedFile, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    messages = events_as_xml(shared_file(written_xml.SCHEMAS).parents[1])
    next(messages)
    assert len(list(tmp_path.glob("skysieve-validate-*"))) == 1
    messages.close()
    assert list(tmp_path.glob("skysieve-validate-*")) == []


@pytest.mark.slow
def test_all_written_messages_agree(shared_file: SharedFile) -> None:
    found = written_xml.compare(shared_file(written_xml.SCHEMAS).parents[1])
    assert beyond(found) == []
    assert found.number > 600
