"""What an entry of a feed says about an encounter, in words."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from storage.fleets.encounters import Encounter
from storage.fleets.events import sides
from storage.rows.graded import graded
from storage.rows.limits import Limits, in_words
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
        return " ".join(filter(None, [f"Encounters within {in_words(self.limits)}; by {by}.", self.note]))


def title(encounter: Encounter) -> str:
    """Return one line: level, both objects, how near, how likely."""
    row = encounter.row
    own, other = _names(row)
    danger = graded(row)
    head = f"Eased to {danger.level}" if encounter.eased else danger.level.capitalize()
    head = "Cancelled" if encounter.cancelled else head
    miss = danger.near_words or _metres(row["miss_distance_m"])
    return plain(f"{head}: {own} and {other}, {miss}, {danger.chance_words}")


def paragraphs(encounter: Encounter, about: About) -> list[str]:
    """Return the lines of an entry's text."""
    row = encounter.row
    own, other = _names(row)
    own_id, other_id = (row[f"{side}_norad_id"] for side in sides(row))
    speed, danger = row["relative_speed_m_s"], graded(row)
    axes = [row[f"miss_{axis}_km"] for axis in ("radial", "in_track", "cross_track")]
    offset = f"radial {axes[0]:.3f}, in-track {axes[1]:.3f}, cross-track {axes[2]:.3f} km"
    radius_m = row.get("fleet_hard_body_radius_m")
    lines = [
        f"Cancelled: {encounter.cancelled}. Last known:" if encounter.cancelled else "",
        f"Eased: {encounter.eased}." if encounter.eased else "",
        f"{own} ({own_id}) and {other} ({other_id})",
        f"Closest approach: {time_text(row['tca'], 'milliseconds')}",
        f"Level: {danger.words}",
        f"At the fleet's own hard-body radius: {radius_m:.3g} m for both" if radius_m else "",
        danger.consequence,
        f"Miss distance: {_metres(row['miss_distance_m'])}; from {own} {offset}",
        "" if speed is None else f"Relative speed: {speed:,.0f} m/s",
        f"Fleet {about.fleet}, volume {row['volume']}",
        f"By run {row['run_id']}, computed {time_text(row['computed_at'], 'seconds')}",
        about.note,
    ]
    return [plain(line) for line in lines if line]


def plain(text: str) -> str:
    """Return a text on one line, without control characters, which neither format may carry."""
    return "".join(character if character.isprintable() else " " for character in text)


def _names(row: Mapping[str, Any]) -> tuple[str, str]:
    own, other = (str(row[f"{side}_name"] or row[f"{side}_norad_id"]) for side in sides(row))
    return own, other


def _metres(distance_m: float) -> str:
    return f"{distance_m:,.0f} m" if distance_m < 10_000 else f"{distance_m / 1000:,.1f} km"
