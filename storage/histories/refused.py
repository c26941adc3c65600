"""What an import leaves out: counted by reason, with the first example of each."""

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from screening.orbits.elements import ElementArray, Rejection
from screening.orbits.texts.dated import DatedSets
from screening.orbits.texts.unreadable import rejection_text
from storage.histories.dates import epochs_of

# Published sets have epochs up to 8.3 days after the time of their catalogue (2014-01-11, 2016-01-03).
FARTHEST_AHEAD = np.timedelta64(10, "D")
# Orbits of two objects, if a number has two designators; 230 of 236 changes of designators are smaller.
_OTHER_INCLINATION_DEG = 1.0
_OTHER_MEAN_MOTION = 1.05  # factor
KEPT_FILES = 1000  # texts

_CHECKSUM, _RECORD = "bad checksum", "unreadable record"
_AHEAD = f"epoch more than {FARTHEST_AHEAD.astype(int)} days after it was known"
_FUTURE, _OTHER = "known only in the future", "another object under the number"


class Skipped(NamedTuple):
    """The records that were left out for a reason."""

    reason: str
    sets: int
    example: str


class Refusals:
    """Counts what is left out."""

    def __init__(self) -> None:
        self._counts: Counter[str] = Counter()
        self._examples: dict[str, str] = {}
        self.files: list[str] = []  # why files could not be read, or only in part; the first
        self.file_count = 0

    def skipped(self) -> list[Skipped]:
        """Return the records left out, by reason, most first."""
        counts = self._counts.most_common()
        return [Skipped(reason, count, self._examples[reason]) for reason, count in counts]

    def file(self, problem: str) -> None:
        """Note a file that could not be read, or only in part."""
        self.file_count += 1
        if len(self.files) < KEPT_FILES:
            self.files.append(problem)

    def records(self, rejected: Sequence[Rejection], more: int, name: str) -> None:
        """Note records that could not be read."""
        for one in rejected:
            self._add(_CHECKSUM if "tallies" in one.reason else _RECORD, 1, f"{name}, {rejection_text(one)}")
        if more:
            self._add(_RECORD, more, name)

    def without_future(self, sets: DatedSets, name: str, now: np.datetime64) -> DatedSets:
        """Return the sets that were known before now, and not long before their epochs; note the others."""
        ahead = epochs_of(sets.elements) - sets.known_at > FARTHEST_AHEAD
        future = sets.known_at > now
        for reason, bad in ((_FUTURE, future), (_AHEAD, ahead & ~future)):
            self._add(reason, int(bad.sum()), _example(sets.elements, bad, name))
        good = ~(ahead | future)
        return sets._replace(elements=sets.elements[good], known_at=sets.known_at[good])

    def without_others(self, sets: DatedSets, name: str) -> DatedSets:
        """Return the sets without those of a second object under a number; note these."""
        others = _of_other_objects(sets)
        self._add(_OTHER, int(others.sum()), _example(sets.elements, others, name))
        return sets._replace(elements=sets.elements[~others], known_at=sets.known_at[~others])

    def _add(self, reason: str, count: int, example: str) -> None:
        if count:
            self._counts[reason] += count
            self._examples.setdefault(reason, example)


def _example(elements: ElementArray, chosen: npt.NDArray[np.bool_], name: str) -> str:
    if not chosen.any():
        return ""
    one = elements[chosen][:1]
    return f"{name}, {one['norad_id'][0]} of {np.datetime_as_string(epochs_of(one)[0], 's')}Z"


def _of_other_objects(sets: DatedSets) -> npt.NDArray[np.bool_]:
    """Return which sets (n,) are of another object than most of their number at the same time.

    That is: another designator, another orbit, and each known while the other was. Numbers change their
    object once, and designators are corrected, in real catalogues too.
    """
    elements = sets.elements
    others = np.zeros(len(elements), np.bool_)
    named = np.flatnonzero(elements["object_id"] != "")
    numbers = elements["norad_id"][named]
    order = named[np.lexsort((elements["object_id"][named], numbers))]
    number, designator = elements["norad_id"][order], elements["object_id"][order]
    changes = (number[1:] == number[:-1]) & (designator[1:] != designator[:-1])
    for suspect in np.unique(number[1:][changes]):
        places = order[np.searchsorted(number, suspect) : np.searchsorted(number, suspect, "right")]
        words, counts = np.unique(elements["object_id"][places], return_counts=True)
        groups = [places[elements["object_id"][places] == word] for word in words]
        most = groups[int(counts.argmax())]
        for group in groups:
            if group is not most and _contradict(sets, group, most):
                others[group] = True
    return others


def _contradict(sets: DatedSets, group: npt.NDArray[np.intp], most: npt.NDArray[np.intp]) -> bool:
    times, other_times = sets.known_at[group], sets.known_at[most]
    if times.max() < other_times.min() or other_times.max() < times.min():
        return False
    inclinations = [np.median(sets.elements["inclination_deg"][one]) for one in (group, most)]
    motions = [np.median(sets.elements["mean_motion_rev_day"][one]) for one in (group, most)]
    return bool(
        abs(inclinations[0] - inclinations[1]) > _OTHER_INCLINATION_DEG
        or max(motions) > _OTHER_MEAN_MOTION * min(motions)
    )
