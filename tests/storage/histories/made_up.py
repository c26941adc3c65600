"""Small made-up histories, as texts."""

import csv
import io
from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import NamedTuple

from sgp4.io import fix_checksum

START = datetime.fromisoformat("2026-05-01")


class Set(NamedTuple):
    """One published set: its object, when it was published, and its epoch."""

    norad_id: int
    seen: datetime
    epoch: datetime
    object_id: str = "98067A"
    inclination_deg: float = 51.64
    mean_motion: float = 15.5

    @property
    def lines(self) -> tuple[str, str]:
        day = self.epoch.timetuple().tm_yday + (
            self.epoch - self.epoch.replace(hour=0, minute=0)
        ) / timedelta(1)
        return (
            fix_checksum(
                f"1 {self.norad_id:05d}U {self.object_id:<8} {self.epoch:%y}{day:012.8f}  .00016717  00000-0"
                "  30074-3 0  9991"
            ),
            fix_checksum(
                f"2 {self.norad_id:05d} {self.inclination_deg:8.4f} 208.9163 0006317  69.9862  25.2906 "
                f"{self.mean_motion:11.8f}479321"
            ),
        )


def history(objects: int, looks: int, first: int = 1001) -> list[Set]:
    """Return sets of objects that were published every 6 h, each 3 h after its epoch."""
    return [
        Set(
            first + k,
            START + timedelta(hours=6 * look + 3),
            START + timedelta(hours=6 * look, minutes=k % 60),
        )
        for look in range(looks)
        for k in range(objects)
    ]


def seen_table(sets: Iterable[Set]) -> str:
    """Write a table with a column `seen`."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(("seen", "group", "norad_id", "line1", "line2"))
    writer.writerows(
        (f"{one.seen:%Y-%m-%dT%H:%M:%S}+00:00", "made-up", one.norad_id, *one.lines) for one in sets
    )
    return text.getvalue()


def tle(sets: Iterable[Set]) -> str:
    """Write two-line element sets without names."""
    return "".join(f"{line}\n" for one in sets for line in one.lines)
