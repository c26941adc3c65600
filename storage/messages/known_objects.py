"""What the newest run knows of the objects in messages: their numbers and radii."""

from pathlib import Path
from typing import NamedTuple

from screening.risk.conjunctions import HARD_BODY_SOURCES
from screening.risk.messages.message import ConjunctionMessage, MessageObject
from screening.vocabulary import MAX_NORAD_ID
from storage.disk.connections import in_memory
from storage.disk.layout import ANALYST_FILE, quoted


class Radius(NamedTuple):
    """The combined radius of two objects in m, and where the less certain of both is from."""

    metres: float
    source: str  # of HARD_BODY_SOURCES


class KnownObjects(NamedTuple):
    """The objects of the newest run."""

    numbers: dict[str, int]  # catalogue numbers by international designator, without dashes
    radii: dict[int, Radius]  # by catalogue number, of one object

    def number_of(self, one: MessageObject) -> int | None:
        """Return the catalogue number of an object; None if neither message nor run has it."""
        written = one.designator.strip()
        if written.isascii() and written.isdecimal() and 0 < int(written) <= MAX_NORAD_ID:
            return int(written)
        return self.numbers.get(_plain(one.international_designator)) or self.numbers.get(_plain(written))

    def radius_of(self, message: ConjunctionMessage) -> Radius | None:
        """Return the combined radius of both objects; None if one of them has none."""
        numbers = [self.number_of(each) for each in (message.primary, message.secondary)]
        radii = [self.radii[number] for number in numbers if number in self.radii]
        if len(radii) < len(numbers):
            return None
        worst = max((one.source for one in radii), key=HARD_BODY_SOURCES.index)
        return Radius(sum(one.metres for one in radii), worst)


def known_objects(store: Path) -> KnownObjects:
    """Return the objects of the newest run; none if there is no run."""
    if not (store / ANALYST_FILE).is_file():
        return KnownObjects({}, {})
    with in_memory() as connection:
        connection.execute(f"ATTACH {quoted(store / ANALYST_FILE)} AS skysieve (READ_ONLY)")
        found = connection.execute(
            "SELECT norad_id, object_id, hard_body_radius_m, hard_body_source FROM skysieve.objects"
        ).fetchall()
    numbers = {_plain(object_id): norad_id for norad_id, object_id, _, _ in found if object_id}
    radii = {
        norad_id: Radius(radius_m, source)
        for norad_id, _, radius_m, source in found
        if radius_m is not None and source in HARD_BODY_SOURCES
    }
    return KnownObjects(numbers, radii)


def _plain(designator: str) -> str:
    return "".join(filter(str.isalnum, designator)).upper()
