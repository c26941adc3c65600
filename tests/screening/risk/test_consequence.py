"""Pieces that collisions leave, against those that were catalogued."""

import csv
import gzip
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from screening.risk.consequence import (
    catastrophic,
    collision_words,
    fragments_10cm,
    mass_of_debris_kg,
)

NAN = np.nan


def one(first_kg: float, second_kg: float, speed_m_s: float) -> float:
    return float(fragments_10cm(np.array([first_kg]), np.array([second_kg]), np.array([speed_m_s]))[0])


def test_iridium_33_and_cosmos_2251_left_as_many_pieces(shared_file: Callable[[str], Path]) -> None:
    with gzip.open(shared_file("satcat/spacetrack_satcat_20210119.csv.gz"), "rt", encoding="utf-8") as lines:
        names = [row["SATNAME"] for row in csv.DictReader(lines)]
    catalogued = names.count("IRIDIUM 33 DEB") + names.count("COSMOS 2251 DEB")
    assert catalogued > 2000
    # 560 and 900 kg at 11.65 km/s (NASA, Orbital Debris Quarterly News 13-2).
    ours = one(560.0, 900.0, 11_650.0)
    assert catalogued / 3.0 < ours < catalogued * 3.0


def test_cosmos_1408_left_as_many_pieces(shared_file: Callable[[str], Path]) -> None:
    path = shared_file("fragmentations/20220118.tle.gz")
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        catalogued = sum(line.startswith("1 ") and line[9:14] == "82092" for line in lines)
    assert catalogued > 1000
    # 1,750 kg (GCAT; LeoLabs, 2021: some 2,200 kg), hit by a kill vehicle of some hundred kilograms.
    ours = one(1750.0, 100.0, 7000.0)
    assert catalogued / 3.0 < ours < catalogued * 3.0


def test_forty_joules_a_gram_are_the_limit() -> None:
    # 1 kg at 10 km/s has 50 MJ: enough for 1,250 kg.
    shattered = catastrophic(
        np.array([1.0, 1300.0, NAN, 1.0]), np.array([1200.0, 1.0, 5.0, NAN]), np.full(4, 10_000.0)
    )
    assert shattered.tolist() == [True, False, False, False]


def test_a_crater_leaves_fewer_pieces_than_a_catastrophe() -> None:
    assert one(1.0, 1300.0, 10_000.0) < one(1.0, 1200.0, 10_000.0) / 5.0
    assert one(1.0, 1300.0, 10_000.0) == one(1300.0, 1.0, 10_000.0)
    assert np.isnan(one(NAN, 1.0, 1e4))
    assert np.isnan(one(1.0, NAN, 1e4))
    assert one(500.0, 1000.0, 0.0) == 0.0


def test_debris_weighs_what_nasa_cara_says(shared_file: Callable[[str], Path]) -> None:
    with shared_file("hbr/HBR_Mass_Estimates_20260601.csv").open(encoding="utf-8") as lines:
        rows = [
            (float(row["HBR"]), float(row["Mass"]))
            for row in csv.DictReader(lines)
            if row["MassSource"] == row["HBRSource"] == "SFK RCS Estimate" and float(row["HBR"]) < 0.5
        ]
    radius_m, theirs_kg = np.array(rows).T
    for smallest_m, largest_m in ((0.051, 0.06), (0.06, 0.08), (0.08, 0.12), (0.12, 0.2), (0.2, 0.4)):
        of_size = (radius_m > smallest_m) & (radius_m <= largest_m)
        assert np.count_nonzero(of_size) > 500
        assert 0.5 < np.median(mass_of_debris_kg(radius_m[of_size]) / theirs_kg[of_size]) < 2.0


@pytest.mark.parametrize(
    ("shatters", "pieces", "words"),
    [
        (True, 1210.7, "would shatter both; about 1,200 pieces of 10 cm or more"),
        (True, 48.5034, "would shatter both; about 49 pieces of 10 cm or more"),
        (False, 1.2, "would not shatter both; about 1 piece of 10 cm or more"),
        (False, 0.4, "would not shatter both; less than one piece of 10 cm or more"),
        (None, None, ""),
        (None, NAN, ""),
    ],
)
def test_what_a_collision_would_leave_in_words(
    shatters: bool | None, pieces: float | None, words: str
) -> None:
    assert collision_words(shatters, pieces) == words
