"""Texts spoiled at random are read or refused: no other error, and nothing that is not finite."""

import random

import numpy as np
import pytest

from screening.errors import InputError
from screening.orbits.texts.ephemerides.read import read_ephemerides
from tests.screening.orbits.texts.ephemerides.circling import START, VARIANCES, covariance, oem, states
from tests.screening.orbits.texts.ephemerides.test_ocm import MATRIX, covariances, ocm, trajectory
from tests.screening.orbits.texts.ephemerides.test_sp3 import sp3
from tests.screening.orbits.texts.ephemerides.test_write import written

PIECES = [
    "",
    "=",
    "\n",
    " ",
    "x",
    "-",
    "<",
    ">",
    "9",
    "é",
    "[",
    "\0",
    "NaN",
    "inf",
    "1e308",
    "T",
    ":",
    "9999",
    "0000",
]


def starlink() -> str:
    """Return the circling object as Starlink writes it."""
    numbers = " ".join(f"{x:.10e}" for x in np.diag(VARIANCES)[np.tril_indices(6)]).split()
    rows = "\n".join(" ".join(numbers[i : i + 7]) for i in (0, 7, 14))
    lines = [
        "created:2024-11-01 00:00:00 UTC",
        "ephemeris_start:2024-11-01 00:00:00 UTC",
        "source:made",
        "UVW",
    ]
    for epoch, r, v in zip(*states(), strict=True):
        time = str(epoch - START + np.datetime64("1970-01-01"))[11:23].replace(":", "")
        lines.append(f"2024306{time} " + " ".join(f"{x:.10f}" for x in (*r, *v)) + f"\n{rows}")
    return "\n".join(lines) + "\n"


TEXTS = {
    "oem": oem(covariances=covariance(np.diag(VARIANCES))),
    "oem-xml": written("xml"),
    "ocm": ocm(trajectory(0, 9), covariances(MATRIX[np.tril_indices(6)], "LTM")).decode(),
    "sp3": sp3(),
    "starlink": starlink(),
}


def is_read(text: str) -> bool:
    """Tell whether a text is read, and not refused; check that all its numbers are finite."""
    try:
        read = read_ephemerides(text.encode(), "MEME_99999_CIRCLING_3060000_x.txt")
    except InputError:
        return False
    for one in read:
        for segment in one.ephemeris.segments:
            assert np.isfinite(segment.r_teme_km).all()
            assert np.isfinite(segment.covariance_rtn).all()
    return True


@pytest.mark.parametrize("name", TEXTS)
def test_a_spoiled_text_is_read_or_refused(name: str) -> None:
    assert is_read(TEXTS[name])
    chance = random.Random(name)
    outcomes = set()
    for _ in range(200):
        text = TEXTS[name]
        for _ in range(chance.choice([1, 1, 3])):
            at = chance.randrange(len(text))
            text = text[:at] + chance.choice(PIECES) + text[at + chance.choice([0, 1, 3, 20, 200]) :]
        outcomes.add(is_read(text))
    assert outcomes == {True, False}


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        # Each overflowed where it was first turned into microseconds, squared or rotated.
        ("ocm", "\n60.0 ", "\n6e300 "),
        ("sp3", "*  2024 11  1  0  5 18.00000000", "*  2024 11  1  0  5 1e309000000"),
        ("sp3", "*  2024 11  1  0  5", "*  2024 11  1  0 -5"),
        ("oem", f"{VARIANCES[1]:.12e}", "1e308"),
        ("starlink", f"{states()[2][3][0]:.10f}", "1e300"),
        # The parser that tells the line asked for the encoding by its name.
        ("oem-xml", 'encoding="UTF-8"?>', 'encoding="none"?><'),
    ],
)
def test_what_overflowed_or_was_not_known_is_refused(name: str, old: str, new: str) -> None:
    assert old in TEXTS[name]
    assert not is_read(TEXTS[name].replace(old, new))
