"""What an entry of a feed says about an encounter, in words."""

from typing import NamedTuple

from storage.fleets.encounters import Encounter
from storage.fleets.events import sides
from storage.rows.graded import graded
from storage.rows.limits import Limits, in_words
from storage.rows.words.event import facts, headline
from storage.times import time_text


class About(NamedTuple):
    """Whose feed it is, and what is said beside each entry."""

    fleet_id: int
    fleet: str
    limits: Limits
    run_id: str  # the newest run looked at; empty: none yet
    note: str  # what a reader must know about the run; may be empty
    public_url: str  # address of the page; empty: not known

    def event_url(self, event_id: int) -> str:
        """Return the address of an event on the page, empty if the page's is not known."""
        return f"{self.public_url.rstrip('/')}/#/event/{event_id}" if self.public_url else ""

    def summary(self) -> str:
        """Return what the feed as a whole tells."""
        by = f"run {self.run_id}" if self.run_id else "no run yet"
        return " ".join(filter(None, [f"Encounters within {in_words(self.limits)}; from {by}.", self.note]))


def title(encounter: Encounter) -> str:
    """Return one line: level, both objects, how near, how likely."""
    row = encounter.row
    status = f"Eased to {graded(row).level}" if encounter.eased else ""
    return plain(headline(row, sides(row)[0], "Cancelled" if encounter.cancelled else status))


def paragraphs(encounter: Encounter, about: About) -> list[str]:
    """Return the lines of an entry's text."""
    row = encounter.row
    lines = [
        f"Cancelled: {encounter.cancelled}. Last values:" if encounter.cancelled else "",
        f"Eased: {encounter.eased}." if encounter.eased else "",
        *facts(row, sides(row)[0]),
        f"Fleet {about.fleet}, volume {row['volume']}",
        f"From run {row['run_id']}, computed {time_text(row['computed_at'], 'seconds')}",
        about.note,
    ]
    return [plain(line) for line in lines if line]


def plain(text: str) -> str:
    """Return a text on one line, without control characters, which neither format may carry."""
    return "".join(character if character.isprintable() else " " for character in text)
