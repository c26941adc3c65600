"""What is written as a table and read again is the same, to the last bit."""

import io
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from screening.orbits.elements import ELEMENT_DTYPE, ElementArray
from screening.orbits.texts.catalogue import parse_catalogue
from screening.orbits.texts.omm.csv_writer import write_omm_csv
from screening.synthetic.catalogue import synthetic_catalogue

SYNTHETIC = synthetic_catalogue(500, 2, np.datetime64("2026-11-21T06:00")).elements


def written(elements: ElementArray) -> str:
    stream = io.StringIO()
    write_omm_csv(elements, stream)
    return stream.getvalue()


def read(text: str) -> ElementArray:
    catalogue = parse_catalogue(text)
    assert catalogue.rejected == []
    assert catalogue.text_format == "omm-csv"
    return catalogue.elements


def test_a_synthetic_catalogue_survives() -> None:
    assert read(written(SYNTHETIC)).tobytes() == SYNTHETIC.tobytes()


@pytest.mark.slow
def test_the_real_catalogue_survives(shared_file: Callable[[str], Path]) -> None:
    text = shared_file("gp_onorbit_20241101.csv").read_text(encoding="utf-8")
    elements = read(text)
    again = written(elements)
    assert read(again).tobytes() == elements.tobytes()
    assert again.partition("\n")[0] == text.partition("\n")[0].rstrip("\r")


@given(
    st.floats(0.0, 1.0, exclude_max=True)
    | st.integers(1, 1074).map(lambda n: 2.0**-n)
    | st.integers(1, 53).map(lambda n: 1.0 - 2.0**-n)
    | st.integers(0, 86_399_999_999).map(lambda us: us / 86_400_000_000)
    | st.integers(0, 99_999_999).map(lambda units: units / 100_000_000)  # as TLEs give it
)
def test_every_fraction_of_a_day_survives(day_fraction: float) -> None:
    elements = SYNTHETIC[:1].copy()
    elements["epoch_day_fraction"] = day_fraction
    assert read(written(elements)).tobytes() == elements.tobytes()


@given(
    st.floats(0.0, 1.0, exclude_max=True),
    st.floats(0.0, 360.0, exclude_max=True),
    st.floats(-1000.0, 1000.0),
    st.floats(allow_nan=False, allow_infinity=False),
)
def test_every_number_survives(eccentricity: float, angle: float, bstar: float, rate: float) -> None:
    elements = SYNTHETIC[:1].copy()
    elements["eccentricity"], elements["raan_deg"] = eccentricity, angle
    elements["bstar_per_earth_radius"], elements["mean_motion_dot_rev_day2"] = bstar, rate
    assert read(written(elements)).tobytes() == elements.tobytes()


@pytest.mark.parametrize(
    "name", ["A, B", '5" DEB', '"', 'A "B", C', "ÉTOILE", "x" * 64, "", "0", "a  b", "=1+1"]
)
def test_every_name_survives(name: str) -> None:
    elements = SYNTHETIC[:2].copy()
    elements["name"][0] = name
    assert read(written(elements)).tobytes() == elements.tobytes()


def test_six_decimals_of_a_second_are_enough_where_they_are() -> None:
    elements = SYNTHETIC[:1].copy()
    elements["epoch_jd"], elements["epoch_day_fraction"] = 2461365.5, 0.25
    assert written(elements).splitlines()[1].split(",")[2] == "2026-11-21T06:00:00.000000"


def test_no_element_sets_make_a_header_only() -> None:
    text = written(np.empty(0, ELEMENT_DTYPE))
    assert text.count("\n") == 1
    assert text.startswith("OBJECT_NAME,OBJECT_ID,EPOCH,MEAN_MOTION,")
