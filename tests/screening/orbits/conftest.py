"""Element sets as they are published, for the tests of every reader."""

import csv
from collections.abc import Callable
from pathlib import Path

import pytest

Texts = dict[str, str]


@pytest.fixture(scope="session")
def vanguard() -> Texts:
    """Return the texts of one real element set, by keyword."""
    return {
        "OBJECT_NAME": "VANGUARD 1",
        "OBJECT_ID": "1958-002B",
        "EPOCH": "2024-10-29T12:18:43.492896",
        "MEAN_MOTION": "10.85746790",
        "ECCENTRICITY": ".1843421",
        "INCLINATION": "34.2551",
        "RA_OF_ASC_NODE": "352.8583",
        "ARG_OF_PERICENTER": "332.7861",
        "MEAN_ANOMALY": "18.6796",
        "EPHEMERIS_TYPE": "0",
        "CLASSIFICATION_TYPE": "U",
        "NORAD_CAT_ID": "5",
        "ELEMENT_SET_NO": "999",
        "REV_AT_EPOCH": "37861",
        "BSTAR": ".16091E-2",
        "MEAN_MOTION_DOT": ".1286E-4",
        "MEAN_MOTION_DDOT": "0",
    }


@pytest.fixture
def five(vanguard: Texts) -> list[Texts]:
    """Return five records, numbered 1 to 5, that differ in number and name alone."""
    return [vanguard | {"NORAD_CAT_ID": str(i), "OBJECT_NAME": f"OBJECT {i}"} for i in range(1, 6)]


@pytest.fixture(scope="session")
def real_catalogue(shared_file: Callable[[str], Path]) -> Path:
    """Return the path of the whole on-orbit catalogue of 2024-11-01."""
    return shared_file("gp_onorbit_20241101.csv")


@pytest.fixture(scope="session")
def real_records(real_catalogue: Path) -> list[Texts]:
    """Return 500 records spread over the real catalogue, the highest number among them."""
    with real_catalogue.open(newline="", encoding="utf-8") as file:
        records = list(csv.DictReader(file))
    return records[-1 :: -(len(records) // 500)][:500]
