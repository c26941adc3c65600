"""What changed in a catalogue, as sentences."""

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from storage.sky.compare import STALE_DAYS
from storage.times import time_text


class Counts(NamedTuple):
    """What a comparison counted."""

    objects: int
    before: int | None  # None: there is nothing to compare with
    suspect: bool
    families: Sequence[str]  # missing as a whole
    repeated: int
    stale: int
    new: int
    back: int
    gone: int
    renumbered: int
    doubled: int
    of_launches: int
    launches: Sequence[str]
    late: int
    pieces: int


def catalogue_words(found: Counts) -> list[str]:
    """Return what matters, the most important first."""
    if found.before is None:
        return [f"{found.objects:,} objects: the first catalogue, so there is nothing to compare it with."]
    said = [f"{found.objects:,} objects, {found.before:,} in the catalogue before."]
    if found.suspect:
        twice = max(found.doubled, found.repeated)
        left, families = found.before - found.gone, " and ".join(found.families)
        said = [
            f"{left:,} of {found.before:,} objects: the source was cut?"
            if found.gone >= twice
            else f"{twice:,} of {found.objects:,} objects come twice: the source is damaged?",
            f"{families} is missing as a whole." if families else "",
            "Of no event is said that it is gone.",
        ]
        said = [" ".join(part for part in said if part)]
    if found.new:
        parts = [
            f"{found.pieces:,} are pieces of break-ups" if found.pieces else "",
            f"{found.of_launches:,} come from {_counted(len(found.launches), 'launch', 'launches')} "
            f"({_some(found.launches)})"
            if found.of_launches
            else "",
            f"{found.late:,} from earlier launches, catalogued late" if found.late else "",
        ]
        named = ", ".join(part for part in parts if part)
        said.append(f"New: {found.new:,}{named and f'; {named}'}.")
    gone = 0 if found.suspect else found.gone - found.renumbered
    for count, text in (
        (found.back, "Back, in an earlier catalogue but not in the last: {}."),
        (gone, "Gone, decayed or no longer published: {}."),
        (found.renumbered, "Under another number now: {}."),
        (found.doubled, "New numbers with the element set of an object known before: {}."),
        (found.repeated, "Sets left out, as the catalogue has a newer one of the same object: {}."),
        (found.stale, f"Without a set of the last {STALE_DAYS:g} days: {{}}."),
    ):
        if count:
            said.append(text.format(f"{count:,}"))
    return said


def fragmentation_words(name: str, norad_id: int, at: datetime, uncertainty_hours: float, pieces: int) -> str:
    """Return a break-up in a sentence."""
    when = time_text(at, "minutes").replace("T", " ").replace("Z", " UTC")
    return (
        f"{name} ({norad_id}) broke up at about {when}, give or take {max(1, round(uncertainty_hours))} h: "
        f"{_counted(pieces, 'piece', 'pieces')} so far."
    )


def _some(launches: Sequence[str]) -> str:
    more = len(launches) - 5
    return ", ".join(launches[:5]) + (f" and {more} more" if more > 0 else "")


def _counted(count: int, one: str, many: str) -> str:
    return f"{count:,} {one if count == 1 else many}"
