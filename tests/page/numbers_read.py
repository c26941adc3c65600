"""What a person reads of an event: the numbers of a text, of a report's tables, of a published orbit."""

import csv
import html
import re
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

import numpy as np
from sgp4 import omm
from sgp4.api import Satrec, jday

from tests.page.test_event_view import shown_number

_E_NOTATION = re.compile(r"(?<=\d)e([-+]\d+)")
_CELL = re.compile(r"<(?:td|th)[^>]*>(.*?)</(?:td|th)>", re.DOTALL)
SMALLEST_WRITTEN = 1e-30


class Met(NamedTuple):
    """An encounter as the library sgp4 has it, from one object, at a time."""

    miss_m: float
    speed_m_s: float
    rtn_m: tuple[float, float, float]  # of the other object, in the axes of the first
    nearest_s: float  # from that time to the closest approach, were both to fly straight


class Published:
    """The element sets of a catalogue by number."""

    def __init__(self, catalogue: Path) -> None:
        with catalogue.open(newline="") as file:
            self._sets = {int(row["NORAD_CAT_ID"]): row for row in csv.DictReader(file)}

    def met(self, own: int, other: int, tca: datetime) -> Met:
        """Return how two objects meet."""
        (r1, v1), (r2, v2) = (self._state(number, tca) for number in (own, other))
        apart, closing = (r2 - r1) * 1e3, (v2 - v1) * 1e3
        radial, normal = r1 / np.linalg.norm(r1), np.cross(r1, v1) / np.linalg.norm(np.cross(r1, v1))
        axes = (radial, np.cross(normal, radial), normal)
        return Met(
            float(np.linalg.norm(apart)),
            float(np.linalg.norm(closing)),
            (float(axes[0] @ apart), float(axes[1] @ apart), float(axes[2] @ apart)),
            -float(apart @ closing / (closing @ closing)),
        )

    def _state(self, number: int, at: datetime) -> tuple[np.ndarray, np.ndarray]:
        record = Satrec()
        omm.initialize(record, self._sets[number])
        second = at.second + at.microsecond / 1e6
        error, r_km, v_km_s = record.sgp4(*jday(at.year, at.month, at.day, at.hour, at.minute, second))
        assert error == 0
        return np.array(r_km), np.array(v_km_s)


def assert_reads(text: str, value: float | None, what: object) -> None:
    """Compare a number as it is written with its value, to half of the last digit."""
    if value is None:
        assert text.strip() in ("–", "—", "not computed"), (what, text)
        return
    text = _E_NOTATION.sub(lambda found: f" × 10{int(found[1])}", text.strip().removeprefix("✸ "))
    if text.startswith("< "):
        assert value < SMALLEST_WRITTEN, (what, text, value)
        return
    read, half = shown_number(text)
    assert abs(read - value) <= half * (1 + 1e-9), (what, text, value)


def plain(text: str) -> str:
    """Return the words of HTML."""
    return " ".join(html.unescape(re.sub(r"<[^>]*>", " ", text)).split())


def lines_of(table: str) -> list[list[str]]:
    """Return the cells of each row of a table as plain words."""
    rows = re.findall(r"<tr>(.*?)</tr>", table, re.DOTALL)
    return [[plain(cell) for cell in _CELL.findall(row)] for row in rows]
