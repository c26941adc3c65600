"""What a comparison with published values is, and what it tells."""

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import NamedTuple, Protocol

import numpy as np
from matplotlib.figure import Figure

from screening.errors import SkysieveError


class NotRun(SkysieveError):
    """A comparison lacks something that it needs; the message names it: "needs frames/tcppver.out"."""


class About(NamedTuple):
    """What is known of a comparison before it is made; texts are Markdown, files below the data folder."""

    title: str
    source: str  # who made the values that ours are held against, and how to find them
    what: str  # what is compared with what, in sentences
    limits: str  # why the limits are what they are, in sentences
    files: tuple[str, ...]  # without these it is not run
    command: str  # what shows it in detail, for instance the tests


class Measure(NamedTuple):
    """A number that says how far our values are from theirs.

    It agrees if it is not above its limit; without a limit it is reported, not judged.
    """

    name: str
    value: float
    unit: str = ""  # of a plain number: none
    limit: float | None = None
    rounding: bool = False  # it is all rounding, and so differs between processors

    @property
    def agrees(self) -> bool:
        """Whether the value is within its limit; NaN is not."""
        return self.limit is None or self.value <= self.limit


class Picture(NamedTuple):
    """A picture of a comparison, drawn only where a page is written."""

    name: str  # of its file, without suffix
    caption: str
    draw: Callable[[Figure], None]


class Comparison(NamedTuple):
    """The result of a comparison."""

    number: int
    things: str  # of what so many were compared: "states"
    measures: tuple[Measure, ...]
    picture: Picture | None = None


class Subject(Protocol):
    """A module that makes one comparison."""

    ABOUT: About

    def compare(self, data: Path) -> Comparison:
        """Compare with the files below a folder.

        Raises NotRun if a thing is missing, other errors of ours if a file is damaged.
        """


class Outcome(NamedTuple):
    """What became of a comparison: its result; or why it was not run; or what is wrong with its files."""

    about: About
    comparison: Comparison | None
    missing: str = ""
    error: str = ""

    @property
    def failed(self) -> bool:
        """Whether a value is beyond its limit or a file cannot be used; what is missing is no failure."""
        measures = self.comparison.measures if self.comparison else ()
        return bool(self.error) or not all(measure.agrees for measure in measures)


def largest(differences: Iterable[float]) -> float:
    """Return the largest difference; NaN, which agrees with no limit, if one is NaN or there is none.

    Python's `max` would pass over a NaN: a value that we do not give would agree.
    """
    return float(np.max([*differences] or [np.nan]))
